"""Test of a short run of `python -m tests.fuzz.interactions`."""

from pathlib import Path

from tests.fuzz.interactions import PLAYED, fuzz
from tests.tiers import share_of


async def test_forged_interactions_break_nothing(tmp_path: Path) -> None:
    count = share_of(600)
    result = await fuzz(count, seed=5, folder=tmp_path, in_calls=True)

    assert result.faults == []
    assert result.answered > count // 6
    assert result.events >= PLAYED

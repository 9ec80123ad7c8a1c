"""Test of a short run of `python -m tests.fuzz.doings`."""

from pathlib import Path

from tests.fuzz.doings import fuzz
from tests.tiers import share_of


async def test_what_is_carried_on_is_what_is_read_anew(tmp_path: Path) -> None:
    count = share_of(600)
    result = await fuzz(count, seed=4, folder=tmp_path)

    assert result.faults == []
    assert result.changes > count // 3
    assert result.ended > 0

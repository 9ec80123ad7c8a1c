"""Test of a short run of `python -m tests.fuzz.spellings`."""

from pathlib import Path

from tests.fuzz.spellings import fuzz
from tests.tiers import share_of


async def test_every_spelling_of_a_move_has_a_visible_effect(tmp_path: Path) -> None:
    count = share_of(1_000)
    result = await fuzz(count, seed=5, folder=tmp_path)

    assert result.faults == []
    assert result.sent >= count
    assert result.outcomes["spelled: played"] > count // 4
    assert not any(outcome.endswith("silent") for outcome in result.outcomes)

"""Test of a short run of `python -m tests.fuzz.spellings`."""

from pathlib import Path

from tests.fuzz.spellings import fuzz
from tests.tiers import share_of


async def test_however_a_move_is_spelled_somebody_sees_what_comes_of_it(tmp_path: Path) -> None:
    count = share_of(1_000)
    result = await fuzz(count, seed=5, folder=tmp_path)

    assert result.faults == []
    assert result.sent >= count
    assert result.outcomes["spelled: played"] > count // 4
    assert not any(outcome.endswith("silent") for outcome in result.outcomes)

"""Test of a short run of `python -m tests.fuzz.doings`."""

from pathlib import Path

from tests.e2e.loop_steps import MOST_CALLS, calls
from tests.fuzz.doings import fuzz
from tests.tiers import share_of


async def test_a_continued_game_equals_one_read_again(tmp_path: Path) -> None:
    count = share_of(600)
    with calls() as spent:
        result = await fuzz(count, 4, tmp_path, spent=spent, most=MOST_CALLS)

    assert result.faults == []
    assert result.changes > count // 3
    assert result.ended > 0

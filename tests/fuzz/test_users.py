"""Test of a short run of `python -m tests.fuzz.users`."""

from pathlib import Path

from tests.fuzz.users import fuzz
from tests.tiers import share_of


async def test_whatever_people_do_in_the_app_is_answered(tmp_path: Path) -> None:
    count = share_of(300)
    result = await fuzz(count, seed=6, folder=tmp_path, MACHINE="off")

    assert result.faults == []
    assert result.answered > count // 3

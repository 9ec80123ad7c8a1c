"""The short form of `python -m tests.fuzz.interactions`."""

from pathlib import Path

import pytest

from tests.fuzz.interactions import fuzz

pytestmark = pytest.mark.e2e


async def test_broken_interactions_break_nothing(tmp_path: Path) -> None:
    result = await fuzz(600, seed=3, folder=tmp_path)

    assert result.faults == []
    assert result.answered > 100
    assert result.passed_over > 100
    assert result.events > 0  # some were whole enough to play

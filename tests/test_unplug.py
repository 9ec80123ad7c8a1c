"""Tests that a feature can be taken out. `tests.unplug --all` tries every one."""

import pytest

from tests.rooms import ROOT
from tests.unplug import main, needs, with_those_above


def test_removing_a_feature_removes_its_dependents() -> None:
    needed = {"low": set[str](), "middle": {"low"}, "high": {"middle"}, "aside": set[str]()}
    assert with_those_above("low", needed) == {"low", "middle", "high"}
    assert with_those_above("aside", needed) == {"aside"}
    assert with_those_above("guesses", needs(ROOT)) == {"guesses"}


@pytest.mark.thorough(
    "types of a whole copy and a bot of its own, where test_bare.py takes all out"
)
def test_guesses_are_taken_out() -> None:
    assert main(["guesses", "--quick"]) == 0

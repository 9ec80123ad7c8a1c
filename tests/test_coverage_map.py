"""Tests for the coverage map: each module is in it, with well-chosen test files."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from tests import coverage_map
from tests.coverage_map import ROOT, body_lines, choose, read_map
from tests.mutation.guards import GUARDS, NOTHING_TO_CHANGE

HOW = "python -m tests.coverage_map --choose"


def test_each_module_is_held_by_tests_that_are_there() -> None:
    assert coverage_map.missing() == [], HOW
    held = read_map()
    gone = {test for tests in held.values() for test in tests if not (ROOT / test).is_file()}
    assert gone == set(), HOW
    assert list(held) == sorted(held)
    assert [module for module in held if not (ROOT / module).is_file()] == [], HOW


def test_each_module_with_chosen_guards_is_mutated() -> None:
    """The others have those of the coverage map."""
    assert all(GUARDS.values())
    assert [module for module in GUARDS if not body_lines(ROOT / module)] == []
    assert GUARDS.keys().isdisjoint(NOTHING_TO_CHANGE)


@pytest.fixture(scope="module")
def launcher() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "run"))


def test_the_launcher_runs_the_tests_of_a_module(launcher: dict[str, Any]) -> None:
    held = read_map()
    assert all(launcher["_tests_of"](module) == [*held[module]] for module in held)
    assert launcher["_tests_of"]("bot/no_such_module.py") == []


@pytest.mark.parametrize(
    ("module", "own"),
    [
        ("bot/features/talk/new.py", {"tests/bot/features/talk", "tests/e2e/features/talk"}),
        ("club/guesses/new/new.py", {"tests/club/guesses", "tests/e2e/features/guesses"}),
        ("bot/play/new.py", set()),
    ],
)
def test_a_new_module_of_a_feature_is_held_by_the_features_own_tests(
    launcher: dict[str, Any], module: str, own: set[str]
) -> None:
    assert {item.rstrip("/") for item in launcher["_tests_of"](module)} == own
    files = {Path(file) for file in coverage_map.tests_of_feature(module)}
    assert all(any(file.is_relative_to(folder) for folder in own) for file in files)
    assert bool(files) is bool(own)


def test_only_lines_that_a_call_runs_need_a_guard(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('''"""Words."""

LIMIT = 3


def told(count: int) -> bool:
    """Return whether."""
    if count > LIMIT:
        return True
    return False


class Box:
    size = 4

    async def open(self) -> int:
        return (
            self.size
        )
''')
    assert body_lines(module) == {8, 9, 10, 17, 18, 19}


A, B, C, D = "tests/a.py", "tests/b.py", "tests/c.py", "tests/d.py"
HUNDRED = set(range(100))


def test_few_files_are_chosen_that_run_all_twice() -> None:
    ran = {A: HUNDRED, B: set(range(50)), C: set(range(40, 60)), D: HUNDRED}
    assert choose(ran, {A: 1, B: 9, C: 9, D: 1}, {}) == [A, D]
    assert choose(ran, {A: 60, B: 1, C: 1, D: 60}, {}) == [B, C, A, D]
    assert choose({A: HUNDRED, B: {100}}, {}, {}) == [A], "one line more is not worth a file"
    assert choose({}, {}, {}) == []


def test_tests_about_a_module_come_first() -> None:
    ran = {A: HUNDRED, B: set(range(50))}
    assert choose(ran, {}, {B: 3}) == [B, A]

"""Tests for the tiers: each test that waits for a later tier has a reason."""

import ast
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.tiers import EXAMPLES, LATER, ON_POSTGRESQL, one_in, share_of, too_dear, waits

TESTS = Path(__file__).parent
SHORTEST = 20
"""Minimum number of characters in a reason."""


def marks(tree: ast.AST) -> Iterator[ast.expr]:
    """Every place where a test is marked."""
    called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in {"thorough", "later"}:
            yield called.get(id(node), node)
        if isinstance(node, ast.Attribute) and node.attr == "both_databases":
            call = called.get(id(node))
            if call is not None:
                yield call


def why(mark: ast.expr) -> str | None:
    """Return the reason that a mark gives, if it has one."""
    match mark:
        case (
            ast.Call(args=[ast.Constant(value=str(reason))], keywords=[])
            | ast.Call(args=[], keywords=[ast.keyword("thorough", ast.Constant(value=str(reason)))])
        ):
            return reason
    return None


def test_every_test_of_a_later_tier_has_a_reason() -> None:
    found = 0
    for file in sorted(TESTS.rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        if not re.search(r"mark\.(thorough|later|both_databases)", text):
            continue  # parsing all of them takes seconds
        for mark in marks(ast.parse(text)):
            reason = why(mark)
            assert reason is not None, f"{file.name}:{mark.lineno} names no reason"
            assert len(reason) >= SHORTEST, f"{file.name}:{mark.lineno}: {reason}"
            found += 1
    assert found > 0


@pytest.mark.parametrize(
    "line",
    [
        "@pytest.mark.thorough\ndef test(): pass",
        "@pytest.mark.thorough()\ndef test(): pass",
        "pytestmark = pytest.mark.thorough",
        "pytestmark = pytest.mark.later",
        "pytest.param(1, marks=pytest.mark.thorough(REASON))",
        "@pytest.mark.both_databases()\ndef test(): pass",
    ],
)
def test_a_mark_without_a_reason_is_found(line: str) -> None:
    (mark,) = marks(ast.parse(line))
    assert why(mark) is None


@pytest.fixture
def tier(request: pytest.FixtureRequest) -> Iterator[str]:
    """One of the tiers, whichever this run is."""
    before = settings.get_current_profile_name()
    settings.load_profile(request.param)
    yield request.param
    settings.load_profile(before)


@pytest.mark.parametrize("tier", EXAMPLES, indirect=True)
def test_a_tier_tries_its_share_of_examples_and_at_least_one(tier: str) -> None:
    assert share_of(100) == EXAMPLES[tier]
    assert share_of(50) == EXAMPLES[tier] // 2
    assert share_of(1) == 1


@pytest.mark.parametrize(
    ("tier", "number"), [("quick", 4), ("all", 10), ("thorough", 10)], indirect=["tier"]
)
def test_the_quick_tier_tries_some_of_similar_examples(tier: str, number: int) -> None:
    assert one_in(3, range(10)) == list(range(10))[:: 3 if tier == "quick" else 1]
    assert len(one_in(3, range(10))) == number


def test_files_for_later_tiers_and_postgresql_exist() -> None:
    assert [name for name in LATER if not (TESTS / name).exists()] == []
    for name in ON_POSTGRESQL:
        file, _, test = name.partition("::")
        assert f"def {test.partition('[')[0]}" in (TESTS / file).read_text(encoding="utf-8"), name


def test_a_file_waits_with_its_folder_and_no_other_with_it() -> None:
    assert waits(TESTS / "operations" / "test_logs.py")
    assert waits(TESTS / "operations")
    assert not waits(TESTS / "operations_of_others")
    assert not waits(TESTS)


def test_the_quick_tier_stays_within_its_cost_limit(request: pytest.FixtureRequest) -> None:
    assert too_dear(request.session.items) is None


def test_pytest_accepts_the_arguments_of_a_whole_run() -> None:
    launcher = runpy.run_path(str(TESTS.parent / "run"))
    options = launcher["_beside_each_other"]([])
    assert options
    command = ("-m", "pytest", *options, "--collect-only", "--quiet", __file__)
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


_SECONDS = re.compile(r"asyncio\.timeout\(\d|\btimeout=[1-9]")
_BY_RIGHT = {
    "bot/connection/test_unfinished_work.py": "what discord.py does, not what the test waits for",
    "e2e/test_forged_ids.py": "some forged ids have no answer, so the wait must end",
    "operations/test_sessions.py": "a storm of sessions would come in these seconds",
}


def test_no_test_says_how_fast_the_machine_is() -> None:
    """A wait has no timeout of its own. Pytest's own timeout ends a hanging test."""
    found = {
        name
        for file in TESTS.rglob("*.py")
        if not (name := file.relative_to(TESTS).as_posix()).startswith(("soak/", "mutation/"))
        and _SECONDS.search(file.read_text(encoding="utf-8"))
    }
    assert found == set(_BY_RIGHT)

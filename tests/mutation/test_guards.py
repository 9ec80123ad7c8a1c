"""Tests that the guards of each module exist."""

import re
from pathlib import Path

from tests.mutation.guards import AT_IMPORT, GUARDS, ONLY_COMPILED, PARTLY_COMPILED
from tests.mutation.in_source import statements
from tests.mutation.sample import equivalents

ROOT = Path(__file__).parents[2]


def test_each_guarded_module_is_there() -> None:
    named = (*GUARDS, *AT_IMPORT, *ONLY_COMPILED, *PARTLY_COMPILED)
    assert [module for module in named if not (ROOT / module).is_file()] == []


def test_each_guard_is_there() -> None:
    for guard in sorted({guard for guards in GUARDS.values() for guard in guards}):
        file, *names = guard.split("::")
        tests = (ROOT / file).read_text(encoding="utf-8")
        for name in names:
            assert re.search(rf"^ *(async def|def|class) {name}\b", tests, re.MULTILINE), guard


def test_each_equivalent_change_is_of_a_line_that_is_there() -> None:
    for equivalent in equivalents():
        source = (ROOT / equivalent["module"]).read_text(encoding="utf-8")
        assert equivalent["was"] in statements(source, equivalent["function"]), equivalent
        assert equivalent["why"].endswith("."), equivalent

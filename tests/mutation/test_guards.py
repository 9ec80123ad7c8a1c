"""The guards of each module exist: a renamed test would leave its module to all others."""

import re
from pathlib import Path

import pytest

from tests.mutation.guards import AT_IMPORT, GUARDS, ONLY_COMPILED, PARTLY_COMPILED

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("module", [*GUARDS, *AT_IMPORT, *ONLY_COMPILED, *PARTLY_COMPILED])
def test_a_guarded_module_is_there(module: str) -> None:
    assert (ROOT / module).is_file()


@pytest.mark.parametrize("guard", sorted({guard for guards in GUARDS.values() for guard in guards}))
def test_a_guard_is_there(guard: str) -> None:
    file, *names = guard.split("::")
    tests = (ROOT / file).read_text(encoding="utf-8")
    for name in names:
        assert re.search(rf"^ *(async def|def|class) {name}\b", tests, re.MULTILINE), name

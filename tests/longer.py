"""Run the end-to-end tests with sentences that are 40% longer, as in some languages.

`python -m tests.longer [ARGUMENTS OF PYTEST]` runs it; without arguments, all of tests/e2e. The
additions are invisible. The sandbox checks the whole text against Discord's limits, and then
removes the additions. So all tests find the texts that they look for, and fail only where a longer
language would.
"""

import runpy
import sys
from gettext import NullTranslations
from typing import Any

import pytest

from bot.base import languages
from sandbox.forms import Fields
from tests.e2e import warm

LONGER = 0.4
FILLER = "\N{WORD JOINER}"
NOT_ALIKE = {
    "test_help.py": "test_every_rule_comes_in_place_with_its_picture_and_the_commands_after",
    "test_look.py": "test_a_board_names_its_players_as_discord_did_last",
    "test_start.py": "test_commands_are_registered_only_after_a_change",
}
"""Two compare pictures with English ones. The last one compares commands without the additions."""


class Longer(NullTranslations):
    """English with additions."""

    def gettext(self, message: str) -> str:
        return message + FILLER * round(len(message) * LONGER)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return message if context in {"command", "option"} else self.gettext(message)


def pytest_configure() -> None:
    """A pytest plug-in that applies the additions."""
    warm.ORIGIN = ("tests.longer", "warm")
    whole = Fields.text

    def text(self: Fields, name: str, **bounds: Any) -> str | None:
        found = whole(self, name, **bounds)
        if found is None or FILLER not in found:
            return found
        self._body[name] = found.replace(FILLER, "")  # some store the request itself
        return found.replace(FILLER, "")

    Fields.text = text  # type: ignore[method-assign]


def main(arguments: list[str]) -> int:
    if arguments == ["warm"]:
        object.__setattr__(languages.IN_ENGLISH, "catalogue", Longer())  # it is frozen
        runpy.run_module("tests.e2e.warm", run_name="__main__", alter_sys=True)
        return 0
    without = [f"--deselect=tests/e2e/{file}::{name}" for file, name in NOT_ALIKE.items()]
    return pytest.main(["-p", "tests.longer", *without, *(arguments or ["tests/e2e"])])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

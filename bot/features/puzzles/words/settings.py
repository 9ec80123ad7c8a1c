"""The switch of puzzles in words."""

from typing import Final

from bot.base.locales import Reader
from bot.features.puzzles.model.solving import PUZZLES
from bot.features.puzzles.store.server_puzzles import take_back
from bot.play.use_cases.preferences import Switch


def _line(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext(
            "**Puzzles**: your games may become puzzles for their server, without names, if the "
            "other player allows it, too."
        )
    return reader.gettext("**Puzzles**: your games don't become puzzles.")


PUZZLE_SWITCH: Final = Switch(
    of=PUZZLES,
    label=lambda reader: reader.gettext("Make puzzles of my games"),
    hint=lambda reader: reader.gettext("Without names, if the other player allows it, too"),
    line=_line,
    turned_off=take_back,
)

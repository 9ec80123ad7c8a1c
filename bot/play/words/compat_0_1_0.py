"""The replacements of 0.1.0's commands, and the sentences for its pie start.

Remove the commands in the first release after 2027-12-01. See `bot.play.model.compat_0_1_0`.
"""

from collections.abc import Mapping
from typing import Final

from bot.base.languages import Reader
from bot.connection.posts import command
from bot.connection.words import unknown_form
from bot.play.model.compat_0_1_0 import BoardPicked, SidePicked
from dvonn import Color

_REPLACEMENTS: Final = {
    "clock": "board",
    "moves": "move",
    "preferences": "settings",
    "status": "help",
    "takeback": "undo",
    "vacation": "settings",
}
"""Commands of 0.1.0, and their replacements."""


def unknown_command(reader: Reader, name: str, ids: Mapping[str, int]) -> str:
    """Answer an unknown command. For a command of 0.1.0, name the replacement."""
    if name in _REPLACEMENTS:
        return reader.gettext(
            "That's {command} now. Don't see it? Press Ctrl+R, or restart the app."
        ).format(command=command(reader, _REPLACEMENTS[name], ids))
    match name:
        case "fill":
            return reader.gettext("That's *Fill at random* now, a button under the board.")
        case "abort":
            return reader.gettext(
                "That's under *Resign* now, a button below the board. Moderators have {command}."
            ).format(command=command(reader, "setup abort", ids))
        case _:
            return unknown_form(reader)


def picked(reader: Reader, actor: str, pick: BoardPicked | SidePicked) -> str:
    """Return the sentence for a pick."""
    if isinstance(pick, BoardPicked):
        words = reader.gettext("{player} picked board {number}.")
        return words.format(player=actor, number=pick.number)
    plays = reader.gettext("{player} plays White."), reader.gettext("{player} plays Black.")
    return plays[pick.color is Color.BLACK].format(player=actor)

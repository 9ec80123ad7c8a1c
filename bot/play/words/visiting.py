"""Words for places that the bot is not in: what works otherwise there."""

from bot.base.locales import Reader
from bot.play.model.clock import TimeControl


def while_visiting(reader: Reader, clock: TimeControl | None) -> list[str]:
    """Warn players before they begin in such a place."""
    lines = [
        reader.gettext(
            "I'm only visiting here: I can't see what you type, so play by the buttons under the "
            "board, or with /move."
        )
    ]
    if clock is not None:
        lines.append(
            reader.gettext(
                "If someone's time runs out, I can't say so until one of you presses a button "
                "here. I send reminders by direct message, if I'm allowed to."
            )
        )
    return lines


def not_shown(reader: Reader) -> str:
    """Tell a player that their move counts, but that its board cannot be shown now."""
    return reader.gettext(
        "Your move is saved, but I can't show the board to everyone now. It comes when one of you "
        "next presses a button here."
    )


def only_privately(reader: Reader) -> str:
    """Say why no game can be begun where nobody else would see it."""
    return reader.gettext(
        "In this server only you see my answers, so nobody could follow the game. Play in a direct "
        "message or a group, or ask the moderators to add me to the server."
    )

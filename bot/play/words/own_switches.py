"""The game's own switches with their words."""

from typing import Final

from bot.base.locales import Reader
from bot.play.model.preferences import AUTOMATIC, MENTIONS, PREVIEW, SIDE
from bot.play.own_switches import Switch, SwitchList


def _mentions(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext("**Turns**: I ping you when it's your turn.")
    return reader.gettext("**Turns**: boards name you without pinging.")


def _automatic(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext("**Forced moves**: I play a move when it's your only one.")
    return reader.gettext("**Forced moves**: you play them yourself.")


def _preview(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext(
            "**Preview**: I show you what a move does before it's played. A move in a message is "
            "played at once."
        )
    return reader.gettext("**Preview**: off. A move is played at once.")


def _side(reader: Reader, is_on: bool) -> str:
    if is_on:
        return reader.gettext("**Your side**: at the bottom, where only you see the board.")
    return reader.gettext("**Your side**: where it stands; boards are not turned.")


OWN_SWITCHES: Final = (
    Switch(
        of=MENTIONS,
        label=lambda reader: reader.gettext("Ping me when it's my turn"),
        hint=lambda reader: reader.gettext("Without it boards only name you"),
        line=_mentions,
    ),
    Switch(
        of=AUTOMATIC,
        label=lambda reader: reader.gettext("Play my forced moves"),
        hint=lambda reader: reader.gettext("When I have only one move"),
        line=_automatic,
    ),
    Switch(
        of=PREVIEW,
        label=lambda reader: reader.gettext("Show my moves before they are played"),
        hint=lambda reader: reader.gettext("Taps, /move and the form; messages are played at once"),
        line=_preview,
    ),
    Switch(
        of=SIDE,
        at=SwitchList.SEEN,
        label=lambda reader: reader.gettext("My side at the bottom"),
        hint=lambda reader: reader.gettext("Boards are turned for you when you play Black"),
        line=_side,
    ),
)

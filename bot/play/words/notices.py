"""The words on the bot's state, and on what is wrong or in its way."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.base.formats import number_text, together
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, Post, command, instant, user
from bot.connection.words import unknown_form
from bot.play.model.clock import TimeControl

_NOW: Final = {
    "clock": "board",
    "moves": "move",
    "preferences": "settings",
    "status": "help",
    "takeback": "undo",
    "vacation": "settings",
}
"""Commands of 0.1.0, which people may still have at hand, with their successors."""


def unknown_command(reader: Reader, name: str, ids: Mapping[str, int]) -> str:
    """Answer an unknown command: where it is today, if an older version had it."""
    if name in _NOW:
        return reader.gettext(
            "That's {command} now. Don't see it? Press Ctrl+R, or restart the app."
        ).format(command=command(reader, _NOW[name], ids))
    match name:
        case "fill":
            return reader.gettext("That's *Fill at random* now, a button under the board.")
        case "abort":
            return reader.gettext(
                "That's under *Resign* now, a button below the board. Moderators have {command}."
            ).format(command=command(reader, "setup abort", ids))
        case _:
            return unknown_form(reader)


def will_be_played(reader: Reader) -> str:
    return reader.gettext(
        "I can't save right now. Moves typed here will be played as soon as I can."
    )


class Notice(StrEnum):
    """A note to a channel, by the button under it: its words depend on the reader."""

    SET_BACK = "set-back"
    READ_IN_PART = "in-part"

    @property
    def button_id(self) -> str:
        """The id of the button: by it the bot knows its own notices again."""
        return f"dvonn:notice:{self}"


def set_back(reader: Reader) -> Post:
    """Tell a channel that a restored backup does not know its newest turns."""
    words = reader.gettext(
        "I was restored from a backup, so the last moves by buttons or commands are lost. Please "
        "go on from this board."
    )
    return _notice(reader, Notice.SET_BACK, words)


def read_in_part(reader: Reader, most: int, age: timedelta) -> Post:
    words = reader.ngettext(
        "I couldn't read this channel for a while. Now I've read the last {most} messages, from "
        "{days} day. Did you type a move before that? Please type it again.",
        "I couldn't read this channel for a while. Now I've read the last {most} messages, from "
        "{days} days. Did you type a move before that? Please type it again.",
        age.days,
    ).format(most=number_text(reader, most), days=age.days)
    return _notice(reader, Notice.READ_IN_PART, words)


def cannot_read(reader: Reader, bot: UserId) -> str:
    return reader.gettext(
        "Was that a move? I can't read it here. Use the buttons or /move. Or reply to the board "
        "(keep @ ON), or begin with {mention}."
    ).format(mention=user(bot))


def not_posted(reader: Reader, missing: tuple[str, ...]) -> str:
    if not missing:
        return reader.gettext("Your move counts. The board comes as soon as I can post it.")
    return reader.ngettext(
        "Your move counts, but I can't post the board. I need this permission here: "
        "{permissions}. Please ask a moderator.",
        "Your move counts, but I can't post the board. I need these permissions here: "
        "{permissions}. Please ask a moderator.",
        len(missing),
    ).format(permissions=together(reader, map(reader.gettext, missing)))


def _notice(reader: Reader, what: Notice, words: str) -> Post:
    return Post(content=words, buttons=(Button(reader.gettext("Show the board"), what.button_id),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of the bot."""

    version: str
    heartbeat_ms: int | None
    """Time that Discord took to answer the last heart beat."""
    heard_until: datetime | None
    """Time until which everything said in this server was surely heard."""
    unsent: int
    """Number of boards of this server that wait to be posted."""
    reads_messages: bool
    has_machine: bool


def status(reader: Reader, now: Status) -> Post:
    lines = [reader.gettext("DVONN bot {version} is running.").format(version=now.version)]
    if now.heartbeat_ms is not None:
        lines.append(reader.gettext("Discord answers in {ms} ms.").format(ms=now.heartbeat_ms))
    if now.heard_until is not None:
        lines.append(
            reader.gettext("I last heard from Discord {when}.").format(
                when=instant(now.heard_until, relative=True)
            )
        )
    lines.append(_waiting(reader, now.unsent))
    lines.append(
        reader.gettext("You can type moves into the channel.")
        if now.reads_messages
        else reader.gettext("Play with the buttons, with /move, or by replying to a board.")
    )
    lines.append(
        reader.gettext("You can play against me: /play.")
        if now.has_machine
        else reader.gettext("Games against me are switched off here.")
    )
    return Post(content="\n".join(f"- {line}" if n else line for n, line in enumerate(lines)))


def _waiting(reader: Reader, unsent: int) -> str:
    if not unsent:
        return reader.gettext("No boards waiting.")
    return reader.ngettext(
        "{count} board waiting to be posted.",
        "{count} boards waiting to be posted.",
        unsent,
    ).format(count=unsent)


def while_visiting(reader: Reader, clock: TimeControl | None) -> list[str]:
    lines = [
        reader.gettext(
            "I'm only visiting here, so I can't see what you type. Play with the buttons or /move."
        )
    ]
    if clock is not None:
        lines.append(
            reader.gettext(
                "If someone's time runs out, I can only say so when you press a button here. "
                "Reminders come by direct message."
            )
        )
    return lines


def not_shown(reader: Reader) -> str:
    return reader.gettext(
        "Your move counts. Everyone sees the board once one of you presses a button here."
    )


def only_privately(reader: Reader) -> str:
    return reader.gettext(
        "In this server only you would see the game. Play in a direct message or a group, or ask "
        "a moderator to add me."
    )

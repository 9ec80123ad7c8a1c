"""How the bot is, and what is said where something is wrong on our side, or in the way of ours."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.locales import Reader
from bot.messages.posts import Button, Post, instant, user
from bot.model.ids import UserId


def too_slow(reader: Reader) -> str:
    """The answer to a press for which a form should have opened, when that took too long."""
    return reader.gettext("That took me too long. Please press the button once more.")


def unknown_form(reader: Reader) -> str:
    """The answer to a command of which Discord's client knows another form."""
    return reader.gettext(
        "Your Discord shows an older form of this command. Reload it, with Ctrl+R or by starting "
        "it again, and try once more."
    )


def something_went_wrong(reader: Reader) -> str:
    """The answer when the fault is ours."""
    return reader.gettext("Something went wrong on my side. Nothing has changed; please try again.")


def cannot_write(reader: Reader) -> str:
    """The answer where nothing can be written down at the moment."""
    return reader.gettext(
        "I cannot write anything down at the moment, so nothing has changed. Please try again in a "
        "while."
    )


def will_be_played(reader: Reader) -> str:
    """What a channel is told where a typed move cannot be written down at the moment."""
    return reader.gettext(
        "I cannot write anything down at the moment. Moves that are typed here are played as soon "
        "as I can."
    )


class Notice(StrEnum):
    """What a channel is told once, as the button under it says: words depend on the reader."""

    SET_BACK = "set-back"
    READ_IN_PART = "in-part"

    @property
    def button_id(self) -> str:
        """The id of the button: by it the bot knows its own notices again."""
        return f"dvonn:notice:{self}"


def set_back(reader: Reader) -> Post:
    """What a channel is told whose newest turns a restored backup does not know."""
    words = reader.gettext(
        "I was set back to a backup, and turns of this game that were made by buttons or commands "
        "since then are lost. /board shows where it stands; please go on from there."
    )
    return _notice(reader, Notice.SET_BACK, words)


def read_in_part(reader: Reader, most: int, age: timedelta) -> Post:
    """What a channel is told where more was written, unheard, than is read later."""
    words = reader.gettext(
        "I could not read along here, and have now read the newest {most} messages, of the last "
        "{days} days at most. If you typed a move before them, please type it again."
    ).format(most=most, days=age.days)
    return _notice(reader, Notice.READ_IN_PART, words)


def not_understood(reader: Reader) -> str:
    """The pointer for somebody who speaks to the bot in words that it does not know."""
    return reader.gettext(
        "I do not understand that. Moves are typed as d2 or d2-d4; /help shows the rest."
    )


def cannot_read(reader: Reader, bot: UserId) -> str:
    """The hint, once in a game, where the bot sees that somebody writes but not what."""
    return reader.gettext(
        "If that was a move: I cannot read plain messages here. Use the buttons under the board or "
        "/move, reply to the board with your move, or write it after {mention}."
    ).format(mention=user(bot))


def not_posted(reader: Reader, missing: tuple[str, ...]) -> str:
    """The word to a player whose move counts, but whose board cannot be posted now.

    Args:
        reader: That player.
        missing: The permissions that the bot lacks in the channel, as far as it knows.
    """
    if not missing:
        return reader.gettext(
            "Your move counts. I cannot post the board yet: it comes as soon as I can."
        )
    return reader.ngettext(
        "Your move counts, but I cannot post the board: I lack a permission here, {permissions}. "
        "It comes when somebody who manages the channel gives it to me.",
        "Your move counts, but I cannot post the board: I lack permissions here, {permissions}. "
        "It comes when somebody who manages the channel gives them to me.",
        len(missing),
    ).format(permissions=", ".join(map(reader.gettext, missing)))


def _notice(reader: Reader, what: Notice, words: str) -> Post:
    return Post(content=words, buttons=(Button(reader.gettext("Show the board"), what.button_id),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What there is to tell."""

    version: str
    heartbeat_ms: int | None
    """How long Discord took to answer the last heart beat."""
    heard_until: datetime | None
    """Until when everything said in this server was surely heard."""
    unsent: int
    """How many boards of this server wait to be posted."""
    reads_messages: bool
    has_machine: bool


def status(reader: Reader, now: Status) -> Post:
    """Whether all is well."""
    lines = [reader.gettext("I am DVONN bot {version}, and I am here.").format(version=now.version)]
    if now.heartbeat_ms is not None:
        lines.append(reader.gettext("Discord answers in {ms} ms.").format(ms=now.heartbeat_ms))
    if now.heard_until is not None:
        lines.append(
            reader.gettext("I last made sure that I hear everything {when}.").format(
                when=instant(now.heard_until, relative=True)
            )
        )
    lines.append(_waiting(reader, now.unsent))
    lines.append(
        reader.gettext("Moves can be typed into the channel.")
        if now.reads_messages
        else reader.gettext(
            "Moves come by buttons, /move, replies to a board, or after a mention of me."
        )
    )
    lines.append(
        reader.gettext("You can play against me: /play.")
        if now.has_machine
        else reader.gettext("The machine is switched off here.")
    )
    return Post(content="\n".join(f"- {line}" if n else line for n, line in enumerate(lines)))


def _waiting(reader: Reader, unsent: int) -> str:
    if not unsent:
        return reader.gettext("Every board of this server is posted.")
    return reader.ngettext(
        "{count} board of this server waits to be posted.",
        "{count} boards of this server wait to be posted.",
        unsent,
    ).format(count=unsent)

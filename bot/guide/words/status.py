"""The bot's status as text."""

from dataclasses import dataclass
from datetime import datetime

from bot.base.formats import and_list
from bot.base.languages import Reader
from bot.connection.posts import Post, timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The bot's status, as shown in /help."""

    version: str
    heartbeat_ms: int | None
    """Time that Discord took to answer the last heartbeat, or None before the first one."""
    received_until: datetime | None
    """Time up to which all messages in this server have been received, or None if unknown."""
    unsent: int
    """Number of this server's boards that are waiting to be posted."""
    reads_messages: bool
    """True if the bot reads typed messages in this channel."""
    lacking: tuple[str, ...] = ()
    """Permissions that the bot lacks to play in this channel."""
    has_machine: bool


def status(reader: Reader, state: Status) -> Post:
    lines = [reader.gettext("DVONN bot {version} is running.").format(version=state.version)]
    if state.heartbeat_ms is not None:
        lines.append(reader.gettext("Discord answers in {ms} ms.").format(ms=state.heartbeat_ms))
    if state.received_until is not None:
        lines.append(
            reader.gettext("I last heard from Discord {when}.").format(
                when=timestamp(state.received_until, relative=True)
            )
        )
    if state.unsent:
        lines.append(_waiting(reader, state.unsent))
    if state.lacking:
        words = reader.ngettext(
            "I need this permission here: {permissions}.",
            "I need these permissions here: {permissions}.",
            len(state.lacking),
        )
        permissions = and_list(reader, map(reader.gettext, state.lacking))
        lines.append(words.format(permissions=permissions))
    elif state.reads_messages:
        lines.append(reader.gettext("You can type moves into the channel."))
    else:
        lines.append(
            reader.gettext("Play with the buttons, with /move, or by replying to a board.")
        )
    lines.append(
        reader.gettext("You can play against me: /play.")
        if state.has_machine
        else reader.gettext("Games against me are switched off here. Challenge a person instead.")
    )
    return Post(content="\n".join(f"- {line}" if n else line for n, line in enumerate(lines)))


def _waiting(reader: Reader, unsent: int) -> str:
    return reader.ngettext(
        "{count} board waiting to be posted.",
        "{count} boards waiting to be posted.",
        unsent,
    ).format(count=unsent)

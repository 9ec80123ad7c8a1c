"""How the bot is, in words."""

from dataclasses import dataclass
from datetime import datetime

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.posts import Post, instant


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


def status(now: Status) -> Post:
    """Whether all is well."""
    lines = [_("I am DVONN bot {version}, and I am here.").format(version=now.version)]
    if now.heartbeat_ms is not None:
        lines.append(_("Discord answers in {ms} ms.").format(ms=now.heartbeat_ms))
    if now.heard_until is not None:
        lines.append(
            _("I last made sure that I hear everything {when}.").format(
                when=instant(now.heard_until, relative=True)
            )
        )
    lines.append(_waiting(now.unsent))
    lines.append(
        _("Moves can be typed into the channel.")
        if now.reads_messages
        else _("Moves come by buttons, /move, replies to a board, or after a mention of me.")
    )
    lines.append(
        _("You can play against me: /challenge, with a level.")
        if now.has_machine
        else _("The machine is switched off here.")
    )
    return Post(content="\n".join(f"- {line}" if n else line for n, line in enumerate(lines)))


def _waiting(unsent: int) -> str:
    if not unsent:
        return _("Every board of this server is posted.")
    return ngettext(
        "{count} board of this server waits to be posted.",
        "{count} boards of this server wait to be posted.",
        unsent,
    ).format(count=unsent)

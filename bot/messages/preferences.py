"""What a player has chosen for himself, in words, and what he can choose from."""

from collections.abc import Sequence
from itertools import chain, combinations

from bot.locales import gettext as _
from bot.messages.posts import Option, Post, Select, user
from bot.model.ids import UserId
from bot.model.preferences import Ahead, Preferences, QuietHours, RemindBy

_CLOCK_FACE = "%H:%M"


def preferences(chosen: Preferences, blocked: Sequence[UserId]) -> Post:
    """All that is chosen, and who is blocked, with lists to choose one's reminders anew."""
    lines = [
        _mentions(chosen),
        _automatic(chosen),
        _reminders(chosen),
        _quiet(chosen),
        _blocked(blocked),
    ]
    by = Select(_select_id("by"), _("How I remind you"), reminder_ways(chosen.remind_by))
    at = Select(_select_id("at"), _("When I remind you"), reminder_times(chosen.remind_at))
    return Post(
        content="\n".join(lines), selects=(by,) if chosen.remind_by is RemindBy.NONE else (by, at)
    )


def blocked(who: UserId) -> Post:
    """The private word to somebody who has blocked another."""
    return Post(
        content=_(
            "Blocked. {player} can't challenge you any more, and isn't told. Games you're playing "
            "go on. /preferences unblock undoes it."
        ).format(player=user(who))
    )


def unblocked(who: UserId) -> Post:
    """The private word to somebody who blocks another no more."""
    return Post(content=_("{player} can challenge you.").format(player=user(who)))


def reminder_ways(chosen: RemindBy | None = None) -> tuple[Option, ...]:
    """How somebody can be reminded."""
    labels = {
        RemindBy.CHANNEL: _("in the channel of the game"),
        RemindBy.DM: _("by direct message, or in the channel if that does not arrive"),
        RemindBy.NONE: _("not at all"),
    }
    return tuple(Option(labels[by], by, chosen=by is chosen) for by in RemindBy)


def reminder_times(chosen: frozenset[Ahead] | None = None) -> tuple[Option, ...]:
    """When somebody can be reminded: every choice of at least one level."""
    sizes = range(1, len(Ahead) + 1)
    some = chain.from_iterable(combinations(Ahead, size) for size in sizes)
    return tuple(
        Option(_levels(frozenset(levels)), " ".join(levels), chosen=frozenset(levels) == chosen)
        for levels in some
    )


def _select_id(what: str) -> str:
    return f"dvonn:preferences:{what}"


def _levels(levels: frozenset[Ahead]) -> str:
    """When reminders come: "with a day left, with an hour left"."""
    names = {
        Ahead.HALF: _("with half of your time left"),
        Ahead.DAY: _("with a day left"),
        Ahead.HOUR: _("with an hour left"),
    }
    return ", ".join(names[level] for level in Ahead if level in levels)


def _mentions(chosen: Preferences) -> str:
    if chosen.mentions:
        return _("**Turns**: a board pings you when it is your turn.")
    return _("**Turns**: a board names you when it is your turn, and does not ping you.")


def _automatic(chosen: Preferences) -> str:
    if chosen.automatic:
        return _("**Only moves**: I play a move for you when it is your only one.")
    return _("**Only moves**: you play a move yourself also when it is your only one.")


def _reminders(chosen: Preferences) -> str:
    levels = _levels(chosen.remind_at)
    match chosen.remind_by:
        case RemindBy.CHANNEL:
            return _("**Reminders**: in the channel of the game, {levels}.").format(levels=levels)
        case RemindBy.DM:
            return _(
                "**Reminders**: by direct message, {levels}. If one does not arrive, I remind you "
                "in the channel."
            ).format(levels=levels)
        case RemindBy.NONE:
            return _("**Reminders**: none. Your time runs out all the same.")


def _quiet(chosen: Preferences) -> str:
    if chosen.quiet is None:
        return _("**Quiet hours**: none. Your time zone: {zone}.").format(zone=chosen.zone)
    return _(
        "**Quiet hours**: {hours} in your time zone, {zone}. Reminders wait for their end, or come "
        "before they begin if your time would be up."
    ).format(hours=_hours(chosen.quiet), zone=chosen.zone)


def _blocked(players: Sequence[UserId]) -> str:
    if not players:
        return _("**Blocked**: nobody. /preferences block stops someone's challenges.")
    return _("**Blocked**: {players}.").format(players=", ".join(map(user, players)))


def _hours(quiet: QuietHours) -> str:
    return _("{begins} to {ends}").format(
        begins=quiet.begins.strftime(_CLOCK_FACE), ends=quiet.ends.strftime(_CLOCK_FACE)
    )

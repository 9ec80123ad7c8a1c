"""What players have chosen for themselves, and moderators for their server, in words."""

from collections.abc import Sequence
from itertools import chain, combinations

from bot.locales import Reader
from bot.messages.posts import Option, Post, Select, channel, fit, user
from bot.model.ids import ChannelId, UserId
from bot.model.preferences import Ahead, Preferences, QuietHours, RemindBy
from bot.model.terms import GuildRules, PlacementBoards

_CLOCK_FACE = "%H:%M"


def preferences(reader: Reader, chosen: Preferences, blocked: Sequence[UserId]) -> Post:
    """All that is chosen, and who is blocked, with lists to choose one's reminders anew."""
    lines = [
        _mentions(reader, chosen),
        _automatic(reader, chosen),
        _reminders(reader, chosen),
        _quiet(reader, chosen),
        _blocked(reader, blocked),
    ]
    by = Select(
        _select_id("by"),
        reader.gettext("How I remind you"),
        reminder_ways(reader, chosen.remind_by),
    )
    at = Select(
        _select_id("at"),
        reader.gettext("When I remind you"),
        reminder_times(reader, chosen.remind_at),
    )
    return Post(
        content="\n".join(lines), selects=(by,) if chosen.remind_by is RemindBy.NONE else (by, at)
    )


def blocked(reader: Reader, who: UserId) -> Post:
    """The private word to somebody who has blocked another."""
    return Post(
        content=reader.gettext(
            "Blocked. {player} can't challenge you any more, and isn't told. Games you're playing "
            "go on. /settings unblock undoes it."
        ).format(player=user(who))
    )


def unblocked(reader: Reader, who: UserId) -> Post:
    """The private word to somebody who blocks another no more."""
    return Post(content=reader.gettext("{player} can challenge you.").format(player=user(who)))


def reminder_ways(reader: Reader, chosen: RemindBy | None = None) -> tuple[Option, ...]:
    """How somebody can be reminded."""
    labels = {
        RemindBy.CHANNEL: reader.gettext("in the channel of the game"),
        RemindBy.DM: reader.gettext("by direct message, or in the channel if that does not arrive"),
        RemindBy.NONE: reader.gettext("not at all"),
    }
    return tuple(Option(labels[by], by, chosen=by is chosen) for by in RemindBy)


def reminder_times(reader: Reader, chosen: frozenset[Ahead] | None = None) -> tuple[Option, ...]:
    """When somebody can be reminded: every choice of at least one level."""
    sizes = range(1, len(Ahead) + 1)
    some = chain.from_iterable(combinations(Ahead, size) for size in sizes)
    return tuple(
        Option(
            _levels(reader, frozenset(levels)), " ".join(levels), chosen=frozenset(levels) == chosen
        )
        for levels in some
    )


def _select_id(what: str) -> str:
    return f"dvonn:preferences:{what}"


def _levels(reader: Reader, levels: frozenset[Ahead]) -> str:
    """When reminders come: "with a day left, with an hour left"."""
    names = {
        Ahead.HALF: reader.gettext("with half of your time left"),
        Ahead.DAY: reader.gettext("with a day left"),
        Ahead.HOUR: reader.gettext("with an hour left"),
    }
    return ", ".join(names[level] for level in Ahead if level in levels)


def _mentions(reader: Reader, chosen: Preferences) -> str:
    if chosen.mentions:
        return reader.gettext("**Turns**: a board pings you when it is your turn.")
    return reader.gettext(
        "**Turns**: a board names you when it is your turn, and does not ping you."
    )


def _automatic(reader: Reader, chosen: Preferences) -> str:
    if chosen.automatic:
        return reader.gettext("**Only moves**: I play a move for you when it is your only one.")
    return reader.gettext("**Only moves**: you play a move yourself also when it is your only one.")


def _reminders(reader: Reader, chosen: Preferences) -> str:
    levels = _levels(reader, chosen.remind_at)
    match chosen.remind_by:
        case RemindBy.CHANNEL:
            return reader.gettext("**Reminders**: in the channel of the game, {levels}.").format(
                levels=levels
            )
        case RemindBy.DM:
            return reader.gettext(
                "**Reminders**: by direct message, {levels}. If one does not arrive, I remind you "
                "in the channel."
            ).format(levels=levels)
        case RemindBy.NONE:
            return reader.gettext("**Reminders**: none. Your time runs out all the same.")


def _quiet(reader: Reader, chosen: Preferences) -> str:
    if chosen.quiet is None:
        return reader.gettext("**Quiet hours**: none. Your time zone: {zone}.").format(
            zone=chosen.zone
        )
    return reader.gettext(
        "**Quiet hours**: {hours} in your time zone, {zone}. Reminders wait for their end, or come "
        "before they begin if your time would be up."
    ).format(hours=_hours(reader, chosen.quiet), zone=chosen.zone)


def _blocked(reader: Reader, players: Sequence[UserId]) -> str:
    if not players:
        return reader.gettext("**Blocked**: nobody. /settings block stops someone's challenges.")
    return reader.gettext("**Blocked**: {players}.").format(players=", ".join(map(user, players)))


def _hours(reader: Reader, quiet: QuietHours) -> str:
    return reader.gettext("{begins} to {ends}").format(
        begins=quiet.begins.strftime(_CLOCK_FACE), ends=quiet.ends.strftime(_CLOCK_FACE)
    )


def settings(reader: Reader, rules: GuildRules) -> Post:
    """All that is chosen."""
    return Post(content=fit(reader, _lines(reader, rules)))


def forbidden(reader: Reader, rules: GuildRules, where: ChannelId) -> Post:
    """All that is chosen, after a channel was taken off the list."""
    if rules.channels:
        return settings(reader, rules)
    # The last name has gone, or there was none: nothing is forbidden by that.
    sentence = reader.gettext(
        "To keep games out of {channel}, name the channels where they may be started: /setup allow."
    ).format(channel=channel(where))
    return Post(content=fit(reader, [sentence, *_lines(reader, rules)]))


def _lines(reader: Reader, rules: GuildRules) -> list[str]:
    return [_games(reader, rules), _boards(reader, rules), *_channels(reader, rules)]


def _channels(reader: Reader, rules: GuildRules) -> list[str]:
    if not rules.channels:
        return [reader.gettext("Games may be started in any channel.")]
    return [
        reader.gettext("Games may be started only in these channels and their threads:"),
        *(f"- {channel(where)}" for where in sorted(rules.channels)),
    ]


def _games(reader: Reader, rules: GuildRules) -> str:
    return reader.ngettext(
        "Each person may be playing {count} game at once.",
        "Each person may be playing {count} games at once.",
        rules.games_per_person,
    ).format(count=rules.games_per_person)


def _boards(reader: Reader, rules: GuildRules) -> str:
    if rules.placement_boards is PlacementBoards.EDIT:
        return reader.gettext(
            "While pieces are placed, the last board is edited if nobody has written since."
        )
    return reader.gettext("Each turn posts a new board.")

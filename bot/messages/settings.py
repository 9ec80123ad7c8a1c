"""What players have chosen for themselves, and moderators for their server, in words."""

from collections.abc import Sequence
from itertools import chain, combinations

from bot.locales import Reader
from bot.messages.dailies import daily_chosen
from bot.messages.durations import control
from bot.messages.posts import Option, Post, Select, channel, fit, user
from bot.model.ids import ChannelId, UserId
from bot.model.preferences import Ahead, Preferences, QuietHours, RemindBy
from bot.model.solving import DailySetting
from bot.model.terms import Defaults, GuildRules, Place, PlacementBoards, Start
from dvonn import Coordinates

_CLOCK_FACE = "%H:%M"


def preferences(reader: Reader, chosen: Preferences, blocked: Sequence[UserId]) -> Post:
    """All that is chosen, and who is blocked, with lists to choose one's reminders anew."""
    lines = [
        _mentions(reader, chosen),
        _automatic(reader, chosen),
        *_no_reviews(reader, chosen),
        _puzzles(reader, chosen),
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
            "Blocked. {player} can't challenge you any more, and isn't told. Your running games "
            "go on. Undo it with /settings unblock."
        ).format(player=user(who))
    )


def unblocked(reader: Reader, who: UserId) -> Post:
    """The private word to somebody who blocks another no more."""
    return Post(
        content=reader.gettext("{player} can challenge you again.").format(player=user(who))
    )


def reminder_ways(reader: Reader, chosen: RemindBy | None = None) -> tuple[Option, ...]:
    """How somebody can be reminded."""
    labels = {
        RemindBy.CHANNEL: reader.gettext("in the game's channel"),
        RemindBy.DM: reader.gettext("by direct message, or in the channel if that fails"),
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
    """When reminders come: "1 day before, 1 hour before"."""
    names = {
        Ahead.HALF: reader.gettext("at half of your time"),
        Ahead.DAY: reader.gettext("1 day before"),
        Ahead.HOUR: reader.gettext("1 hour before"),
    }
    return ", ".join(names[level] for level in Ahead if level in levels)


def _mentions(reader: Reader, chosen: Preferences) -> str:
    if chosen.mentions:
        return reader.gettext("**Turns**: I ping you when it's your turn.")
    return reader.gettext("**Turns**: boards name you without pinging.")


def _automatic(reader: Reader, chosen: Preferences) -> str:
    if chosen.automatic:
        return reader.gettext("**Forced moves**: I play a move when it's your only one.")
    return reader.gettext("**Forced moves**: you play them yourself.")


def _no_reviews(reader: Reader, chosen: Preferences) -> list[str]:
    if chosen.reviews:
        return []
    return [reader.gettext("**Reviews**: off. Your games aren't reviewed.")]


def _puzzles(reader: Reader, chosen: Preferences) -> str:
    if chosen.puzzles:
        return reader.gettext(
            "**Puzzles**: your games may become puzzles for their server, without names, if the "
            "other player allows it, too."
        )
    return reader.gettext("**Puzzles**: your games don't become puzzles. /settings puzzles")


def _reminders(reader: Reader, chosen: Preferences) -> str:
    levels = _levels(reader, chosen.remind_at)
    match chosen.remind_by:
        case RemindBy.CHANNEL:
            return reader.gettext("**Reminders**: in the game's channel, {levels}.").format(
                levels=levels
            )
        case RemindBy.DM:
            return reader.gettext(
                "**Reminders**: by direct message, {levels}. If that fails, I remind you in the "
                "channel."
            ).format(levels=levels)
        case RemindBy.NONE:
            return reader.gettext("**Reminders**: none. Your time still runs.")


def _quiet(reader: Reader, chosen: Preferences) -> str:
    if chosen.quiet is None:
        return reader.gettext("**Quiet hours**: none. Your time zone: {zone}.").format(
            zone=chosen.zone
        )
    return reader.gettext(
        "**Quiet hours**: no sound and no reminders from {hours} ({zone}). If your time ends in "
        "between, I remind you before."
    ).format(hours=_hours(reader, chosen.quiet), zone=chosen.zone)


def _blocked(reader: Reader, players: Sequence[UserId]) -> str:
    if not players:
        return reader.gettext("**Blocked**: nobody. /settings block stops someone's challenges.")
    return reader.gettext("**Blocked**: {players}.").format(players=", ".join(map(user, players)))


def _hours(reader: Reader, quiet: QuietHours) -> str:
    return reader.gettext("{begins} to {ends}").format(
        begins=quiet.begins.strftime(_CLOCK_FACE), ends=quiet.ends.strftime(_CLOCK_FACE)
    )


def settings(
    reader: Reader,
    rules: GuildRules,
    daily: DailySetting | None,
    *,
    forbidden: ChannelId | None = None,
) -> Post:
    """All that is chosen.

    Args:
        reader: Who reads it.
        rules: How games are played.
        daily: Where the puzzle of the day is posted; None where it is not.
        forbidden: The channel that was just taken off the list.
    """
    lines = [
        f"{_defaults(reader, rules.defaults)} (/setup defaults)",
        f"{_games(reader, rules)} (/setup limit)",
        f"{_boards(reader, rules)} (/setup boards)",
        *([] if rules.reviews else [f"{_no_review(reader)} (/setup reviews)"]),
        f"{daily_chosen(reader, daily).content} (/setup puzzle)",
        *_channels(reader, rules),
    ]
    if forbidden is not None and not rules.channels:
        # The last name has gone, or there was none: nothing is forbidden by that.
        sentence = reader.gettext(
            "To block {channel}, list the channels where games are allowed, with /setup allow."
        )
        lines.insert(0, sentence.format(channel=channel(forbidden)))
    return Post(content=fit(reader, lines))


def _no_review(reader: Reader) -> str:
    return reader.gettext("Games aren't reviewed.")


def _channels(reader: Reader, rules: GuildRules) -> list[str]:
    if not rules.channels:
        everywhere = reader.gettext("Games are allowed in every channel.")
        return [f"{everywhere} (/setup allow)"]
    return [
        reader.gettext("Games are allowed only in these channels and their threads:"),
        *(f"- {channel(where)}" for where in sorted(rules.channels)),
    ]


def _games(reader: Reader, rules: GuildRules) -> str:
    return reader.ngettext(
        "Up to {count} game per person at once.",
        "Up to {count} games per person at once.",
        rules.games_per_person,
    ).format(count=rules.games_per_person)


def _boards(reader: Reader, rules: GuildRules) -> str:
    if rules.placement_boards is PlacementBoards.EDIT:
        return reader.gettext(
            "Placement boards are edited in place (no ping) while nobody else writes."
        )
    return reader.gettext("While pieces are placed, each new board replaces the one before.")


def _defaults(reader: Reader, defaults: Defaults) -> str:
    """How games are where nobody says otherwise: "Usual game: balanced board, no clock, here."."""
    starts = {
        Start.PLACEMENT: reader.gettext("empty board"),
        Start.BALANCED: reader.gettext("balanced board"),
        Start.SYMMETRIC: reader.gettext("symmetric board"),
        Start.PIE: reader.gettext("pie"),
    }
    parts = [starts[defaults.start], control(reader, defaults.clock)]
    if defaults.coordinates is Coordinates.PERGIOCO:
        parts.append(reader.gettext("pergioco coordinates"))
    if defaults.place is Place.THREAD:
        parts.append(reader.gettext("in its own thread"))
    return reader.gettext("Usual game: {parts}.").format(parts=", ".join(parts))

"""What one person reads of tournaments: what their command has done, what they can choose."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.locales import Reader
from bot.messages.formats import amount, duration, together
from bot.messages.posts import OPTION_LIMIT, Option, Post, instant
from bot.messages.tournament_terms import beginning, how_far, played_otherwise, player, title
from bot.model.ids import UserId
from bot.model.tournaments import PairingResult, Tournament, TournamentFormat, TournamentState

_SOON: Final = ((30, "minute"), (1, "hour"), (2, "hour"), (1, "day"), (7, "day"))
"""After how long tournaments begin, as is suggested."""
_ROUND_TIMES: Final = ((1, "hour"), (1, "day"), (3, "day"), (7, "day"), (14, "day"))
_LENGTHS: Final = ((30, "minute"), (1, "hour"), (2, "hour"), (7, "day"), (30, "day"))


def tournament_made(
    reader: Reader,
    tournament: Tournament,
    missing: str | None = None,
    unused: Sequence[str] = (),
) -> Post:
    """The word to whoever has made a tournament: it is announced by itself.

    Args:
        reader: Who has made it.
        tournament: What was made.
        missing: The permission that I lack to put its start among the server's events; None where
            nothing is lacking.
        unused: The options that they have given and that mean nothing in its format.
    """
    lines = [reader.gettext("I'm announcing {title} here.").format(title=title(tournament))]
    if tournament.terms.begins_at is None:
        lines.append(reader.gettext("When everybody is in, /tournament start begins it."))
    if unused:
        sentence = reader.gettext("Not used in this format: {options}.")
        options = together(reader, (f"`{reader.pgettext('option', name)}`" for name in unused))
        lines.append(sentence.format(options=options))
    if missing is not None:
        sentence = reader.gettext(
            "I can't add it to this server's events: I don't have the permission {permission}."
        )
        lines.append(sentence.format(permission=missing))
    return Post(content="\n".join(lines))


def tournament_joined(reader: Reader, tournament: Tournament) -> Post:
    """The word to whoever has joined by a command."""
    lines = [reader.gettext("You're in {title}.").format(title=title(tournament))]
    if tournament.state is TournamentState.OPEN:
        lines.append(beginning(reader, tournament))
    elif tournament.terms.format is TournamentFormat.LADDER:
        words = reader.gettext("Your rated games with others of the ladder count from now on.")
        lines.append(words)
    elif tournament.state is not TournamentState.RUNNING:
        pass
    elif tournament.terms.format is TournamentFormat.ARENA:
        lines.append(reader.gettext("You'll play as soon as somebody is free."))
    else:
        lines.append(reader.gettext("You'll play from the next round on."))
    return Post(content=" ".join(lines))


def tournament_left(reader: Reader, tournament: Tournament, who: UserId | None = None) -> Post:
    """The word to whoever has left, or has taken somebody else out."""
    if who is not None:
        sentence = reader.gettext("{player} is out of {title}.")
        words = sentence.format(player=player(reader, who), title=title(tournament))
        return Post(content=words)
    lines = [reader.gettext("You've left {title}.").format(title=title(tournament))]
    if tournament.state is TournamentState.RUNNING:
        lines.append(reader.gettext("If you're in a game of it, that still counts."))
    return Post(content=" ".join(lines))


def tournament_begun(reader: Reader, tournament: Tournament) -> Post:
    """The word to the organiser who has begun a tournament, or its check-in."""
    if tournament.state is TournamentState.CHECK_IN:
        sentence = reader.gettext(
            "Games are live, so I'm asking who is here. {title} starts {far}; to start now, give "
            "the command again."
        )
        moment = tournament.terms.begins_at
        far = "" if moment is None else instant(moment, relative=True)
        return Post(content=sentence.format(title=title(tournament), far=far))
    lines = [reader.gettext("{title} begins.").format(title=title(tournament))]
    return Post(content=" ".join([*lines, *played_otherwise(reader, tournament)]))


def tournament_called_off(reader: Reader, tournament: Tournament) -> Post:
    """The word to the organiser who has cancelled one."""
    return Post(content=reader.gettext("{title} is cancelled.").format(title=title(tournament)))


def tournament_set_right(reader: Reader, tournament: Tournament) -> Post:
    """The word to the organiser who has corrected a result."""
    sentence = reader.gettext("Corrected in {title}; I'm telling the channel, with your note.")
    return Post(content=sentence.format(title=title(tournament)))


def tournament_choices(
    reader: Reader, tournaments: Sequence[Tournament], typed: str
) -> Iterator[Option]:
    """Tournaments to choose from, those whose name has what was typed."""
    for one in tournaments:
        if typed.strip().casefold() in one.terms.name.casefold():
            label = reader.gettext("{text}: {meaning}").format(
                text=one.terms.name, meaning=how_far(reader, one)
            )
            yield Option(label=label[:OPTION_LIMIT], value=str(one.id))


def beginning_choices(reader: Reader, typed: str, read: datetime | None) -> Iterator[Option]:
    """When a tournament may begin.

    Args:
        reader: Who chooses.
        typed: What they have typed.
        read: When that is; None where it cannot be read.
    """
    if typed.strip() and read is not None:
        yield Option(label=typed.strip()[:OPTION_LIMIT], value=typed.strip()[:OPTION_LIMIT])
    for count, unit in _SOON:
        label = reader.gettext("in {time}").format(time=amount(reader, count, unit))
        yield from _offered(label, f"in {count} {unit}", typed)


def round_time_choices(reader: Reader, typed: str, read: timedelta | None) -> Iterator[Option]:
    """How long a round may take."""
    return _spans(reader, typed, read, _ROUND_TIMES)


def length_choices(reader: Reader, typed: str, read: timedelta | None) -> Iterator[Option]:
    """How long an arena or a ladder may go on."""
    return _spans(reader, typed, read, _LENGTHS)


def result_name(reader: Reader, result: PairingResult) -> str:
    """What an organiser may set a result to."""
    return {
        PairingResult.WHITE: reader.gettext("1–0: White has won"),
        PairingResult.BLACK: reader.gettext("0–1: Black has won"),
        PairingResult.DRAW: reader.gettext("½–½: a draw"),
        PairingResult.NEITHER: reader.gettext("0–0: nobody gets anything"),
    }[result]


def _spans(
    reader: Reader, typed: str, read: timedelta | None, usual: Sequence[tuple[int, str]]
) -> Iterator[Option]:
    if typed.strip() and read is not None:
        yield Option(label=duration(reader, read), value=typed.strip()[:OPTION_LIMIT])
    for count, unit in usual:
        yield from _offered(amount(reader, count, unit), f"{count} {unit}", typed)


def _offered(label: str, value: str, typed: str) -> Iterator[Option]:
    asked = typed.strip().casefold()
    if asked != value and (asked in value or asked in label.casefold()):
        yield Option(label=label[:OPTION_LIMIT], value=value)

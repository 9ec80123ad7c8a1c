"""The reasons why something cannot be done with a tournament, and what can."""

from datetime import timedelta
from typing import Final, assert_never, get_args

from bot.base.formats import duration, either, number_text
from bot.base.locales import Reader
from bot.connection.posts import escaped, user
from bot.features.tournaments.refusals import (
    AlreadyIn,
    BadBeginning,
    BadLength,
    BadTerms,
    CannotCorrect,
    CorrectionProblem,
    NotIn,
    NotOpen,
    NotOpenProblem,
    NoTournament,
    OrganisersOnly,
    TermsProblem,
    TooFewPlayers,
    TooLateToAnswer,
    TooLateToJoin,
    TooManyTournaments,
    TournamentFull,
    TournamentGone,
    WhichTournament,
)
from bot.features.tournaments.words.answers import beginning_examples, length_examples

Refused = (
    AlreadyIn
    | BadBeginning
    | BadLength
    | BadTerms
    | CannotCorrect
    | NoTournament
    | NotIn
    | NotOpen
    | OrganisersOnly
    | TooFewPlayers
    | TooLateToAnswer
    | TooLateToJoin
    | TooManyTournaments
    | TournamentFull
    | TournamentGone
    | WhichTournament
)


def refused_tournament(reader: Reader, error: Refused) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each type
    """Explain the refusal, and what would be possible."""
    match error:
        case NoTournament():
            return reader.gettext("There's no tournament here. /tournament create makes one.")
        case WhichTournament():
            return reader.gettext("There are several: {names}. Say which one.").format(
                names=either(reader, [f"**{escaped(name)}**" for name in error.names])
            )
        case TournamentGone():
            return reader.gettext("There's no such tournament, or not any more.")
        case NotOpen():
            return _not_open(reader, error)
        case AlreadyIn():
            return reader.gettext("You're already in.")
        case NotIn():
            if error.who is None:
                return reader.gettext("You're not in this tournament.")
            return reader.gettext("{player} isn't in this tournament.").format(
                player=user(error.who)
            )
        case TooLateToJoin():
            return reader.gettext("It's too late to join this tournament.")
        case TooLateToAnswer():
            return reader.gettext("Too late: that game is decided.")
        case TournamentFull():
            return reader.ngettext(
                "This tournament is full: {count} player has joined.",
                "This tournament is full: {count} players have joined.",
                error.most,
            ).format(count=error.most)
        case OrganisersOnly():
            return reader.gettext(
                "That's for the organiser, or for whoever may manage the server's events. /setup "
                "tournaments lets a role make tournaments, too."
            )
        case TooFewPlayers():
            return reader.ngettext(
                "It takes at least {count} player.",
                "It takes at least {count} players.",
                error.least,
            ).format(count=error.least)
        case TooManyTournaments():
            return reader.ngettext(
                "This server has {count} tournament already. Finish or cancel one first.",
                "This server has {count} tournaments already. Finish or cancel one first.",
                error.most,
            ).format(count=error.most)
        case BadBeginning():
            return _unclear_beginning(reader, error)
        case BadLength():
            return _unclear_length(reader, error)
        case BadTerms():
            return _bad_terms(reader, error)
        case CannotCorrect():
            return _cannot_correct(reader, error)
        case _:
            assert_never(error)


def _unclear_beginning(reader: Reader, error: BadBeginning) -> str:
    if error.meant is not None:
        sentence = reader.gettext("I didn't understand when it begins. Did you mean {meant}?")
        return sentence.format(meant=f"**{escaped(error.meant)}**")
    sentence = reader.gettext("I didn't understand when it begins. Try {examples}.")
    return sentence.format(examples=beginning_examples(reader))


def _unclear_length(reader: Reader, error: BadLength) -> str:
    meant = length_examples(reader, error.text)
    if meant is None:
        return reader.gettext("I didn't understand how long. Try 2 hours, 3 days, or 1 week.")
    return reader.gettext("Do you mean {examples}?").format(examples=meant)


def _not_open(reader: Reader, error: NotOpen) -> str:
    match error.problem:
        case NotOpenProblem.NOT_BEGUN:
            return reader.gettext("This tournament hasn't begun yet.")
        case NotOpenProblem.BEGUN:
            return reader.gettext("This tournament has already begun.")
        case NotOpenProblem.OVER:
            return reader.gettext("This tournament is over.")
        case _:
            assert_never(error.problem)


def _bad_terms(reader: Reader, error: BadTerms) -> str:
    limits = {"least": _limit(reader, error.least), "most": _limit(reader, error.most)}
    match error.problem:
        case TermsProblem.NAME:
            sentence = reader.gettext("Give it a name of at most {most} characters.")
        case TermsProblem.ARENA_NOT_LIVE:
            sentence = reader.gettext("An arena needs a live clock, such as 10+5.")
        case TermsProblem.LENGTH:
            sentence = reader.gettext("It can go on for {least} to {most}.")
        case TermsProblem.IN_THE_PAST:
            sentence = reader.gettext("That time has passed.")
        case TermsProblem.TOO_FAR:
            sentence = reader.gettext("It can start at most {most} from now.")
        case TermsProblem.ROUNDS:
            sentence = reader.gettext("It can have {least} to {most} rounds.")
        case TermsProblem.ROUND_TIME:
            sentence = reader.gettext("A round can take {least} to {most}.")
        case TermsProblem.NEEDS_TIME:
            sentence = reader.gettext(
                "Games without a clock may never end: choose a clock, or how long a round takes."
            )
        case TermsProblem.LEVEL:
            sentence = reader.gettext("I can't play here. Leave the level out.")
        case _:
            assert_never(error.problem)
    return sentence.format(**limits)


def _limit(reader: Reader, limit: timedelta | int | None) -> str:
    if limit is None:
        return ""
    return number_text(reader, limit) if isinstance(limit, int) else duration(reader, limit)


def _cannot_correct(reader: Reader, error: CannotCorrect) -> str:
    match error.problem:
        case CorrectionProblem.NO_PAIRING:
            return reader.gettext("There's no such board in that round.")
        case CorrectionProblem.BYE:
            return reader.gettext("Nobody plays there: it's a bye.")
        case CorrectionProblem.NEEDS_WINNER:
            return reader.gettext("In a knockout somebody has to go on.")
        case CorrectionProblem.TOO_LATE:
            return reader.gettext("Too late: the next game is well under way.")
        case CorrectionProblem.NOTE:
            return reader.gettext("Write a note of at most {count} characters.").format(
                count=error.most
            )
        case _:
            assert_never(error.problem)


REFUSALS: Final = dict.fromkeys(get_args(Refused), refused_tournament)
"""The refusals around tournaments, with their words."""

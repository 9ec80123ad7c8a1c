"""Texts of tournament refusals, with alternatives."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final, assert_never

from bot.base.errors import PlayError
from bot.base.formats import duration, number_text, or_list
from bot.base.languages import Reader
from bot.connection.posts import escaped, user
from bot.play.words.refusals import Words
from club.tournaments import refusals
from club.tournaments.refusals import CorrectionProblem, NotOpenProblem, TermsProblem
from club.tournaments.words.answers import beginning_examples, length_examples


def _unclear_beginning(reader: Reader, _error: refusals.BadBeginning) -> str:
    sentence = reader.gettext("I didn't understand when it begins. Try {examples}.")
    return sentence.format(examples=beginning_examples(reader))


def _unclear_length(reader: Reader, error: refusals.BadLength) -> str:
    examples = length_examples(reader, error.text)
    if examples is None:
        return reader.gettext("I didn't understand how long. Try 2 hours, 3 days, or 1 week.")
    return reader.gettext("Do you mean {examples}?").format(examples=examples)


def _not_open(reader: Reader, error: refusals.NotOpen) -> str:
    match error.problem:
        case NotOpenProblem.NOT_BEGUN:
            return reader.gettext("This tournament hasn't begun yet.")
        case NotOpenProblem.BEGUN:
            return reader.gettext("This tournament has already begun.")
        case NotOpenProblem.OVER:
            return reader.gettext("This tournament is over.")
        case _:
            assert_never(error.problem)


def _bad_terms(  # noqa: C901, PLR0912 - a sentence for each
    reader: Reader, error: refusals.BadTerms
) -> str:
    limits = {"least": _limit(reader, error.least), "most": _limit(reader, error.most)}
    match error.problem:
        case TermsProblem.NAME:
            sentence = reader.gettext("Give it a name of at most {most} characters.")
        case TermsProblem.LENGTH:
            sentence = reader.gettext("It can last {least} to {most}.")
        case TermsProblem.IN_THE_PAST:
            sentence = reader.gettext("That time has passed. Pick a later one.")
        case TermsProblem.TOO_FAR:
            sentence = reader.gettext("It has to start within {most}.")
        case TermsProblem.ROUNDS:
            sentence = reader.gettext("It can have {least} to {most} rounds.")
        case TermsProblem.ROUND_TIME:
            sentence = reader.gettext("A round can take {least} to {most}.")
        case TermsProblem.NEEDS_TIME:
            sentence = reader.gettext(
                "Without a clock, games may never end. Choose a clock, or how long a round takes."
            )
        case TermsProblem.SWISS:
            sentence = reader.gettext(
                "I can't pair Swiss rounds here, as my host hasn't installed that. Choose round "
                "robin."
            )
        case TermsProblem.LIVE:
            sentence = reader.gettext(
                "A league goes on for weeks. Choose a slower clock, such as 1 day per move."
            )
        case TermsProblem.DIVISION_SIZE:
            sentence = reader.gettext("A division has {least} to {most} players.")
        case TermsProblem.STOP:
            sentence = reader.gettext("You can pause the clocks for {least} to {most} days.")
        case TermsProblem.EXTENSION:
            sentence = reader.gettext("You can give a game {least} to {most} more days.")
        case _:
            assert_never(error.problem)
    return sentence.format(**limits)


def _limit(reader: Reader, limit: timedelta | int | None) -> str:
    if limit is None:
        return ""
    return number_text(reader, limit) if isinstance(limit, int) else duration(reader, limit)


def _cannot_correct(reader: Reader, error: refusals.CannotCorrect) -> str:
    match error.problem:
        case CorrectionProblem.NO_PAIRING:
            return reader.gettext("That round has no board with that number.")
        case CorrectionProblem.BYE:
            return reader.gettext("That's a bye, so there's no game to correct.")
        case CorrectionProblem.NEEDS_WINNER:
            return reader.gettext("A knockout game needs a winner. Choose 1–0 or 0–1.")
        case CorrectionProblem.TOO_LATE:
            return reader.gettext("Too late: the next game is over.")
        case CorrectionProblem.NOTE:
            return reader.gettext("Write a note of at most {count} characters.").format(
                count=error.most
            )
        case _:
            assert_never(error.problem)


def _cannot_give_role(reader: Reader, error: refusals.CannotGiveRole) -> str:
    sentence = reader.gettext(
        "I can't give {role}. Give me the permission {permission}, and move my role above it."
    )
    permission = reader.gettext("Manage Roles")
    return sentence.format(role=f"<@&{error.role}>", permission=permission)


def _already_in(reader: Reader, error: refusals.AlreadyIn) -> str:
    if error.who is None:
        return reader.gettext("You're already in.")
    return reader.gettext("{player} is already in.").format(player=user(error.who))


def _not_in(reader: Reader, error: refusals.NotIn) -> str:
    if error.who is None:
        return reader.gettext("You're not in this tournament.")
    return reader.gettext("{player} isn't in this tournament.").format(player=user(error.who))


def _several(reader: Reader, error: refusals.WhichTournament) -> str:
    names = or_list(reader, [f"**{escaped(name)}**" for name in error.names])
    return reader.gettext("There are several: {names}. Say which one.").format(names=names)


def _full(reader: Reader, error: refusals.TournamentFull) -> str:
    return reader.ngettext(
        "This tournament is full: {count} player has joined.",
        "This tournament is full: {count} players have joined.",
        error.most,
    ).format(count=error.most)


def _too_few(reader: Reader, error: refusals.TooFewPlayers) -> str:
    return reader.ngettext(
        "It takes at least {count} player.", "It takes at least {count} players.", error.least
    ).format(count=error.least)


def _too_many(reader: Reader, error: refusals.TooManyTournaments) -> str:
    return reader.ngettext(
        "This server has {count} tournament already. Finish or cancel one first.",
        "This server has {count} tournaments already. Finish or cancel one first.",
        error.most,
    ).format(count=error.most)


REFUSALS: Final[Mapping[type[PlayError], Words]] = {
    refusals.AlreadyIn: _already_in,
    refusals.BadBeginning: _unclear_beginning,
    refusals.BadLength: _unclear_length,
    refusals.BadTerms: _bad_terms,
    refusals.CannotCorrect: _cannot_correct,
    refusals.CannotGiveRole: _cannot_give_role,
    refusals.FieldEmpty: lambda reader, _: reader.gettext("Fill in every field, please."),
    refusals.MayNotCreate: lambda reader, _: reader.gettext(
        "You can't make tournaments here yet. Ask someone who may manage events: they can make "
        "one, or let your role do it with /setup tournaments."
    ),
    refusals.NoTournament: lambda reader, _: reader.gettext(
        "There's no tournament here. /tournament create makes one."
    ),
    refusals.NotIn: _not_in,
    refusals.NotOpen: _not_open,
    refusals.NoTimeLimit: lambda reader, _: reader.gettext(
        "Its rounds have no time limit, so only the clocks decide. *Stop clocks* in /tournament "
        "show pauses them."
    ),
    refusals.NotStopped: lambda reader, _: reader.gettext("The clocks of this tournament run."),
    refusals.OrganizersOnly: lambda reader, _: reader.gettext(
        "Only the organiser can do that, or someone who may manage events."
    ),
    refusals.TooFewPlayers: _too_few,
    refusals.TooLateToAnswer: lambda reader, _: reader.gettext("Too late: that game is decided."),
    refusals.TooLateToJoin: lambda reader, _: reader.gettext(
        "It's too late to join this tournament."
    ),
    refusals.TooManyTournaments: _too_many,
    refusals.TournamentFull: _full,
    refusals.TournamentGone: lambda reader, _: reader.gettext(
        "I can't find that tournament. It may be gone."
    ),
    refusals.WhichTournament: _several,
}

"""Texts for refusals about tournaments, with alternatives."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from bot.base.errors import PlayError
from bot.base.formats import duration, number_text
from bot.base.languages import Reader
from bot.connection.posts import user
from bot.play.words.refusals import Words
from club.tournaments import refusals
from club.tournaments.refusals import Problem, TermsProblem


def _bad_terms(reader: Reader, error: refusals.BadTerms) -> str:
    sentences = {
        TermsProblem.NAME: reader.gettext("Give it a name of at most {most} characters."),
        TermsProblem.LENGTH: reader.gettext("It can last {least} to {most}."),
        TermsProblem.IN_THE_PAST: reader.gettext("That time has passed. Pick a later one."),
        TermsProblem.TOO_FAR: reader.gettext("It has to start within {most}."),
        TermsProblem.ROUNDS: reader.gettext("It can have {least} to {most} rounds."),
        TermsProblem.ROUND_TIME: reader.gettext("A round can take {least} to {most}."),
        TermsProblem.NEEDS_TIME: reader.gettext(
            "Without a clock, games may never end. Choose a clock, or how long a round takes."
        ),
        TermsProblem.SWISS: reader.gettext(
            "I can't pair Swiss rounds here, as my host hasn't installed that. Choose round robin."
        ),
        TermsProblem.LIVE: reader.gettext(
            "A league goes on for weeks. Choose a slower clock, such as 1 day per move."
        ),
        TermsProblem.DIVISION_SIZE: reader.gettext("A division has {least} to {most} players."),
        TermsProblem.STOP: reader.gettext("You can pause the clocks for {least} to {most} days."),
        TermsProblem.EXTENSION: reader.gettext("You can give a game {least} to {most} more days."),
    }
    minimum, maximum = _limit(reader, error.least), _limit(reader, error.most)
    return sentences[error.problem].format(least=minimum, most=maximum)


def _limit(reader: Reader, limit: timedelta | int | None) -> str:
    if limit is None:
        return ""
    return number_text(reader, limit) if isinstance(limit, int) else duration(reader, limit)


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


def _refusal(reader: Reader, error: refusals.TournamentRefusal) -> str:
    sentences = {
        Problem.GONE: reader.gettext("I can't find that tournament. It may be gone."),
        Problem.NONE_HERE: reader.gettext(
            "There's no tournament here. /tournament create makes one."
        ),
        Problem.NOT_BEGUN: reader.gettext("This tournament hasn't begun yet."),
        Problem.BEGUN: reader.gettext("This tournament has already begun."),
        Problem.OVER: reader.gettext("This tournament is over."),
        Problem.FULL: reader.ngettext(
            "This tournament is full: {count} player has joined.",
            "This tournament is full: {count} players have joined.",
            error.limit,
        ),
        Problem.TOO_FEW: reader.ngettext(
            "It takes at least {count} player.", "It takes at least {count} players.", error.limit
        ),
        Problem.TOO_MANY: reader.ngettext(
            "This server has {count} tournament already. Finish or cancel one first.",
            "This server has {count} tournaments already. Finish or cancel one first.",
            error.limit,
        ),
        Problem.TOO_LATE_TO_JOIN: reader.gettext("This tournament has already begun."),
        Problem.TOO_LATE_TO_ANSWER: reader.gettext("Too late: that game is decided."),
        Problem.NOT_ORGANIZER: reader.gettext(
            "Only the organizer can do that, or someone who may manage events."
        ),
        Problem.MAY_NOT_CREATE: reader.gettext(
            "You can't make tournaments here yet. Ask someone who may manage events: they can "
            "make one, or let your role do it with /setup tournaments."
        ),
        Problem.FIELD_EMPTY: reader.gettext("Fill in every field, please."),
        Problem.NO_TIME_LIMIT: reader.gettext(
            "Its rounds have no time limit, so only the clocks decide. *Stop clocks* in "
            "/tournament show pauses them."
        ),
        Problem.NOT_STOPPED: reader.gettext("This tournament's clocks are running."),
        Problem.NO_PAIRING: reader.gettext("That round has no board with that number."),
        Problem.BYE: reader.gettext("That's a bye, so there's no game to correct."),
        Problem.NEEDS_WINNER: reader.gettext("A knockout game needs a winner. Choose 1–0 or 0–1."),
        Problem.NEXT_IS_OVER: reader.gettext("Too late: the next game is over."),
        Problem.NOTE: reader.gettext("Write a note of at most {count} characters."),
    }
    return sentences[error.problem].format(count=error.limit)


REFUSALS: Final[Mapping[type[PlayError], Words]] = {
    refusals.AlreadyIn: _already_in,
    refusals.BadTerms: _bad_terms,
    refusals.CannotGiveRole: _cannot_give_role,
    refusals.NotIn: _not_in,
    refusals.TournamentRefusal: _refusal,
}

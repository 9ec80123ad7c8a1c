"""The organizers' page: its menu, its forms, and its questions."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from bot.base.ids import TournamentId, UserId
from bot.connection.forms import (
    is_bot,
    picked_ids,
    picked_values,
    several,
    typed_text,
    whole_number,
)
from bot.people.handlers.moments import typed_moment
from bot.people.model import ModeratorAction
from bot.people.use_cases.moderation import Moderation
from bot.play.handlers.game_commands import first_choice
from bot.play.handlers.interactions import Answer, form
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.typed_clocks import read_time_control, typed_form
from club.tournaments.delivery.messages import TournamentPosts
from club.tournaments.handlers.buttons import NUMBER, OfTournament, manages, refresh
from club.tournaments.handlers.making import show_form
from club.tournaments.model.acts import EndsGames, OrganizerAct, OrganizerChoice
from club.tournaments.model.leagues import letter
from club.tournaments.model.possible_terms import is_used
from club.tournaments.model.results import LONGEST_NOTE
from club.tournaments.model.rules import check_organizer
from club.tournaments.model.tournament import PairingResult, Tournament, TournamentTerms
from club.tournaments.refusals import Problem, TournamentRefusal
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import export, organizing
from club.tournaments.words.terms import title

_PLACE: Final = r"[0-9]{1,4}-[0-9]{1,9}"
"""Pattern of a round and a board in a custom id: "2-1"."""


class OfOrganizers(OfTournament, template=r"(?!)"):
    """A button or select for the tournament's organizers."""

    async def check(self, answer: Answer) -> None:
        await super().check(answer)
        check_organizer(self.tournament, answer.user, manages=manages(answer))


class OrganizersSelect(OfOrganizers, template=NUMBER + r"do"):
    """The menu with everything that an organizer can do."""

    async def respond(self, answer: Answer) -> None:
        tournament = self.tournament
        choice = first_choice(OrganizerChoice, [self.chosen])
        fields = organizing.organizers_form(answer.reader, tournament, choice)
        if fields is not None:
            custom_id = f"dvonn:cup-do:{tournament.id}:{choice}"
            await answer.form(several(*fields, custom_id, LONGEST_NOTE))
            return
        match choice:
            case OrganizerChoice.BEGIN | OrganizerChoice.RESUME:
                await _perform(answer, tournament.id, OrganizerAct(kind=choice))
            case OrganizerChoice.CALL_OFF:
                await answer.view(organizing.confirm_calling_off(answer.reader, tournament))
            case OrganizerChoice.COPY:
                terms = tournament.terms
                clock = "" if terms.clock is None else typed_form(terms.clock)
                await show_form(answer, terms.format, terms.start, clock, example=terms)
            case OrganizerChoice.CSV | OrganizerChoice.TRF:
                await _export(answer, tournament, choice)


async def _export(answer: Answer, tournament: Tournament, choice: OrganizerChoice) -> None:
    names = await TournamentPosts(answer.services.publisher.context).names(tournament)
    if choice is OrganizerChoice.TRF:
        data = export.as_report(tournament, names)
    else:
        divisions = await answer.services.require(Tournaments).divisions(tournament)
        data = export.as_csv(divisions or [tournament], names)
    post = organizing.tournament_exported(answer.reader, tournament, choice, data)
    await answer.send_private(post)


class OrganizersPageButton(OfOrganizers, template=NUMBER + r"(?P<action>manage|off)"):
    """Buttons that open the organizers' page, or confirm that a tournament is canceled."""

    async def respond(self, answer: Answer) -> None:
        if self.action == "manage":
            await _show_page(answer, self.tournament)
        else:
            call_off = OrganizerAct(kind=OrganizerChoice.CALL_OFF)
            await _perform(answer, self.tournament.id, call_off)


class CorrectionButton(
    OfOrganizers,
    template=NUMBER + r"set:(?P<place>" + _PLACE + r"):(?P<result>white|black|draw|neither):"
    r"(?P<agreed>" + _PLACE + r"(?:\." + _PLACE + r"){0,30})",
):
    """Button to confirm an organizer's result that ends games."""

    async def respond(self, answer: Answer) -> None:
        """Set the result, if its consequences have not changed."""
        assert answer.interaction.message is not None  # a button is under a message  # noqa: S101
        act = OrganizerAct(
            kind=OrganizerChoice.CORRECT,
            place=_place(self.match["place"]),
            result=PairingResult(self.match["result"]),
            note=organizing.note_in(answer.interaction.message.content),
            agreed=frozenset(map(_place, self.match["agreed"].split("."))),
        )
        await _perform(answer, self.tournament.id, act)


def _place(text: str) -> tuple[int, int]:
    """Return the round and board in a custom id: "2-1"."""
    number, board = text.split("-")
    return int(number), int(board)


@form(
    r"dvonn:cup-do:(?P<tournament>[0-9]{1,18}):(?P<choice>edit|add|remove|extend|correct|stop|helper)"
)
async def read_organizers_form(answer: Answer, match: re.Match[str], data: Any) -> None:
    """Do the act of a form that an organizer has submitted."""
    choice = OrganizerChoice(match["choice"])
    tournament = await _tournament(answer, TournamentId(int(match["tournament"])))
    match choice:
        case OrganizerChoice.EDIT:
            act = OrganizerAct(kind=choice, change=await _edited_terms(answer, data))
        case OrganizerChoice.ADD | OrganizerChoice.REMOVE | OrganizerChoice.HELPER:
            act = OrganizerAct(kind=choice, player=_player(data), source=answer.source)
        case OrganizerChoice.STOP:
            act = OrganizerAct(kind=choice, days=whole_number(typed_text(data, "days")))
        case OrganizerChoice.EXTEND:
            tournament, place = await _game(answer, tournament, data)
            days = whole_number(typed_text(data, "days"))
            act = OrganizerAct(kind=choice, place=place, days=days)
        case _:
            tournament, place = await _game(answer, tournament, data)
            result = first_choice(PairingResult, picked_values(data, "result"))
            if result is None:
                raise TournamentRefusal(Problem.FIELD_EMPTY)
            note = typed_text(data, "note")
            act = OrganizerAct(kind=choice, place=place, result=result, note=note)
    await _perform(answer, tournament.id, act)


async def _perform(answer: Answer, number: TournamentId, act: OrganizerAct) -> None:
    """Do an act, or ask for confirmation if it ends games. Then show the page with a note."""
    tournaments, may = answer.services.require(Tournaments), manages(answer)
    try:
        after = await tournaments.perform(number, act, answer.user, manages=may)
    except EndsGames as error:
        before = await _tournament(answer, number)
        await answer.view(organizing.confirm_correction(answer.reader, before, act, error.games))
        return
    note = organizing.act_line(answer.reader, act, answer.user)
    league = after.terms.league
    tournament_or_league = after if league is None else await _tournament(answer, league)
    if not tournament_or_league.terms.organizes(answer.user):  # they manage the server's events
        option = ("tournament", f"{title(after)} · {note}")
        logged = ModeratorAction(by=answer.user, command="tournament show", options=(option,))
        await answer.services.require(Moderation).log(answer.guild, logged)
    await _show_page(answer, tournament_or_league, note)
    await refresh(answer, tournament_or_league)


async def _edited_terms(answer: Answer, data: Any) -> Callable[[TournamentTerms], TournamentTerms]:
    """Return the changes of terms that an organizer has typed. Empty fields change nothing."""
    begins, clock, rounds = (typed_text(data, key).strip() for key in ("begins", "clock", "rounds"))
    begins_at = await typed_moment(answer, begins)
    control = read_time_control(clock, None) if clock else None

    def change(terms: TournamentTerms) -> TournamentTerms:
        chosen = replace(
            terms, name=typed_text(data, "name"), begins_at=begins_at or terms.begins_at
        )
        if is_used(terms.format, "rounds"):
            chosen = replace(chosen, rounds=whole_number(rounds) if rounds else None)
        return replace(chosen, clock=control) if clock else chosen

    return change


def _player(data: Any) -> UserId | None:
    """Return the chosen player, if there is one.

    Raises:
        BadOpponent: if it is a bot.
    """
    player = next(map(UserId, picked_ids(data, "player")), None)
    if is_bot(data, player):
        raise BadOpponent(OpponentProblem.BOT)
    return player


async def _game(
    answer: Answer, tournament: Tournament, data: Any
) -> tuple[Tournament, tuple[int, int]]:
    """Return the tournament of a game, or its league's division, and its round and board.

    Raises:
        TournamentRefusal: if there is no such division.
    """
    place = whole_number(typed_text(data, "round")), whole_number(typed_text(data, "board"))
    divisions = await answer.services.require(Tournaments).divisions(tournament)
    if not divisions:
        return tournament, place
    by_letter = {letter(n): division for n, division in enumerate(divisions, start=1)}
    division = by_letter.get(typed_text(data, "division").strip().upper())
    if division is None:
        raise TournamentRefusal(Problem.NO_PAIRING)
    return division, place


async def _tournament(answer: Answer, number: TournamentId) -> Tournament:
    """Return a tournament that the user may organize."""
    tournaments = answer.services.require(Tournaments)
    return await tournaments.organize(number, answer.user, manages=manages(answer))


async def _show_page(answer: Answer, tournament: Tournament, note: str = "") -> None:
    """Show the organizers' page, below a note about the last act."""
    until = await answer.services.require(Tournaments).stopped_until(tournament)
    page = organizing.organizers_page(answer.reader, tournament, note, is_stopped=until is not None)
    await answer.view(page)

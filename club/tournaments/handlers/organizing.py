"""The organizers' page: its menu, its forms, and its questions."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from string import ascii_uppercase
from typing import Any, Final, TypeVar

from bot.base.ids import TournamentId, UserId
from bot.connection.forms import picked_ids, picked_values, several, typed_text, whole_number
from bot.people.model import ModeratorAct
from bot.people.use_cases.moderation import Moderation
from bot.play.handlers.interactions import Answer, form
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.typed_clocks import read_time_control, text_to_read
from club.tournaments.delivery.messages import TournamentPosts
from club.tournaments.handlers.buttons import NUMBER, OfTournament, manages, refresh
from club.tournaments.handlers.making import show_form
from club.tournaments.model.possible_terms import is_used
from club.tournaments.model.results import LONGEST_NOTE
from club.tournaments.model.tournament import PairingResult, Tournament, TournamentTerms
from club.tournaments.refusals import CannotCorrect, CorrectionProblem, FieldEmpty
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.start_times import read_beginning
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import export, organizing
from club.tournaments.words.organizing import OrganizerChoice

_Choice = TypeVar("_Choice", bound=StrEnum)

_PLACE: Final = r"[0-9]{1,4}-[0-9]{1,9}"
"""Pattern of a round and a board in a custom id: "2-1"."""


class OrganizersSelect(OfTournament, template=NUMBER + r"do"):
    """The menu with everything that an organizer can do."""

    async def respond(self, answer: Answer) -> None:
        tournaments, user = answer.services.require(Tournaments), answer.user
        may = manages(answer)
        tournament = await _tournament(answer, self.tournament)
        choice = _member(OrganizerChoice, self.chosen)
        fields = organizing.organizers_form(answer.reader, tournament, choice)
        if fields is not None:
            custom_id = f"dvonn:cup-do:{tournament.id}:{choice}"
            await answer.form(several(*fields, custom_id, LONGEST_NOTE))
            return
        match choice:
            case OrganizerChoice.BEGIN:
                after = await tournaments.begin(tournament.id, user, manages=may)
                await show_page(answer, after, organizing.tournament_begun(answer.reader, after))
            case OrganizerChoice.RESUME:
                after = await tournaments.resume(tournament.id, user, manages=may)
                await show_page(answer, after, organizing.clocks_run(answer.reader, after))
            case OrganizerChoice.CALL_OFF:
                await answer.view(organizing.confirm_calling_off(answer.reader, tournament))
            case OrganizerChoice.COPY:
                terms = tournament.terms
                clock = "" if terms.clock is None else text_to_read(terms.clock)
                await show_form(answer, terms.format, terms.start, clock, example=terms)
            case _:
                await _export(answer, tournament, choice)


async def _export(answer: Answer, tournament: Tournament, choice: OrganizerChoice) -> None:
    names = await TournamentPosts(answer.services.publisher.context).names(tournament)
    write = export.as_csv if choice is OrganizerChoice.CSV else export.as_report
    data = write(tournament, names)
    post = organizing.tournament_exported(answer.reader, tournament, choice, data)
    await answer.send_private(post)


class OrganizersPageButton(OfTournament, template=NUMBER + r"(?P<action>manage|off)"):
    """*Organise*, the way back to its page, and the answer that a tournament is called off."""

    async def respond(self, answer: Answer) -> None:
        tournaments, user, may = answer.services.require(Tournaments), answer.user, manages(answer)
        if self.action == "manage":
            await show_page(answer, await _tournament(answer, self.tournament))
            return
        after = await tournaments.cancel(self.tournament, user, manages=may)
        await show_page(answer, after, organizing.tournament_called_off(answer.reader, after))


class CorrectionButton(
    OfTournament,
    template=NUMBER + r"set:(?P<place>" + _PLACE + r"):(?P<result>white|black|draw|neither):"
    r"(?P<agreed>" + _PLACE + r"(?:\." + _PLACE + r"){0,30})",
):
    """The organizer's confirmation of a result that ends games."""

    async def respond(self, answer: Answer) -> None:
        """Set the result, if its consequences have not changed."""
        assert answer.interaction.message is not None  # a button is under a message  # noqa: S101
        note = organizing.note_in(answer.interaction.message.content)
        result = PairingResult(self.match["result"])
        agreed = [_place(text) for text in self.match["agreed"].split(".")]
        place = _place(self.match["place"])
        await _correct(answer, self.tournament, place, result, note, agreed)


def _place(text: str) -> tuple[int, int]:
    """Return the round and board in a custom id: "2-1"."""
    number, board = text.split("-")
    return int(number), int(board)


async def _correct(
    answer: Answer,
    number: TournamentId,
    place: tuple[int, int],
    result: PairingResult,
    note: str,
    agreed: list[tuple[int, int]],
) -> None:
    after, ends = await answer.services.require(Tournaments).correct(
        number, *place, result, note, answer.user, manages=manages(answer), agreed=agreed
    )
    if ends:
        question = organizing.confirm_correction(answer.reader, after, place, result, note, ends)
        await answer.view(question)
        return
    league = after.terms.league
    shown = after if league is None else await _tournament(answer, league)
    await show_page(answer, shown, organizing.result_set(answer.reader, after))


@form(r"dvonn:cup-do:(?P<tournament>[0-9]{1,18}):(?P<choice>[a-z]+)")
async def read_organizers_form(answer: Answer, match: re.Match[str], data: Any) -> None:
    """Do what an organizer has filled in a form for."""
    number = TournamentId(int(match["tournament"]))
    choice = _member(OrganizerChoice, match["choice"])
    tournaments, user, may = answer.services.require(Tournaments), answer.user, manages(answer)
    reader, days = answer.reader, whole_number(typed_text(data, "days"))
    before = await _tournament(answer, number)
    match choice:
        case OrganizerChoice.EDIT:
            change = await _edited_terms(answer, data)
            after = await tournaments.edit(number, user, change, manages=may)
            note = organizing.tournament_edited(reader, after)
        case OrganizerChoice.ADD:
            player = _player(data)
            after = await tournaments.add(number, player, user, source=answer.source, manages=may)
            note = organizing.player_is_in(reader, after, player)
        case OrganizerChoice.REMOVE:
            player = _player(data)
            after = await tournaments.remove(number, player, user, manages=may)
            note = organizing.player_is_out(reader, after, player)
        case OrganizerChoice.HELPER:
            helper = next(map(UserId, picked_ids(data, "player")), None)
            after = await tournaments.choose_helper(number, helper, user, manages=may)
            note = organizing.helper_chosen(reader, after)
        case OrganizerChoice.STOP:
            after, stop = await tournaments.pause(number, user, days, manages=may)
            note = organizing.clocks_stopped(reader, after, stop.ends)
        case OrganizerChoice.EXTEND:
            part, place = await _game(answer, before, data)
            after = await tournaments.extend(part.id, place, days, user, manages=may)
            timed = await answer.services.require(Director).with_pauses(after)
            pairing = timed.pairing_at(place)
            ends = None if pairing is None else timed.round_ends(pairing)
            note, after = organizing.game_extended(reader, after, ends), before
        case _:
            part, place = await _game(answer, before, data)
            result = _member(PairingResult, next(iter(picked_values(data, "result")), ""))
            await _correct(answer, part.id, place, result, typed_text(data, "note"), [])
            return
    await show_page(answer, after, note)


def _member(choices: type[_Choice], value: str) -> _Choice:
    """Return the member of an enum with a value.

    Raises:
        FieldEmpty: if there is none.
    """
    try:
        return choices(value)
    except ValueError:
        raise FieldEmpty from None


async def _edited_terms(answer: Answer, data: Any) -> Callable[[TournamentTerms], TournamentTerms]:
    """Return the change of terms that an organizer has typed. Empty fields change nothing."""
    begins, clock, rounds = (typed_text(data, key).strip() for key in ("begins", "clock", "rounds"))
    begins_at: datetime | None = None
    if begins:
        begins_at = read_beginning(
            begins,
            now=answer.interaction.created_at,
            zone=(await answer.services.store.players.get(answer.user)).zone,
            language=answer.reader.locale,
        )
    control = read_time_control(clock, None) if clock else None

    def change(terms: TournamentTerms) -> TournamentTerms:
        chosen = replace(
            terms, name=typed_text(data, "name"), begins_at=begins_at or terms.begins_at
        )
        if is_used(terms.format, "rounds"):
            chosen = replace(chosen, rounds=whole_number(rounds) if rounds else None)
        return replace(chosen, clock=control) if clock else chosen

    return change


def _player(data: Any) -> UserId:
    """Return the chosen player.

    Raises:
        FieldEmpty: if none is chosen.
        BadOpponent: if it is a bot.
    """
    player = next(map(UserId, picked_ids(data, "player")), None)
    if player is None:
        raise FieldEmpty
    users = data.get("resolved", {}).get("users", {})
    if users.get(str(player), {}).get("bot"):
        raise BadOpponent(OpponentProblem.BOT)
    return player


async def _game(
    answer: Answer, tournament: Tournament, data: Any
) -> tuple[Tournament, tuple[int, int]]:
    """Return the tournament of a game, or its league's division, and its round and board.

    Raises:
        CannotCorrect: if there is no such division.
    """
    place = whole_number(typed_text(data, "round")), whole_number(typed_text(data, "board"))
    divisions = await answer.services.require(Tournaments).divisions(tournament)
    if not divisions:
        return tournament, place
    by_letter = dict(zip(ascii_uppercase, divisions, strict=False))
    division = by_letter.get(typed_text(data, "division").strip().upper())
    if division is None:
        raise CannotCorrect(CorrectionProblem.NO_PAIRING)
    return division, place


async def _tournament(answer: Answer, number: TournamentId) -> Tournament:
    """Return a tournament that the user may organize."""
    tournaments = answer.services.require(Tournaments)
    return await tournaments.organize(number, answer.user, manages=manages(answer))


async def show_page(answer: Answer, tournament: Tournament, note: str = "") -> None:
    """Show the organizers' page. If something was done, update the announcement and the log."""
    until = await answer.services.require(Tournaments).stopped_until(tournament)
    page = organizing.organizers_page(answer.reader, tournament, note, is_stopped=until is not None)
    await answer.view(page)
    if not note:
        return
    await refresh(answer, tournament)
    if not tournament.terms.organizes(answer.user):  # they manage the server's events
        options = (("tournament", note),)
        act = ModeratorAct(by=answer.user, command="tournament show", options=options)
        await answer.services.require(Moderation).note(answer.guild, act)

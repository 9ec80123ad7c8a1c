"""Buttons below tournament messages: joining, leaving and views."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.base.ids import NO_GUILD, TournamentId
from bot.base.languages import Reader
from bot.connection.forms import several, typed, whole_number
from bot.connection.posts import Post, join_within_limit
from bot.people.handlers.setup_options import manages_events
from bot.play.handlers.interactions import Answer, Component, form
from bot.play.model.typed_clocks import read_time_control
from club.tournaments.delivery.messages import TournamentPosts
from club.tournaments.model.leagues import own_division
from club.tournaments.model.possible_terms import LONGEST_NAME, is_used
from club.tournaments.model.rules import check_organizer
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.refusals import TournamentGone
from club.tournaments.use_cases.news import News
from club.tournaments.use_cases.start_times import read_beginning
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import answers, export, organizing
from club.tournaments.words.announcements import held_up, stands_still, stuck_games
from club.tournaments.words.games import tournament_games
from club.tournaments.words.leagues import league_page
from club.tournaments.words.standings import tournament_table, tournament_text

_LONGEST_NUMBER: Final = 3
"""Maximum number of digits in a number of days without clocks."""


class _OfTournament(Component, template=r"(?!)"):
    """A button of the tournament named in its custom id."""

    @property
    def tournament(self) -> TournamentId:
        return TournamentId(int(self.found["tournament"]))

    async def check(self, answer: Answer) -> None:
        """Check that the tournament is in this server. Its members can also use direct messages."""
        await super().check(answer)
        await _check_place(answer, self.tournament)


async def _check_place(answer: Answer, tournament: TournamentId) -> None:
    """Check that a tournament is in this server, or that the user is in it.

    Raises:
        TournamentGone: if it isn't.
    """
    found, here = await answer.services.require(Tournaments).get(tournament), answer.guild
    if found is None or not (
        here == found.terms.guild
        or (
            here == NO_GUILD
            and (found.entrant_of(answer.user) or found.terms.organizes(answer.user))
        )
    ):
        raise TournamentGone


class TournamentButton(
    _OfTournament,
    template=r"dvonn:cup:(?P<tournament>[0-9]{1,18}):(?P<action>join|leave|here):"
    r"(?P<what>created|check_in|called)-[0-9]{1,9}",
):
    """Join, Leave or I'm here, below an announcement or a check-in."""

    async def respond(self, answer: Answer) -> None:
        services, user = answer.services, answer.user
        number, source = self.tournament, answer.source
        if self.action == "join":
            tournament = await services.require(Tournaments).join(number, user, source=source)
        elif self.action == "leave":
            tournament = await services.require(Tournaments).withdraw(number, user)
        else:
            tournament = await services.require(Tournaments).check_in(number, user, source=source)
        posts = TournamentPosts(services.publisher.context)
        reader = await posts.reader(tournament)
        what = News(self.found["what"])
        post = await posts.current_post(reader, tournament, what)
        is_late = what is News.CHECK_IN and tournament.state is not TournamentState.CHECK_IN
        if is_late or (what is not News.CHECK_IN and self.action == "here"):
            # The pressed message stays unchanged.
            word = answers.tournament_left if self.action == "leave" else answers.tournament_joined
            await answer.send_private(word(answer.reader, tournament))
        elif post is not None:
            await answer.edit_message(post)
        if others := _others(what, self.action, tournament):
            await posts.refresh(tournament, *others)


class OwnTournamentButton(
    _OfTournament,
    template=r"dvonn:cup:(?P<tournament>[0-9]{1,18}):(?P<action>enter|out|begin|off|off-yes|off-no"
    r"|pause|resume|manage|edit|csv|trf)",
):
    """Buttons on a tournament's private page, for players and organizers."""

    async def respond(self, answer: Answer) -> None:
        tournaments, user = answer.services.require(Tournaments), answer.user
        number, manages = self.tournament, _manages(answer)
        match self.action:
            case "enter":
                after = await tournaments.join(number, user, source=answer.source)
                word = answers.tournament_joined(answer.reader, after)
            case "out":
                after = await tournaments.withdraw(number, user)
                word = answers.tournament_left(answer.reader, after)
            case "begin":
                after = await tournaments.begin(number, user, manages=manages)
                word = answers.tournament_begun(answer.reader, after)
            case "pause":
                await answer.form(_stop_form(answer.reader, number))
                return
            case "resume":
                after = await tournaments.resume(number, user, manages=manages)
                word = answers.clocks_run(answer.reader, after)
            case "manage" | "edit" | "csv" | "trf":
                await self._organize(answer, await organized(answer, number))
                return
            case "off-yes":
                after = await tournaments.cancel(number, user, manages=manages)
                word = answers.tournament_called_off(answer.reader, after)
            case _:
                found = await tournaments.get(number)
                if found is None:
                    raise TournamentGone
                asks = self.action == "off"
                page = answers.confirm_calling_off(answer.reader, found) if asks else None
                await answer.view(page or await shown(answer, found, "table"))
                return
        await tell(answer, after, word)

    async def _organize(self, answer: Answer, found: Tournament) -> None:
        """Show the organizers' page, its form, or a file."""
        if self.action == "edit":
            title, fields = organizing.edit_form(answer.reader, found)
            custom_id = f"dvonn:cup-edit:{found.id}"
            await answer.form(several(title, fields, custom_id, LONGEST_NAME))
        elif self.action == "manage":
            await answer.view(organizing.organizers_page(answer.reader, found))
        else:
            names = await TournamentPosts(answer.services.publisher.context).names(found)
            data = (export.as_csv if self.action == "csv" else export.as_report)(found, names)
            post = organizing.tournament_exported(answer.reader, found, self.action, data)
            await answer.send_private(post)


async def organized(answer: Answer, number: TournamentId) -> Tournament:
    """Return a tournament that the user may organize.

    Raises:
        TournamentGone, OrganizersOnly: if there is none, or they may not.
    """
    found = await answer.services.require(Tournaments).get(number)
    if found is None:
        raise TournamentGone
    check_organizer(found, answer.user, manages=_manages(answer))
    return found


@form(r"dvonn:cup-edit:(?P<tournament>[0-9]{1,18})")
async def read_edit(answer: Answer, match: re.Match[str], data: Any) -> None:
    """Change the terms of a tournament as an organizer typed them. Empty fields change nothing."""
    number = TournamentId(int(match["tournament"]))
    await _check_place(answer, number)
    zone = (await answer.services.store.players.get(answer.user)).zone
    now, language = answer.interaction.created_at, answer.reader.locale
    begins, clock = typed(data, "begins").strip(), typed(data, "clock").strip()
    begins_at = read_beginning(begins, now=now, zone=zone, language=language) if begins else None
    control = read_time_control(clock, None) if clock else None
    rounds = typed(data, "rounds").strip()

    def change(terms: TournamentTerms) -> TournamentTerms:
        chosen = replace(terms, name=typed(data, "name"))
        if is_used(terms.format, "rounds"):
            chosen = replace(chosen, rounds=whole_number(rounds) if rounds else None)
        if begins:
            chosen = replace(chosen, begins_at=begins_at)
        return replace(chosen, clock=control) if clock else chosen

    edited = await answer.services.require(Tournaments).edit(
        number, answer.user, change, manages=_manages(answer)
    )
    await tell(answer, edited, organizing.tournament_edited(answer.reader, edited))


def _stop_form(reader: Reader, tournament: TournamentId) -> discord.ui.Modal:
    title, fields = answers.stop_form(reader)
    return several(title, fields, f"dvonn:cup-stop:{tournament}", _LONGEST_NUMBER)


@form(r"dvonn:cup-stop:(?P<tournament>[0-9]{1,18})")
async def read_stop(answer: Answer, match: re.Match[str], data: Any) -> None:
    """Stop all clocks of a tournament for the number of days that an organizer typed."""
    number = TournamentId(int(match["tournament"]))
    await _check_place(answer, number)
    found, stop = await answer.services.require(Tournaments).pause(
        number, answer.user, whole_number(typed(data, "days").strip()), manages=_manages(answer)
    )
    await tell(answer, found, answers.clocks_stopped(answer.reader, found, stop.ends))


class CameButton(
    _OfTournament, template=r"dvonn:cup:(?P<tournament>[0-9]{1,18}):came:(?P<game>[0-9]{1,18})"
):
    """*I'm here*, below the last board of a game whose other player never showed up."""

    async def respond(self, answer: Answer) -> None:
        user = answer.user
        won = await answer.services.require(Tournaments).answer(self.tournament, self.game, user)
        await answer.send_private(answers.tournament_answered(answer.reader, won, user))


class CorrectionButton(
    _OfTournament,
    template=r"dvonn:cup:(?P<tournament>[0-9]{1,18}):(?P<action>keep|set:(?P<round>[0-9]{1,4})-"
    r"(?P<board>[0-9]{1,9}):(?P<result>white|black|draw|neither):"
    r"(?P<agreed>[0-9]{1,4}-[0-9]{1,9}(?:\.[0-9]{1,4}-[0-9]{1,9}){0,30}))",
):
    """The answer to the question whether to correct a result if that ends games."""

    async def respond(self, answer: Answer) -> None:
        """Set the result, if the organizer confirms it and the consequences have not changed."""
        if self.action == "keep":
            await answer.edit_message(answers.correction_left(answer.reader))
            return
        assert answer.interaction.message is not None  # a button is under a message  # noqa: S101
        services, user = answer.services, answer.user
        place = int(self.found["round"]), int(self.found["board"])
        right = PairingResult(self.found["result"])
        note = answers.note_in(answer.interaction.message.content)
        found, ends = await services.require(Tournaments).correct(
            self.tournament,
            *place,
            right,
            note,
            user,
            manages=manages_events(answer.interaction),
            agreed=[_place(place) for place in self.found["agreed"].split(".")],
        )
        post = (
            answers.confirm_correction(answer.reader, found, place, right, note, ends)
            if ends
            else answers.tournament_set_right(answer.reader, found)
        )
        await answer.edit_message(post)
        if not ends:
            await TournamentPosts(services.publisher.context).refresh(found)


def _place(text: str) -> tuple[int, int]:
    """Return the round and board in a custom id: "2-1"."""
    number, board = text.split("-")
    return int(number), int(board)


def _others(pressed: News, action: str, tournament: Tournament) -> list[News]:
    """Return the other messages that show the effect of a button."""
    if pressed is News.CHECK_IN and tournament.state is not TournamentState.CHECK_IN:
        return [News.CREATED, News.CHECK_IN]
    if pressed is News.CHECK_IN:
        return [] if action == "here" else [News.CREATED]
    return [News.CHECK_IN] if tournament.state is TournamentState.CHECK_IN else []


class TournamentViewButton(
    _OfTournament,
    template=r"dvonn:cup:(?P<tournament>[0-9]{1,18}):(?P<action>table|text|games|log):"
    r"(?P<page>[0-9]{1,4})(?::[a-z_]+-[0-9-]{1,20})?",
):
    """*Standings* and *Games*, below messages of a tournament, and their pages."""

    async def respond(self, answer: Answer) -> None:
        tournament = await answer.services.require(Tournaments).get(self.tournament)
        if tournament is None:
            raise TournamentGone
        await answer.view(await shown(answer, tournament, self.action, int(self.found["page"])))


async def tell(answer: Answer, changed: Tournament, post: Post) -> None:
    """Answer the user, and update the announcement and an open check-in."""
    await answer.view(post)
    await refresh(answer, changed)


async def refresh(answer: Answer, changed: Tournament) -> None:
    """Update the announcement and an open check-in."""
    asks = (News.CHECK_IN,) if changed.state is TournamentState.CHECK_IN else ()
    posts = TournamentPosts(answer.services.publisher.context)
    await posts.refresh(changed, News.CREATED, *asks)


async def shown(answer: Answer, tournament: Tournament, action: str, page: int = 0) -> Post:
    """Return one of a tournament's pages for a user, with their buttons."""
    if action == "games":
        return tournament_games(answer.reader, tournament, page)
    if action == "log":
        acts = await answer.services.require(Tournaments).acts(tournament.id)
        return organizing.log_page(answer.reader, tournament, acts)
    posts = TournamentPosts(answer.services.publisher.context)
    divisions = await answer.services.require(Tournaments).divisions(tournament)
    table = standings(tournament)
    if divisions:
        number = page or own_division(divisions, answer.user)
        names = await posts.names(tournament)
        post = league_page(
            answer.reader, tournament, divisions, names, number, as_text=action == "text"
        )
    elif action == "text":
        post = tournament_text(answer.reader, tournament, table, page)
    else:
        names = await posts.names(tournament)
        post = tournament_table(answer.reader, tournament, table, names, page)
    until = await answer.services.require(Tournaments).stopped_until(tournament)
    own = answers.own_buttons(
        answer.reader,
        tournament,
        answer.user,
        manages=_manages(answer),
        is_stopped=until is not None,
    )
    lines = [post.content, *await _what_waits(answer, tournament, divisions)]
    if until is not None:
        lines.append(stands_still(answer.reader, until))
    return replace(
        post, content=join_within_limit(answer.reader, lines), buttons=(*post.buttons, *own)
    )


async def _what_waits(
    answer: Answer, tournament: Tournament, divisions: Sequence[Tournament]
) -> list[str]:
    """Return why the tournament is waiting, and the games that it or its divisions wait for."""
    reader = answer.reader
    open_ = [pairing for part in (tournament, *divisions) for pairing in part.undecided]
    stuck = await answer.services.store.deliveries.stuck(
        [pairing.game for pairing in open_ if pairing.game is not None]
    )
    missing = TournamentPosts(answer.services.publisher.context).missing(tournament)
    is_ladder = tournament.terms.format is TournamentFormat.LADDER
    return [
        *held_up(reader, tournament, () if is_ladder else missing),
        *stuck_games(reader, [pairing for pairing in open_ if pairing.game in stuck]),
    ]


def _manages(answer: Answer) -> bool:
    """Return True if the user may manage the server's events. It is False in direct messages."""
    return answer.interaction.guild_id is not None and manages_events(answer.interaction)

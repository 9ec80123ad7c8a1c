"""Buttons below tournament messages: joining, leaving and views."""

from dataclasses import replace
from typing import Final

from bot.base.ids import NO_GUILD, TournamentId
from bot.connection.posts import join_within_limit
from bot.people.handlers.setup_options import manages_events
from bot.play.handlers.interactions import Answer, Component
from club.tournaments.delivery.messages import TournamentPosts
from club.tournaments.model.leagues import own_division
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import Tournament, TournamentFormat, TournamentState
from club.tournaments.refusals import Problem, TournamentRefusal
from club.tournaments.use_cases.news import News
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import answers, organizing
from club.tournaments.words.announcements import held_up, stands_still
from club.tournaments.words.games import tournament_games
from club.tournaments.words.leagues import league_page
from club.tournaments.words.standings import tournament_table

NUMBER: Final = r"dvonn:cup:(?P<tournament>[0-9]{1,18}):"
"""Beginning of the custom ids of a tournament's buttons."""


class OfTournament(Component, template=r"(?!)"):
    """A button or select of the tournament named in its custom id."""

    tournament: Tournament
    """The tournament's state when the button was pressed."""

    async def check(self, answer: Answer) -> None:
        """Check that the tournament is in this server. Its members can also use direct messages."""
        await super().check(answer)
        number = TournamentId(int(self.match["tournament"]))
        tournament = await answer.services.require(Tournaments).get(number)
        if tournament is None:
            raise TournamentRefusal(Problem.GONE)
        self.tournament = tournament
        is_member = tournament.entrant_of(answer.user) or tournament.terms.organizes(answer.user)
        is_direct = answer.guild == NO_GUILD and is_member
        if answer.guild != tournament.terms.guild and not is_direct:
            raise TournamentRefusal(Problem.GONE)


class TournamentButton(
    OfTournament,
    template=NUMBER + r"(?P<action>join|leave|here)(?::(?P<what>created|check_in)-[0-9]{1,9})?",
):
    """*Join*, *Leave* or *I'm here*: below an announcement or a check-in, or on a private page."""

    async def respond(self, answer: Answer) -> None:
        services, user = answer.services, answer.user
        tournaments, number = services.require(Tournaments), self.tournament.id
        words = answers.tournament_joined
        match self.action:
            case "leave":
                tournament = await tournaments.withdraw(number, user)
                words = answers.tournament_left
            case _:
                tournament = await tournaments.join(number, user, source=answer.source)
        if self.match["what"] is None:
            await answer.view(words(answer.reader, tournament))
            await refresh(answer, tournament)
            return
        posts, news_kind = TournamentPosts(services.publisher.context), News(self.match["what"])
        is_check_in = tournament.state is TournamentState.CHECK_IN
        if news_kind is News.CHECK_IN and not is_check_in:  # the pressed message stays unchanged
            await answer.send_private(words(answer.reader, tournament))
            await posts.refresh(tournament)
            return
        post = await posts.current_post(await posts.reader(tournament), tournament, news_kind)
        assert post is not None  # these messages are never outdated  # noqa: S101
        await answer.edit_message(post)
        if is_check_in and self.action != "here":
            await posts.refresh(tournament, but=news_kind)


class CameButton(OfTournament, template=NUMBER + r"came:(?P<game>[0-9]{1,18})"):
    """*I'm here*, below the last board of a game whose other player never showed up."""

    async def respond(self, answer: Answer) -> None:
        user, tournaments = answer.user, answer.services.require(Tournaments)
        pairing = await tournaments.answer(self.tournament.id, self.game, user)
        await answer.send_private(answers.tournament_answered(answer.reader, pairing, user))


class TournamentViewButton(
    OfTournament,
    template=NUMBER + r"(?P<action>table|games|log):"
    r"(?P<page>[0-9]{1,4})(?::[a-z_]+-[0-9-]{1,20})?",
):
    """*Standings*, *Games* and *Log*: below messages of a tournament, and on their own pages."""

    async def respond(self, answer: Answer) -> None:
        tournament, page = self.tournament, int(self.match["page"])
        match self.action:
            case "games":
                await answer.view(tournament_games(answer.reader, tournament, page))
            case "log":
                acts = await answer.services.require(Tournaments).acts(tournament.id)
                await answer.view(organizing.log_page(answer.reader, tournament, acts))
            case _:
                await show_tournament(answer, tournament, page)


async def refresh(answer: Answer, changed: Tournament) -> None:
    """Update the announcement and an open check-in."""
    await TournamentPosts(answer.services.publisher.context).refresh(changed)


async def show_tournament(answer: Answer, tournament: Tournament, page: int = 0) -> None:
    """Show a tournament's table to a user, with their buttons."""
    tournaments, reader = answer.services.require(Tournaments), answer.reader
    posts = TournamentPosts(answer.services.publisher.context)
    divisions = await tournaments.divisions(tournament)
    names = await posts.names(tournament)
    if divisions:
        number = page or own_division(divisions, answer.user)
        post = league_page(reader, tournament, divisions, names, number)
    else:
        post = tournament_table(reader, tournament, standings(tournament), names, page)
    until = await tournaments.stopped_until(tournament)
    is_ladder = tournament.terms.format is TournamentFormat.LADDER
    missing = () if is_ladder else posts.missing(tournament)
    lines = [post.content, *held_up(reader, tournament, missing)]
    if until is not None:
        lines.append(stands_still(reader, until))
    buttons = answers.own_buttons(reader, tournament, answer.user, manages=manages(answer))
    content = join_within_limit(reader, lines)
    await answer.view(replace(post, content=content, buttons=(*post.buttons, *buttons)))


def manages(answer: Answer) -> bool:
    """Return True if the user may manage the server's events. It is False in direct messages."""
    return answer.interaction.guild_id is not None and manages_events(answer.interaction)

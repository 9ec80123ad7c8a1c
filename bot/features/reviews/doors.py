"""A game's review, shown privately: its pages, and a game as a web page."""

from collections.abc import Sequence
from contextlib import suppress

import discord
from discord import app_commands

from bot.base.ids import GameId
from bot.features.explore.doors.looking import show_explore, worth_of_points
from bot.features.reviews.model import worth_another_try
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.reviews import (
    OVERVIEW,
    OverviewPart,
    placement_shown,
    review_as_text,
    review_page,
)
from bot.play.doors.interactions import Answer, Component, Interaction, answering, anywhere
from bot.play.doors.looking import asker, look_at, shown_board
from bot.play.model.courses import SPOT, Seen, Spot, course_of, see
from bot.play.model.game import Game
from bot.play.model.refusals import NoEngineHelp
from bot.play.model.thoughts import Thought
from bot.play.words.replay import web_page
from bot.play.words.views import film as film_post
from dvonn import Review


class ReviewButton(
    Component,
    template=r"dvonn:review:(?P<game>[0-9]{1,18}):(?P<page>[0-9]{1,3})(?P<text>:text)?",
):
    """A page of a review, under a board that everybody sees or under another page."""

    async def respond(self, answer: Answer) -> None:
        """Show the page, in place of the one whose button was pressed."""
        services, page = answer.services, int(self.found["page"])
        user, guild = asker(answer.interaction)
        game, review = await services.of(Reviews).of(self.game, user=user, guild=guild)
        ply = placement_shown(review, page)
        thoughts = () if ply is None else await worth_of_points(answer.interaction, game, ply)
        if self.found["text"]:
            text = review_as_text(answer.reader, game, review, page, thoughts)
            await answer.privately(text)
        else:
            await _show(answer, game, review, page, thoughts)


async def show_review(answer: Answer, game: GameId) -> None:
    """Show the first page of a game's review.

    Raises:
        GameGone: if there is no such game.
        NoReview: if it has none yet.
        NoEngineHelp: if it would help in a game that goes on.
    """
    user, guild = asker(answer.interaction)
    found, review = await answer.services.of(Reviews).of(game, user=user, guild=guild)
    await _show(answer, found, review, OVERVIEW)


async def _show(
    answer: Answer, game: Game, review: Review, page: int, thoughts: Sequence[Thought] = ()
) -> None:
    part = answer.services.get(OverviewPart)
    more = () if part is None else part.buttons(answer.reader, game, review, answer.user)
    await answer.view(review_page(answer.reader, game, review, page, thoughts, more=more))


async def try_again(interaction: Interaction, game: GameId) -> Seen:
    """Return the board before the presser's worst move in a finished game.

    Raises:
        GameGone: if there is no such game.
    """
    services, (user, guild) = interaction.client.services, asker(interaction)
    found, review = await services.archive.existing(game), None
    with suppress(NoEngineHelp):  # then they try their last move again
        review = await services.of(Reviews).told(game, user=user, guild=guild)
    ply = worth_another_try(found, found.seat(user), review)
    return see(Spot(game, ply), course_of(found), found)


class TryAgainButton(Component, template=r"dvonn:explore:(?P<game>[0-9]{1,18}):again"):
    """Try again, under the last board: the board before one's own mistake."""

    async def respond(self, answer: Answer) -> None:
        """Show a board of one's own."""
        await show_explore(answer, await try_again(answer.interaction, self.game), again=True)


class WebPageButton(Component, template=rf"dvonn:replay:{SPOT}:page"):
    """A game, or what was pasted, as a page for a browser."""

    async def respond(self, answer: Answer) -> None:
        """Give the page, with the review where there is one."""
        seen = await look_at(answer.interaction, Spot.found(self.found))
        services, game = answer.services, seen.spot.game
        (user, guild), review, why_not = asker(answer.interaction), None, ""
        if game is not None and not seen.is_running:
            try:
                review = await services.of(Reviews).told(game, user=user, guild=guild)
            except NoEngineHelp as error:
                why_not = answer.refusal(error)
        film = film_post(answer.reader, seen, review)
        page = await services.publisher.page(film)
        await answer.privately(web_page(answer.reader, film, page, why_not))


@app_commands.context_menu(name="Review")
@anywhere
async def review_game(interaction: Interaction, message: discord.Message) -> None:
    """Show the review of a board's game."""
    async with answering(interaction) as answer:
        number, _ = shown_board(interaction, message)
        await show_review(answer, number)

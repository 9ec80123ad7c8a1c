"""Handlers of reviews: their private pages, and games as web pages."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

import discord
from discord import app_commands

from bot.base.ids import GameId, GuildId, MessageId
from bot.base.languages import Reader
from bot.connection.posts import Post
from bot.people.handlers.setup import show_settings
from bot.people.handlers.setup_options import moderated_server
from bot.play.handlers import interactions
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.model.terms import GuildRules
from bot.play.use_cases.use_cases import UseCases
from bot.replay.handlers.views import load_view, shown_board
from bot.replay.model.replays import SPOT, ReplayCursor, sequence_of, view_at
from bot.replay.words.game_page import web_page
from bot.replay.words.views import film as film_post
from dvonn import GameRecord, Review
from school.explore.handlers.boards import STUDY, show_explore, show_study
from school.explore.handlers.engine import worth_of_points
from school.explore.use_cases import Studies
from school.reviews.model import REVIEWED_HERE, NoReview, ReviewProblem, worth_another_try
from school.reviews.use_cases import Reviews
from school.reviews.words.board_reviews import review_of_study, reviewed, summary
from school.reviews.words.moves import reviews_are_off
from school.reviews.words.reviews import (
    OVERVIEW,
    OVERVIEW_BUTTONS,
    no_review,
    placement_shown,
    review_as_text,
    review_page,
)


class ReviewButton(
    interactions.Component,
    template=r"dvonn:review:(?P<game>[0-9]{1,18}):(?P<page>[0-9]{1,3})(?P<text>:text)?",
):
    """Shows a page of a review. The button is below a public board or another page."""

    async def respond(self, answer: interactions.Answer) -> None:
        page = int(self.match["page"])
        await _open(answer, self.game, page, as_text=bool(self.match["text"]))


class ReviewSelect(interactions.Component, template=r"dvonn:review:(?P<game>[0-9]{1,18}):list"):
    """The select below a review's first page that opens other pages."""

    async def respond(self, answer: interactions.Answer) -> None:
        await _open(answer, self.game, int(self.chosen) if self.chosen.isdecimal() else OVERVIEW)


async def _open(
    answer: interactions.Answer, number: GameId, page: int, *, as_text: bool = False
) -> None:
    reviews = answer.services.require(Reviews)
    try:
        game, review = await reviews.open(number, user=answer.user)
    except NoReview as missing:
        if missing.problem is not ReviewProblem.WAITING:
            raise
        words = no_review(answer.reader, missing)
        if (message := await answer.send_private(Post(content=words))) is not None:
            await _wait_for_review(answer, number, message)
        return
    ply = placement_shown(review, page)
    thoughts = () if ply is None else await worth_of_points(answer, game, ply)
    if as_text:
        post = review_as_text(answer.reader, game, review, page, thoughts, answer.user)
        await answer.send_private(post)
    else:
        await answer.view(_page(answer, game, review, page, thoughts))


async def _wait_for_review(answer: interactions.Answer, number: GameId, message: MessageId) -> None:
    """Show a review as soon as it is finished, which may be immediately."""
    reviews, show = answer.services.require(Reviews), partial(_show_late, answer, number, message)
    reviews.show_when_made(number, show)
    if not await reviews.is_pending(number):
        await show()


async def _show_late(answer: interactions.Answer, number: GameId, message: MessageId) -> None:
    """Replace the notice that a review isn't ready with the review."""
    reviews = answer.services.require(Reviews)
    try:
        game, review = await reviews.open(number, user=answer.user)
    except NoReview as missing:
        if missing.problem is ReviewProblem.WAITING:  # the attempt has failed
            await _wait_for_review(answer, number, message)
            return
        post = Post(content=no_review(answer.reader, missing))
    else:
        post = _page(answer, game, review, OVERVIEW)
    await answer.edit_private(message, post)


def _page(
    answer: interactions.Answer,
    game: Game,
    review: Review,
    page: int,
    thoughts: Sequence[Thought] = (),
) -> Post:
    buttons_below = tuple(
        button
        for buttons in answer.services.extensions.all_of(OVERVIEW_BUTTONS)
        for button in buttons(answer.reader, game, review, answer.user)
    )
    eyes = game.seat(answer.user)
    return review_page(
        answer.reader, game, review, page, thoughts, eyes=eyes, buttons_below=buttons_below
    )


class TryAgainButton(interactions.Component, template=r"dvonn:explore:(?P<game>[0-9]{1,18}):again"):
    """The button *Try again* below the last board. It shows the board before the user's mistake."""

    async def respond(self, answer: interactions.Answer) -> None:
        services, game = answer.services, await answer.services.game_cache.existing(self.game)
        review = await services.require(Reviews).readable_by(self.game, user=answer.user)
        ply = worth_another_try(game, game.seat(answer.user), review)
        await show_explore(
            answer, view_at(ReplayCursor(self.game, ply), sequence_of(game), game), is_retry=True
        )


class ReviewBoardButton(interactions.Component, template=rf"{STUDY}review"):
    """The button *Review* on a study that was played to the end."""

    async def respond(self, answer: interactions.Answer) -> None:
        services, user, revision = answer.services, answer.user, int(self.revision)
        opponent, studies = services.opponent, services.require(Studies)
        if opponent is None or not services.has_reviews:
            raise NoReview(ReviewProblem.NO_MACHINE)
        study = await studies.get(int(self.match["study"]), user)
        view = study.replay_view
        if study.revision != revision or not review_of_study(answer.reader, study):
            await show_study(answer, study)
            return
        record = GameRecord(study.place, {}, study.coordinates, start=study.start)
        review = await opponent.review(record, board=study.id, user=user)
        review = await services.require(Reviews).for_reader(review, view.positions, user)
        study, _ = await studies.change(
            study.id, revision, user, lambda now: reviewed(answer.reader, now, review)
        )
        await show_study(answer, study, note=summary(answer.reader, review))


class WebPageButton(interactions.Component, template=rf"dvonn:replay:{SPOT}:page"):
    """The button that sends a game or a pasted text as a web page."""

    async def respond(self, answer: interactions.Answer) -> None:
        view = await load_view(answer.interaction, ReplayCursor.from_match(self.match))
        game, review = view.cursor.game, None
        if game is not None and not view.is_running:
            review = await answer.services.require(Reviews).readable_by(game, user=answer.user)
        film = film_post(answer.reader, view, review)
        page = await answer.services.publisher.page(film)
        await answer.send_private(web_page(answer.reader, film, page))


@app_commands.context_menu(name="Review")
@interactions.anywhere
async def review_game(interaction: interactions.Interaction, message: discord.Message) -> None:
    async with interactions.answering(interaction) as answer:
        number, _ = shown_board(interaction, message)
        await _open(answer, number, OVERVIEW)


@app_commands.command(description="Set whether I review games when they are over")
@app_commands.describe(games="off: no review under the last board")
async def reviews(interaction: interactions.Interaction, games: Literal["on", "off"]) -> None:
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        rules = await servers.choose_for(guild, REVIEWED_HERE, games == "on")
        await show_settings(answer, rules)


async def _line(_cases: UseCases, reader: Reader, _guild: GuildId, rules: GuildRules) -> str | None:
    return None if rules.choice(REVIEWED_HERE) else reviews_are_off(reader)


PLACE_SETTINGS = (interactions.PlaceSetting(command=reviews, rank=1, line=_line),)

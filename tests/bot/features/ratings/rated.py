"""Rated games, as tests play them."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.ids import ChannelId, GuildId, UserId
from bot.features.ratings.model.glicko import Pace
from bot.features.ratings.model.rated import LEAST_TURNS, PoolRating, RatingChange
from bot.features.ratings.schema import rating_changes, ratings
from bot.features.ratings.store.ratings import RatingTable
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.terms import ColourChoice, Start
from bot.play.store.tables import Store
from bot.play.use_cases.update import Update
from dvonn import format_move
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CHANNEL, GUILD, Table, verdict_of


async def begun(
    table: Table,
    white: UserId = ANN,
    black: UserId = BOB,
    *,
    channel: ChannelId = CHANNEL,
    turns: int = LEAST_TURNS,
    clock: TimeControl | None = None,
    level: int | None = None,
    rated: bool | None = True,
    guild: GuildId = GUILD,
) -> Game:
    """A game on a balanced board in which both have moved so often."""
    challenge = await table.challenge(
        black,
        challenger=white,
        colour=ColourChoice.WHITE,
        start=Start.BALANCED,
        clock=clock,
        level=level,
        channel=channel,
        guild=guild,
        rated=rated,
    )
    game = (await table.accept(challenge, black)).game
    while min(game.turns_of(white), game.turns_of(black)) < turns:
        assert game.to_move is not None
        move = game.position.legal_moves()[0]
        game = (await table.play(game.to_move, format_move(move), channel)).game
    return game


async def resigned(table: Table, game: Game, loser: UserId) -> Update:
    """The game, given up by one of its players."""
    row = game.row
    return await table.leaving.resign(row.id, row.revision, loser, source=table.source())


async def won(table: Table, winner: UserId = ANN, loser: UserId = BOB) -> Update:
    """A rated game between two, of which the second gives up."""
    return await resigned(table, await begun(table, winner, loser), loser)


def changes(update: Update) -> tuple[RatingChange, ...]:
    """What a game has changed."""
    verdict = verdict_of(update)
    assert isinstance(verdict, tuple), verdict
    return verdict


async def strength(store: Store, player: UserId, pace: Pace = Pace.SLOW) -> PoolRating | None:
    """How strong somebody is in the server of the tests."""
    return (await store.of(RatingTable).of(GUILD, pace, [player])).get(player)


async def stored(engine: AsyncEngine) -> dict[str, list[Any]]:
    """All rows of both tables."""
    rows = await all_rows(engine)
    return {table.name: rows[table.name] for table in (ratings, rating_changes)}

"""Rated games for tests."""

from typing import Any

from bot.base.ids import UserId
from bot.database.connection import AsyncEngine
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import Pace
from bot.play.model.game import Game
from bot.play.store.store import Store
from club.ratings.hook import RatingAddition
from club.ratings.model import LEAST_TURNS, PoolRating, RatingChange, Verdict
from club.ratings.schema import rating_changes, ratings
from club.ratings.store import RatingTable
from tests.bot.looked import begun
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, GUILD, Table, aftermath


async def resigned(table: Table, game: Game, loser: UserId) -> GameUpdate:
    """Resign the game as one of its players."""
    row = game.row
    return await table.leaving.resign(row.id, row.revision, loser, source=table.source())


async def won(table: Table, winner: UserId = ANN, loser: UserId = BOB) -> GameUpdate:
    """Play a rated game that the second player resigns."""
    return await resigned(table, await begun(table, winner, loser), loser)


def changes(update: GameUpdate) -> tuple[RatingChange, ...]:
    """Return the changes of a game."""
    verdict = verdict_of(update)
    assert isinstance(verdict, tuple), verdict
    return verdict


async def strength(store: Store, player: UserId, pace: Pace = Pace.SLOW) -> PoolRating | None:
    """Return a player's rating in the tests' server."""
    return (await store.queries(RatingTable).pool_ratings(GUILD, pace, [player])).get(player)


async def stored(engine: AsyncEngine) -> dict[str, list[Any]]:
    """Return all rows of both tables."""
    rows = await all_rows(engine)
    return {table.name: rows[table.name] for table in (ratings, rating_changes)}


def verdict_of(update: GameUpdate) -> Verdict | None:
    found = aftermath(update, RatingAddition)
    return None if found is None else found.verdict


async def long_enough(table: Table, game: Game) -> Game:
    """Play on until a result counts for ratings."""
    while min(map(game.turns_of, (game.row.white, game.row.black))) < LEAST_TURNS:
        game = (await table.move(game)).game
    return game

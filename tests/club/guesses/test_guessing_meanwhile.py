"""Tests for a guess by a person who is deleted at the same time."""

import asyncio

from bot.database.connection import AsyncEngine
from bot.people.store.privacy import PrivacyTable
from bot.play.model.terms import Start
from bot.play.store.schema import blocks
from bot.play.store.store import Store
from club.guesses.use_cases import Guessing
from tests.bot.conftest import Clock
from tests.bot.people.test_deleted_meanwhile import locked_rows, on_postgresql
from tests.bot.table import ANN, BOB, CID, Table
from tests.postgresql import somebody_waits


@on_postgresql
async def test_a_turn_that_reveals_a_guess_survives_its_guessers_deletion(
    engine: AsyncEngine, table: Table, clock: Clock
) -> None:
    game = (await table.accept(await table.challenge(start=Start.BALANCED))).game
    first = str(game.position.legal_moves()[0])
    await table.of(Guessing).guess(game.row.id, game.row.revision, CID, first)
    game = (await table.play(ANN, first)).game  # Cid has guessed before
    second = str(game.position.legal_moves()[0])
    await table.of(Guessing).guess(game.row.id, game.row.revision, CID, second)
    await table.blocks.block(CID, ANN, other_is_bot=False)
    other = Store(engine)
    async with locked_rows(engine, blocks, player_id=CID):
        erasing = asyncio.ensure_future(other.queries(PrivacyTable).erase(CID, at=clock()))
        await somebody_waits(engine)
        playing = asyncio.ensure_future(table.play(BOB, second))
        await somebody_waits(engine, 2)
    assert await erasing
    update = await playing
    assert (await table.game_cache.existing(game.row.id)).row.revision == update.game.row.revision

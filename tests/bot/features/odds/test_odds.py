"""Games with odds: the board is chosen by ratings, and the result counts as what it is."""

import pytest
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.ids import UserId
from bot.features.profiles.store.records import RecordTable
from bot.features.profiles.store.recounting import Recount, recount
from bot.features.ratings.model import advantage, machine_rating, steps_for
from bot.features.ratings.schema import rating_changes, ratings
from bot.play.model.courses import record_of
from bot.play.model.game import Game
from bot.play.model.openings import EVEN_STEPS, opening, steps_of
from bot.play.model.terms import ColourChoice, Start
from dvonn import Color, fairness
from dvonn.machine import VERSION
from dvonn.odds import odds_seed, odds_steps
from tests.bot.features.ratings.rated import changes, resigned, stored, strength, won
from tests.bot.table import ANN, BOB, GUILD, Table

MACHINE = UserId(900)


async def uneven(table: Table) -> None:
    """Ann wins against Bob, and is rated some 300 points higher."""
    await won(table, ANN, BOB)
    table.clock.advance(days=2)


async def with_odds(table: Table, *, weak_is: Color, turns: int = 5) -> Game:
    colour = ColourChoice.BLACK if weak_is is Color.WHITE else ColourChoice.WHITE
    game = await table.begin(start=Start.ODDS, colour=colour, rated=True)
    while min(game.turns_of(ANN), game.turns_of(BOB)) < turns:
        game = (await table.move(game)).game
    return game


def lead(game: Game) -> int:
    found = steps_of(game.row.start, game.row.seed)
    assert found is not None
    return found


@pytest.mark.parametrize("weak_is", list(Color))
async def test_the_board_is_for_the_one_with_the_lower_rating(table: Table, weak_is: Color) -> None:
    await uneven(table)
    game = await with_odds(table, weak_is=weak_is, turns=0)
    nearer = lead(game) - EVEN_STEPS
    assert abs(nearer) > 10
    assert (nearer < 0) == (weak_is is Color.WHITE)
    assert game.position == opening(Start.ODDS, game.row.seed)
    assert game.made_from == game.row.seed
    assert (game.first_ply, len(record_of(game).moves)) == (49, 49)


async def test_between_strangers_it_is_an_even_one(table: Table) -> None:
    game = await with_odds(table, weak_is=Color.WHITE, turns=0)
    assert abs(lead(game) - EVEN_STEPS) <= 1


@pytest.mark.parametrize("level", [1, 4, 8])
async def test_against_the_machine_its_level_tells(table: Table, level: int) -> None:
    await uneven(table)
    terms = {"level": level, "start": Start.ODDS, "rated": None}
    game = await table.begin(MACHINE, colour=ColourChoice.WHITE, **terms)
    machine = machine_rating(VERSION, level)
    own = await strength(table.store, ANN)
    assert machine is not None
    assert own is not None
    assert odds_steps(game.row.seed) == steps_for(own.rating.rating, machine.rating)
    assert (lead(game) < EVEN_STEPS) == (machine.rating > own.rating.rating)
    assert not game.row.rated


async def test_the_opponent_counts_as_strong_as_the_board_makes_them(table: Table) -> None:
    await uneven(table)
    game = await with_odds(table, weak_is=Color.WHITE)
    update = await resigned(table, game, ANN)
    for change in changes(update):
        here = [one for one in changes(update) if one.guild == change.guild]
        known = {one.player: one.before.rating for one in here}
        own, other = known[change.player], known[BOB if change.player == ANN else ANN]
        white = advantage(lead(game), (own.rating + other.rating) / 2)
        assert white > 100
        shifted = -white if change.player == BOB else white
        assert change.opponent.rating == pytest.approx(other.rating + shifted)
        # Both chances were about even, so that the loss costs as much as between equals.
        assert change.opponent.rating == pytest.approx(own.rating, abs=60)
        expected = own.after([(change.score, change.opponent)], update.told[-1].event.at)
        assert change.after.rating.rating == pytest.approx(expected.rating)


async def test_counted_again_it_is_the_same(table: Table, engine: AsyncEngine) -> None:
    await uneven(table)
    await resigned(table, await with_odds(table, weak_is=Color.BLACK), BOB)
    table.clock.advance(days=2)
    await resigned(table, await with_odds(table, weak_is=Color.WHITE), ANN)
    before = await stored(engine)
    assert await recount(engine, mend=False) == Recount(3, 0, 0)
    async with engine.begin() as connection:
        await connection.execute(delete(ratings))
        await connection.execute(delete(rating_changes))
    await recount(engine, mend=True)
    assert await stored(engine) == before
    await table.privacy.delete(BOB)
    left = await stored(engine)
    assert await recount(engine, mend=True) == Recount(3, 0, 0)
    assert await stored(engine) == left


async def test_in_profiles_it_is_a_balanced_board(table: Table) -> None:
    await resigned(table, await with_odds(table, weak_is=Color.WHITE), ANN)
    (result,) = await table.store.of(RecordTable).of(ANN, GUILD)
    assert (result.start, result.score.lost) == (Start.BALANCED, 1)


@pytest.mark.parametrize(("white", "black"), [(1500, 1500), (1200, 1400), (1900, 1500)])
def test_the_board_for_a_gap_makes_up_for_it(white: float, black: float) -> None:
    gained = advantage(steps_for(white, black), (white + black) / 2)
    assert gained == pytest.approx(black - white, abs=8)


def test_a_gap_that_no_board_makes_up_for_gets_the_most() -> None:
    assert steps_for(900, 2800) == -steps_for(2800, 900) + 2 * EVEN_STEPS
    assert steps_for(900, 2800) < -30


def test_other_starts_have_no_odds() -> None:
    assert steps_of(Start.BALANCED, 5) is None
    board = opening(Start.ODDS, odds_seed(-12, 3))
    assert abs((fairness(board).farther or 0) + 12) <= 1

"""A review is held back while it would help somebody in a running game."""

import pytest

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.features.reviews.use_cases import Reviews
from bot.play.model.game import Game
from bot.play.model.refusals import HelpProblem, NoEngineHelp
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.play.test_fair_play import BESIDE, DAN, ELSEWHERE, MOVES, PLAYED, begin, play, resign
from tests.bot.reviewed import review_of
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, GUILD, Table


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    return Table(store, clock, reviews=True)


async def copied(table: Table, *, guild: GuildId = GUILD) -> Game:
    """A game of two others, with the same moves, given up and reviewed: move 57 was a blunder."""
    await begin(table, CID, DAN, guild=guild, channel=BESIDE)
    game = await resign(table, await play(table, BESIDE, MOVES[:PLAYED]), CID)
    job = await table.of(Reviews).take(ALL)
    assert job is not None
    assert await table.of(Reviews).finish(job, review_of(game, {57: 0.3}))
    return game


async def may_read(table: Table, game: Game, user: UserId, guild: GuildId = GUILD) -> bool:
    """Whether somebody may read a review, at every door to it."""
    held = None
    try:
        assert await table.of(Reviews).told(game.row.id, user=user, guild=guild) is not None
    except NoEngineHelp as error:
        held = error.problem
    if held is None:
        await table.of(Reviews).of(game.row.id, user=user, guild=guild)
        return True
    assert held is (HelpProblem.NEAR_OWN if user in (ANN, BOB) else HelpProblem.NEAR)
    with pytest.raises(NoEngineHelp):
        await table.of(Reviews).of(game.row.id, user=user, guild=guild)
    return False


async def test_a_review_is_held_back_where_it_helps_and_comes_once_it_may(table: Table) -> None:
    """Two others have copied a running game, and given the copy up."""
    await begin(table, rated=True)
    await play(table, CHANNEL, MOVES[: PLAYED - 3])
    copy = await copied(table)
    for user in (ANN, BOB, CID):
        assert not await may_read(table, copy, user)
    # Whoever plays is not told in direct messages either; whoever plays nothing there is.
    assert not await may_read(table, copy, ANN, NO_GUILD)
    assert await may_read(table, copy, CID, NO_GUILD)
    assert not await table.fair_play.may_tell_all(copy)
    game = await play(table, CHANNEL, MOVES[PLAYED - 3 : PLAYED + 4])
    for user in (ANN, BOB, CID):
        assert await may_read(table, copy, user)
    assert await table.fair_play.may_tell_all(copy)
    await resign(table, game, ANN)
    assert await may_read(table, copy, ANN)


async def test_a_review_in_another_server_is_held_back_from_the_players_alone(table: Table) -> None:
    await begin(table)
    game = await play(table, CHANNEL, MOVES[: PLAYED - 3])
    copy = await copied(table, guild=ELSEWHERE)
    assert not await may_read(table, copy, ANN, ELSEWHERE)
    assert await may_read(table, copy, CID, ELSEWHERE)
    assert await table.fair_play.may_tell_all(copy)
    await resign(table, game, ANN)
    assert await may_read(table, copy, ANN, ELSEWHERE)

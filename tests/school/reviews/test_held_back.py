"""Tests that a review hides a better move while people are playing that board."""

import pytest

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.play.model.game import Game
from bot.play.store.store import Store
from dvonn import POINTS, Color
from dvonn.reviews.review import PlacementCost, PlacementReview
from school.reviews.model import advised, without_help
from school.reviews.use_cases import Reviews
from school.reviews.words.reviews import page_of, review_page
from tests.bot.conftest import Clock
from tests.bot.play.test_fair_play import BESIDE, DAN, MOVES, PLAYED, begin, play, resign
from tests.bot.reviewed import review_of
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, Table

KEPT_BACK = "Two people are playing this board right now"


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    return Table(store, clock, reviews=True)


async def copied(table: Table, *blunders: int) -> Game:
    """Return a game of two other users with the same moves, which was resigned and reviewed."""
    await begin(table, CID, DAN, channel=BESIDE)
    game = await resign(table, await play(table, BESIDE, MOVES[:PLAYED]), CID)
    job = await table.of(Reviews).take(ALL)
    assert job is not None
    assert await table.of(Reviews).finish(job, review_of(game, dict.fromkeys(blunders, 0.3)))
    return game


async def plies_with_better_move(table: Table, game: Game, user: UserId) -> list[int]:
    """Return the plies for which a user sees a better move."""
    _, review = await table.of(Reviews).open(game.row.id, user=user)
    assert await table.of(Reviews).readable_by(game.row.id, user=user) == review
    assert [item.ply for item in review.marked] == [53, 57]
    for ply in review.marked:
        page = review_page(IN_ENGLISH, game, review, page_of(ply.ply)).content
        assert (KEPT_BACK in page) is not bool(ply.best)
        assert bool(ply.best) is bool(ply.answer)
    return [item.ply for item in review.marked if item.best]


async def test_only_the_better_move_on_a_played_board_is_hidden(table: Table) -> None:
    """Two other users have copied a running game, and resigned the copy."""
    copy = await copied(table, 53, 57)
    assert await plies_with_better_move(table, copy, ANN) == [53, 57]
    await begin(table, rated=True)
    await play(table, CHANNEL, MOVES[:50])
    for plies, expected in (
        (51, [57]),  # the board before move 53 comes after it
        (52, [57]),
        (53, [57]),  # the reply to move 53 would help here
        (54, [53, 57]),
        (55, [53]),
        (57, [53]),
        (58, [53, 57]),
    ):
        game = await table.game_cache.running_in(CHANNEL)
        game = await play(table, CHANNEL, MOVES[len(game.line) : plies])
        for user in (ANN, BOB, CID, DAN):
            assert await plies_with_better_move(table, copy, user) == expected, plies
    await resign(table, game, ANN)


async def test_a_better_placement_is_hidden_too(table: Table) -> None:
    review = review_of(await copied(table), {})
    outcome = review.plies[0].before
    costs = tuple(
        PlacementCost(ply=ply, color=Color.WHITE, played=POINTS[0], better=POINTS[1], loss=0.1)
        for ply in (13, 21)
    )
    review = review.replace(placement=PlacementReview(outcome=outcome, costs=costs))
    assert advised(review) == {12, 20}
    assert without_help(review, []) == review
    left = without_help(review, [20]).placement
    assert left is not None
    assert (left.outcome, left.costs) == (outcome, costs[:1])

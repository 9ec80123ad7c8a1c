"""Tests for practice: a player's mistakes come back after 1, 4 and 10 days."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.database.connection import AsyncEngine
from bot.people.store.privacy import PrivacyTable
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.model.refusals import NoEngineHelp, NotAPlayer
from bot.play.model.terms import Start
from bot.play.store.store import Store
from bot.play.words.stack_buttons import by_stack
from bot.replay.model.refusals import NoSuchPly
from dvonn import Color, parse_moves
from school.exercises.words import exercise
from school.practice.use_cases import (
    NEW,
    Mistake,
    NothingDue,
    PracticeTable,
    Practicing,
    is_as_good,
)
from school.practice.words import (
    mistake,
    mistake_missed,
    mistake_solved,
    mistake_stopped,
    practise_of_overview,
)
from school.reviews.model import NoReview, worth_practising
from school.reviews.use_cases import Reviews
from tests.bot.conftest import Clock
from tests.bot.play.test_fair_play import DAN, MOVES, POSITIONS, begin, play
from tests.bot.reviewed import review_of
from tests.bot.rows import all_rows
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, Table, raises
from tests.school.reviews.test_held_back import copied

DAY = timedelta(days=1)
LOSSES = {50: 0.06, 51: 0.2, 52: 0.12, 53: 0.3}
"""Losses of winning chance by ply. White plays the even plies, and Black the odd ones."""


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    return Table(store, clock, reviews=True)


async def reviewed(table: Table) -> Game:
    """Return an ended and reviewed game between Ann and Bob, who both made mistakes."""
    game = await table.begin(start=Start.BALANCED)
    for _ in range(6):
        game = (await table.move(game)).game
    game = (await table.resign(game)).game
    job = await table.of(Reviews).take(ALL)
    assert job is not None
    await table.of(Reviews).finish(job, review_of(game, LOSSES))
    return game


def own(game: Game, user: UserId) -> tuple[int, ...]:
    color = game.seat(user)
    assert color is not None
    return worth_practising(review_of(game, LOSSES), color)


async def answer(table: Table, user: UserId, *, right: bool) -> Mistake:
    found = await table.of(Practicing).next(user)
    await table.of(Practicing).answer(found, right=right)
    return found


async def test_mistakes_and_blunders_come_back_to_who_made_them(table: Table, clock: Clock) -> None:
    game = await reviewed(table)
    assert sorted((*own(game, ANN), *own(game, BOB))) == [51, 52, 53]  # 50 was an inaccuracy
    for user in (ANN, BOB):
        plies = own(game, user)
        await raises(NothingDue, table.of(Practicing).next(user))
        for _ in range(2):  # the first position is tried at once
            first = await table.of(Practicing).start(game.row.id, user)
            assert first.row.ply == plies[0]
            assert await table.of(Practicing).due(user) == len(plies)
        found = await answer(table, user, right=True)
        assert await table.of(Practicing).due(user) == len(plies) - 1
        again = await table.of(Practicing).start(game.row.id, user)
        assert again.row.ply == plies[-1]  # due exercises come first
        await table.of(Practicing).answer(again, right=True)
        assert (await table.of(Practicing).start(game.row.id, user)).row.ply == plies[0]
        assert found.row.answered(clock(), right=True).due_at == clock() + DAY
    clock.advance(days=1)
    for user, other in ((ANN, BOB), (BOB, ANN)):
        assert await table.of(Practicing).due(user) == len(own(game, user))
        found = await table.of(Practicing).next(user)
        ply = own(game, user)[0]
        assert (found.row.ply, found.made.ply) == (ply, ply)
        assert found.position.plies == ply - 1
        assert found.made.best[0] in found.position.legal_moves()
        await raises(NoSuchPly, table.of(Practicing).find(other, game.row.id, ply))


@pytest.mark.both_databases
async def test_right_answers_lead_on_and_a_wrong_one_back(table: Table, clock: Clock) -> None:
    game = await reviewed(table)
    user = next(player for player in (ANN, BOB) if len(own(game, player)) == 1)
    await table.of(Practicing).start(game.row.id, user)
    (ply,) = own(game, user)
    await answer(table, user, right=True)
    for right, days in ((True, 1), (False, 4), (True, 1), (True, 4), (True, 10)):
        clock.advance(days=days, seconds=-1)
        assert await table.of(Practicing).due(user) == 0
        clock.advance(seconds=1)
        found = await answer(table, user, right=right)
        # A second press of the same button, here or in another process, does not count.
        assert await table.of(Practicing).answer(found, right=not right) is None
        early = await table.of(Practicing).find(user, game.row.id, ply)
        assert await table.of(Practicing).answer(early, right=not right) is None
    assert early.row.due_at is None
    clock.advance(days=400)
    assert await table.of(Practicing).due(user) == 0
    await table.of(Practicing).start(game.row.id, user)
    assert await table.of(Practicing).due(user) == 0  # positions that are learned don't come back


async def test_unwanted_files_stay_removed(table: Table, clock: Clock) -> None:
    game = await reviewed(table)
    user = next(player for player in (ANN, BOB) if len(own(game, player)) == 2)
    await table.of(Practicing).start(game.row.id, user)
    clock.advance(days=1)
    found = await table.of(Practicing).next(user)
    await table.of(Practicing).stop(found)
    assert await table.of(Practicing).answer(found, right=True) is None
    assert await table.of(Practicing).due(user) == 1
    assert (await table.of(Practicing).next(user)).row.ply == own(game, user)[1]


async def test_only_players_practice_and_only_ended_games(table: Table) -> None:
    game = await reviewed(table)
    await raises(NotAPlayer, table.of(Practicing).start(game.row.id, CID))
    running = await table.begin(start=Start.BALANCED)
    assert running.row.channel == CHANNEL
    await raises(NoReview, table.of(Practicing).start(running.row.id, ANN))


async def test_all_data_about_a_person_is_exported_and_deleted(
    table: Table, store: Store, engine: AsyncEngine, clock: Clock
) -> None:
    game = await reviewed(table)
    for user in (ANN, BOB):
        await table.of(Practicing).start(game.row.id, user)
    kept = await store.queries(PrivacyTable).export(ANN)
    assert kept["practice"] == [
        {"player_id": ANN, "game_id": game.row.id, "ply": ply, "step": NEW, "due_at": clock()}
        for ply in own(game, ANN)
    ]
    await store.queries(PrivacyTable).erase(ANN, at=clock())
    assert (await store.queries(PrivacyTable).export(ANN))["practice"] == []
    assert len((await all_rows(engine))["practice"]) == len(own(game, BOB))


@pytest.mark.parametrize(("color", "sign"), [(Color.WHITE, 1), (Color.BLACK, -1)])
def test_moves_of_about_equal_value_are_correct(color: Color, sign: int) -> None:
    told = parse_moves("a1-b1 b1-c1 c1-d1 d1-e1 e1-f1 f1-g1")
    best, equal, near, inaccurate, unknown, untold = told
    chances = ((best, 0.12), (equal, 0.12), (near, 0.075), (inaccurate, 0.065), (unknown, None))
    thoughts = [
        Thought(moves=(one,), white_wins=None if chance is None else 0.5 + sign * chance)
        for one, chance in chances
    ]
    for order in (thoughts, thoughts[::-1]):
        right = [one for one, _ in chances if is_as_good(one, order, color)]
        assert right == [best, equal, near]
        assert not is_as_good(untold, order, color)
    assert not is_as_good(best, (), color)


# Texts


async def test_the_view_asks_and_the_answer_names_the_better_move(
    table: Table, clock: Clock
) -> None:
    game = await reviewed(table)
    await table.of(Practicing).start(game.row.id, BOB)
    clock.advance(days=1)
    found = await table.of(Practicing).next(BOB)
    view = mistake(IN_ENGLISH, found)
    asked = exercise(IN_ENGLISH, view)
    best = str(found.made.best[0])
    assert f"against <@{ANN}>**, move 2." in asked.content
    assert f"You played {found.made.played}. Can you find something better?" in asked.content
    assert best not in asked.content
    stacks = [str(item) for item in by_stack(found.position)]
    before = [*stacks, "Type a move", "Show solution", "Don't show again"]
    assert [button.label for button in asked.buttons] == before

    after = found.row.answered(clock(), right=True)
    told = mistake_solved(IN_ENGLISH, found, found.made.best[0], after=after, due=1)
    assert told.lines[0] == f"✓ **{best}** is better."
    assert told.lines[-1].startswith("It comes back <t:")
    said = exercise(IN_ENGLISH, told)
    ways = ["Review", "Practice", "Don't show again"]
    ways += ["Play from here", "Choose opponent"]
    assert [button.label for button in said.buttons] == ways
    wrong = exercise(IN_ENGLISH, mistake_missed(IN_ENGLISH, found, found.made.played))
    assert wrong.content.startswith(f"✗ **{found.made.played}** isn't it.")
    assert best not in wrong.content
    assert [button.label for button in wrong.buttons] == [*before, "Try again"]
    given = mistake_solved(IN_ENGLISH, found, None, after=None, due=0)
    assert given.lines[0].startswith(f"Better: {best}.")
    other = next(move for move in found.position.legal_moves() if move != found.made.best[0])
    good = mistake_solved(IN_ENGLISH, found, other, after=after, due=0)
    assert good.lines[0] == f"✓ **{other}** is just as good."
    stopped = mistake_stopped(IN_ENGLISH, found, 0)
    assert not stopped.asks


async def test_a_review_has_the_button_for_who_has_misplayed_something(table: Table) -> None:
    game = await reviewed(table)
    review = review_of(game, {51: 0.2})

    def labels(asker: UserId) -> list[str]:
        return [button.label for button in practise_of_overview(IN_ENGLISH, game, review, asker)]

    loser = game.player(Color.BLACK if review.plies[1].color is Color.BLACK else Color.WHITE)
    assert labels(loser) == ["Practice my mistakes"]
    assert labels(game.opponent(loser)) == labels(CID) == []


async def test_a_players_mistakes_wait_while_others_play_them(table: Table, clock: Clock) -> None:
    copy = await copied(table, 57)
    user = CID if POSITIONS[56].turn is Color.WHITE else DAN
    assert (await table.of(Practicing).start(copy.row.id, user)).row.ply == 57
    clock.advance(days=2)
    await begin(table)
    await play(table, CHANNEL, MOVES[:56])

    async def next_one() -> Mistake | None:
        try:
            found = await table.of(Practicing).next(user)
        except NoEngineHelp:
            with pytest.raises(NoEngineHelp):
                await table.of(Practicing).find(user, copy.row.id, 57)
            return None
        return found

    with pytest.raises(NoEngineHelp):
        await table.of(Practicing).start(copy.row.id, user)
    assert await next_one() is None
    await play(table, CHANNEL, MOVES[56:57])
    found = await next_one()
    assert found is not None
    assert found.row.ply == 57
    assert found.position == POSITIONS[56]


async def test_a_mistake_that_waits_lets_the_next_come_before_it(
    table: Table, clock: Clock, engine: AsyncEngine
) -> None:
    copy = await copied(table, 57)
    user = CID if POSITIONS[56].turn is Color.WHITE else DAN
    await table.of(Practicing).start(copy.row.id, user)
    await table.store.queries(PracticeTable).add(user, copy.row.id, [50], due_at=clock())
    made = json.dumps(review_of(copy, {50: 0.3, 57: 0.3}).to_json())
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE reviews SET review = :made"), {"made": made})
    clock.advance(days=2)
    await begin(table)
    await play(table, CHANNEL, MOVES[:49])
    assert (await table.of(Practicing).next(user)).row.ply == 57
    await play(table, CHANNEL, MOVES[49:56])
    assert (await table.of(Practicing).next(user)).row.ply == 50
    with pytest.raises(NothingDue):
        await table.of(Practicing).next(ANN)

"""Tests for reviews, which are queued when a game ends and made once, in order."""

import asyncio
from datetime import timedelta

import pytest

from bot.base.ids import ChannelId, GameId, GuildId, Shards
from bot.database.connection import AsyncEngine
from bot.play.model.game import Game, Offer
from bot.play.model.terms import Start
from bot.play.store.store import Store
from bot.replay.model.replays import all_moves, placed_by_players
from dvonn import Phase, Position
from school.reviews.model import REVIEWED_HERE, NoReview, ReviewProblem, ReviewState
from school.reviews.store import ReviewTable
from school.reviews.use_cases import CLAIMED_FOR, FRESH, REVIEW, Job, Reviews
from tests.bot.conftest import Clock
from tests.bot.reviewed import review_of
from tests.bot.rows import all_rows
from tests.bot.table import ALL, ANN, BOB, CHANNEL, GUILD, Table, raises
from tests.games import random_game
from tests.tiers import share_of


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    return Table(store, clock, reviews=True)


async def begin(
    table: Table, start: Start = Start.BALANCED, guild: GuildId = GUILD, level: int | None = None
) -> Game:
    challenge = await table.challenge(start=start, guild=guild, level=level)
    return (await table.accept(challenge)).game


async def play(table: Table, game: Game, plies: int) -> Game:
    for _ in range(plies):
        game = (await table.move(game)).game
    return game


async def resign(table: Table, game: Game) -> Game:
    return (await table.resign(game)).game


async def ended(table: Table, plies: int = 2, guild: GuildId = GUILD) -> Game:
    """Return a game with some moves, which Ann has resigned."""
    return await resign(table, await play(table, await begin(table, guild=guild), plies))


async def state(table: Table, game: Game) -> ReviewState | None:
    row = await table.store.queries(ReviewTable).get(game.row.id)
    return None if row is None else row.state


async def take_job(table: Table, shards: Shards = ALL) -> Job:
    job = await table.of(Reviews).take(shards)
    assert job is not None
    return job


def telling(rows: dict[str, list[object]]) -> list[object]:
    return [row for row in rows["deliveries"] if isinstance(row, tuple) and row[1] == REVIEW]


# Requests


async def test_the_end_of_a_game_asks_for_its_review(table: Table, clock: Clock) -> None:
    game = await ended(table)
    row = await table.store.queries(ReviewTable).get(game.row.id)
    assert row is not None
    assert (row.state, row.tells, row.tries) == (ReviewState.WAITING, True, 0)
    assert row.queued_at == row.due_at == clock()


async def test_a_running_game_has_none(table: Table) -> None:
    game = await play(table, await begin(table), 1)
    assert await state(table, game) is None


async def test_people_who_switched_reviews_off_get_no_review(table: Table) -> None:
    for player in (ANN, BOB):
        await table.choices.switch(player, reviews=False)
        assert await state(table, await ended(table)) is None
        await table.choices.switch(player, reviews=True)
    await table.store.guilds.choose_for(GUILD, REVIEWED_HERE, False)
    assert await state(table, await ended(table)) is None
    await table.store.guilds.choose_for(GUILD, REVIEWED_HERE, True)
    assert await state(table, await ended(table)) is ReviewState.WAITING


async def test_there_is_nothing_to_review_without_moves_or_a_result(table: Table) -> None:
    assert await state(table, await resign(table, await begin(table))) is None
    placing = await play(table, await begin(table, Start.PLACEMENT), 5)
    assert await state(table, await resign(table, placing)) is None
    game = await play(table, await begin(table), 1)
    await table.abort(BOB)
    assert await state(table, game) is None


async def test_without_a_machine_nothing_is_asked_for(store: Store, clock: Clock) -> None:
    table = Table(store, clock)
    assert await state(table, await ended(table)) is None


# Results


@pytest.mark.both_databases
async def test_games_are_reviewed_in_the_order_in_which_they_ended(
    table: Table, other: Table
) -> None:
    games = [(await ended(table)).row.id for _ in range(5)]
    order = [
        (await take_job(game_table)).game.row.id
        for game_table in (table, other, table, other, other)
    ]
    assert order == games
    assert await table.of(Reviews).take(ALL) is None


@pytest.mark.both_databases
async def test_two_processes_never_review_one_game(table: Table, other: Table) -> None:
    games = {(await ended(table)).row.id for _ in range(4)}
    takes = await asyncio.gather(*(item.of(Reviews).take(ALL) for item in (table, other) * 6))
    jobs = [job.row.game for job in takes if job is not None]
    assert sorted(jobs) == sorted(games)


@pytest.mark.both_databases
async def test_each_process_reviews_the_games_of_its_shards(table: Table) -> None:
    game = await ended(table, guild=GuildId(3 << 22))
    assert await table.of(Reviews).take(Shards((0,), 2)) is None
    assert (await take_job(table, Shards((1,), 2))).row.game == game.row.id


@pytest.mark.both_databases(thorough="a few games show the same there, above")
async def test_many_simultaneous_ends_are_reviewed_in_order_and_announced_once(
    table: Table, other: Table, clock: Clock
) -> None:
    games, many = [], share_of(200)
    for number in range(many):
        channel, guild = ChannelId(1 + number), GuildId((1 + number) << 22)
        challenge = await table.challenge(start=Start.BALANCED, channel=channel, guild=guild)
        games.append(await play(table, (await table.accept(challenge)).game, 1))
    order: list[GameId] = []
    made: list[GameId] = []
    lost = None
    for game in reversed(games):
        clock.advance(seconds=0.001)
        order.append((await resign(table, game)).row.id)
    review = review_of(games[0], {})
    while (
        job := await (one := other if len(made) % 2 else table).of(Reviews).take(ALL)
    ) is not None:
        if len(made) == many // 2 and lost is None:
            lost = job  # the process of this job dies
            clock.time += CLAIMED_FOR
            continue
        assert await one.of(Reviews).finish(job, review)
        made.append(job.row.game)
    assert made == order
    assert lost is not None
    assert not await table.of(Reviews).finish(lost, review_of(lost.game, {50: 0.3}))
    unsent = sorted(await table.store.deliveries.all_unsent(), key=lambda one: one.id)
    assert [item.game for item in unsent if item.kind == REVIEW] == order


async def test_a_job_contains_the_moves(table: Table) -> None:
    game = await ended(table, 3)
    job = await take_job(table)
    assert (len(job.record.moves), job.placements) == (52, 0)
    assert job.record.moves == all_moves(game)


async def test_a_review_is_stored_and_announced_once(table: Table, engine: AsyncEngine) -> None:
    game = await ended(table)
    job, review = await take_job(table), review_of(game, {50: 0.2})
    assert await table.of(Reviews).finish(job, review)
    assert not await table.of(Reviews).finish(job, review)
    assert await table.of(Reviews).open(game.row.id, user=ANN) == (game, review)
    rows = await all_rows(engine)
    assert len(telling(rows)) == 1
    (letter,) = (item for item in await table.store.deliveries.all_unsent() if item.kind == REVIEW)
    assert (letter.event_key, letter.channel) == ((game.row.id, game.row.revision), CHANNEL)
    assert await table.of(Reviews).take(ALL) is None


async def test_an_old_games_board_is_not_edited(table: Table, engine: AsyncEngine) -> None:
    game = await ended(table)
    table.clock.time += FRESH
    assert not await table.of(Reviews).finish(await take_job(table), review_of(game, {}))
    assert telling(await all_rows(engine)) == []
    assert await state(table, game) is ReviewState.DONE


@pytest.mark.both_databases
async def test_a_job_continues_while_its_process_gives_signs_of_life(
    table: Table, other: Table
) -> None:
    game, job = await ended(table), await take_job(table)
    for _ in range(3):
        table.clock.time += CLAIMED_FOR - timedelta(seconds=1)
        assert await other.of(Reviews).take(ALL) is None
        still = await table.of(Reviews).extend_claim(job)
        assert still is not None
        job = still
    assert await table.of(Reviews).finish(job, review_of(game, {}))


async def test_a_process_that_stood_still_has_lost_its_job(
    table: Table, other: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game, lost = await ended(table), await take_job(table)
    clock.time += CLAIMED_FOR
    job = await take_job(other)
    assert await table.of(Reviews).extend_claim(lost) is None
    before = await all_rows(engine)
    assert not await table.of(Reviews).finish(lost, review_of(game, {50: 0.3}))
    await table.of(Reviews).failed(lost)
    await table.of(Reviews).give_back(lost)
    assert await all_rows(engine) == before
    assert await other.of(Reviews).finish(job, review_of(game, {}))


@pytest.mark.both_databases
async def test_a_review_whose_process_dies_five_times_is_abandoned(table: Table) -> None:
    game, after = await ended(table), await ended(table)
    for _ in range(5):
        assert (await take_job(table)).row.game == game.row.id
        table.clock.time += CLAIMED_FOR  # the process never returns
    assert (await take_job(table)).row.game == after.row.id
    assert await state(table, game) is ReviewState.REFUSED
    with pytest.raises(NoReview, match="failed"):
        await table.of(Reviews).open(game.row.id, user=ANN)


@pytest.mark.both_databases
async def test_a_failure_is_tried_again_at_once_and_only_once(table: Table) -> None:
    game = await ended(table)
    for _ in range(2):
        await table.of(Reviews).failed(await take_job(table))
    assert await state(table, game) is ReviewState.REFUSED, "its readers are told right away"
    assert await table.of(Reviews).take(ALL) is None


@pytest.mark.both_databases
async def test_a_newer_version_tries_an_abandoned_review_again_for_whoever_asks(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await ended(table)

    async def fails_twice() -> None:
        for _ in range(2):
            await table.of(Reviews).failed(await take_job(table))
        with pytest.raises(NoReview, match="failed"):
            await table.of(Reviews).open(game.row.id, user=ANN)
        assert await table.of(Reviews).take(ALL) is None, "this version has tried"

    await fails_twice()
    monkeypatch.setattr("dvonn.__version__", "99.0")
    for _ in range(2):
        with pytest.raises(NoReview, match="waiting"):
            await table.of(Reviews).open(game.row.id, user=ANN)
    await fails_twice()
    monkeypatch.setattr("dvonn.__version__", "99.1")
    with pytest.raises(NoReview, match="waiting"):
        await table.of(Reviews).open(game.row.id, user=ANN)
    job = await take_job(table)
    assert not job.row.tells, "the old board doesn't announce it"
    await table.of(Reviews).finish(job, review_of(game, {}))
    assert (await table.of(Reviews).open(game.row.id, user=ANN))[1] == review_of(game, {})


@pytest.mark.both_databases
async def test_interrupted_work_does_not_count_as_a_failure(table: Table) -> None:
    game = await ended(table)
    for _ in range(4):
        await table.of(Reviews).give_back(await take_job(table))
    assert await table.of(Reviews).finish(await take_job(table), review_of(game, {}))


# Closer looks


async def looked_at_first(table: Table, losses: dict[int, float]) -> Game:
    game = await ended(table)
    assert await table.of(Reviews).finish(await take_job(table), review_of(game, losses))
    return game


async def is_closer_review_pending(table: Table, game: GameId) -> bool:
    row = await table.store.queries(ReviewTable).get(game)
    return row is not None and row.is_closer_review_pending


async def looked_at_closer(table: Table) -> Job:
    job = await table.of(Reviews).take(ALL, closer=True)
    assert job is not None
    return job


@pytest.mark.both_databases
async def test_a_review_waits_for_a_closer_look_which_reports_its_changes(
    table: Table, engine: AsyncEngine
) -> None:
    game = await looked_at_first(table, {50: 0.2})
    assert await is_closer_review_pending(table, game.row.id)
    job = await looked_at_closer(table)
    assert job.game.row == game.row
    closer = review_of(game, {51: 0.3})
    assert await table.of(Reviews).finish(job, closer)
    assert not await is_closer_review_pending(table, game.row.id)
    _, found = await table.of(Reviews).open(game.row.id, user=ANN)
    assert (found.changed, [ply.ply for ply in found.taken_back]) == ((50, 51), [50])
    assert found.plies == closer.plies
    assert len(telling(await all_rows(engine))) == 2, "the last board is edited once more"
    assert not await table.of(Reviews).finish(job, closer)
    assert await table.of(Reviews).take(ALL, closer=True) is None


@pytest.mark.both_databases
async def test_the_newest_review_gets_its_closer_look_first(
    table: Table, other: Table, clock: Clock
) -> None:
    games = []
    for _ in range(3):
        games.append((await looked_at_first(table, {})).row.id)
        clock.advance(seconds=1)
    jobs = [await looked_at_closer(game_table) for game_table in (table, other, table)]
    assert [job.game.row.id for job in jobs] == games[::-1]
    assert await other.of(Reviews).take(ALL, closer=True) is None
    await table.of(Reviews).give_back(jobs[1])
    assert (await looked_at_closer(other)).row.game == games[1]


async def test_a_closer_look_that_fails_twice_leaves_the_first_review(table: Table) -> None:
    game = await looked_at_first(table, {50: 0.2})
    for _ in range(2):
        await table.of(Reviews).failed(await looked_at_closer(table))
    assert await table.of(Reviews).take(ALL, closer=True) is None
    assert await state(table, game) is ReviewState.DONE
    assert not await is_closer_review_pending(table, game.row.id)
    found = await table.of(Reviews).done(game.row.id)
    assert found == review_of(game, {50: 0.2})


async def test_an_expired_lease_of_a_closer_look_changes_nothing(
    table: Table, other: Table, clock: Clock
) -> None:
    game = await looked_at_first(table, {50: 0.2})
    lost = await looked_at_closer(table)
    clock.time += CLAIMED_FOR
    job = await looked_at_closer(other)
    assert not await table.of(Reviews).finish(lost, review_of(game, {}))
    assert await other.of(Reviews).finish(job, review_of(game, {50: 0.2}))
    found = await table.of(Reviews).done(game.row.id)
    assert found is not None
    assert found.changed == ()


# Reading


async def problem(table: Table, game: Game) -> ReviewProblem:
    refused = await raises(NoReview, table.of(Reviews).open(game.row.id, user=ANN))
    return refused.problem


async def test_a_missing_review_is_refused_with_a_reason(
    table: Table, store: Store, clock: Clock
) -> None:
    running = await play(table, await begin(table), 1)
    assert await problem(table, running) is ReviewProblem.RUNNING
    await resign(table, running)
    assert await problem(table, running) is ReviewProblem.WAITING
    empty = await resign(table, await begin(table))
    assert await problem(table, empty) is ReviewProblem.EMPTY
    assert await problem(Table(store, clock), running) is ReviewProblem.NO_MACHINE


async def test_an_unannounced_review_is_made_on_request(table: Table, engine: AsyncEngine) -> None:
    await table.choices.switch(ANN, reviews=False)
    game = await ended(table)
    for _ in range(2):
        assert await problem(table, game) is ReviewProblem.WAITING
    assert not await table.of(Reviews).finish(await take_job(table), review_of(game, {}))
    assert await table.of(Reviews).open(game.row.id, user=ANN) == (
        game,
        review_of(game, {}),
    )
    assert telling(await all_rows(engine)) == []


# The starting ply


def replayed(game: Game) -> Position:
    position = Position.initial()
    for move in all_moves(game):
        position = position.play(move)
    return position


@pytest.mark.parametrize("start", [Start.BALANCED, Start.PLACEMENT])
async def test_all_moves_lead_to_the_board(table: Table, start: Start) -> None:
    game = await play(table, await begin(table, start), 53 if start is Start.PLACEMENT else 4)
    assert (replayed(game), len(all_moves(game))) == (game.position, 53)
    assert placed_by_players(game) == (49 if start is Start.PLACEMENT else 0)


@pytest.mark.parametrize("placed", [0, 8])
async def test_all_moves_where_the_rest_was_placed_at_random(table: Table, placed: int) -> None:
    game = await begin(table, Start.PLACEMENT)
    for move in random_game(3)[:placed]:
        game = (await table.move(game, move)).game
    assert game.to_move is not None
    game = (await table.ask(game.to_move, Offer.FINISH)).game
    assert game.asked is not None
    update = await table.agree(game, game.asked)
    game = await play(table, update.game, 3)
    assert game.position.phase is Phase.MOVEMENT
    assert (replayed(game), placed_by_players(game)) == (game.position, placed)

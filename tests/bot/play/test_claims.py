"""Rated games without a clock: whoever lets one lie is reminded, and then can lose it by that."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.ids import BEFORE_START, UserId
from bot.base.intervals import Interval
from bot.base.locales import IN_ENGLISH
from bot.composition import refusal
from bot.database.rows import Way
from bot.features.ratings.store.ratings import RatingTable
from bot.features.reminders.use_cases import REMINDER, Reminders
from bot.features.reminders.words import reminder, reminders
from bot.play.model.clock import TimeControl
from bot.play.model.events import Deserted, TimedOut
from bot.play.model.game import Game
from bot.play.model.preferences import RemindAhead, RemindBy
from bot.play.model.refusals import NotAPlayer, TooLateToAbort, TurnOver
from bot.play.model.refused_starts import NotForYou
from bot.play.model.terms import How, Outcome, Start
from bot.play.store.schema import games
from bot.play.store.tables import Store
from bot.play.use_cases.deadlines import PATIENCE
from bot.play.use_cases.rematches import may_go_on
from bot.play.use_cases.update import Update
from bot.play.words.boards import board as board_post
from bot.play.words.boards import look
from bot.play.words.clocks import with_clocks
from dvonn import Color, format_move
from tests.bot.conftest import Clock
from tests.bot.features.ratings.rated import begun, changes, verdict_of
from tests.bot.features.reminders.reminded import sent
from tests.bot.hands import Hands
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, Table

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MACHINE = UserId(900)
CLAIM = "Claim win"


async def deserted(table: Table, *, rated: bool = True) -> Game:
    """A game that Ann has let lie, and of which that was told."""
    await begun(table, rated=rated)
    table.clock.advance(days=14)
    (told,) = await table.look()
    return told.game


async def claim(table: Table, game: Game, user: UserId = BOB) -> Update:
    row = game.row
    return await table.leaving.claim(row.id, row.revision, user, source=table.source())


async def moves(table: Table, user: UserId = ANN) -> Update:
    game = await table.archive.running_in(CHANNEL)
    return await table.play(user, format_move(game.position.legal_moves()[0]))


def labels(told: Update) -> list[str]:
    return [button.label for button in board_post(IN_ENGLISH, told).buttons]


# The claim


@pytest.mark.both_databases
async def test_whoever_waits_claims_it_and_it_counts_as_lost_on_time(
    table: Table, clock: Clock
) -> None:
    game = await deserted(table)
    (desertion,) = await table.store.games.events(game.row.id, after=game.board_since)
    assert desertion.kind is Deserted
    clock.advance(days=40)
    won = await claim(table, game)
    assert won.game.outcome == Outcome(How.TIME, winner=Color.BLACK)
    assert {one.player: one.score for one in changes(won)} == {ANN: 0, BOB: 1}
    (told,) = won.told
    assert (told.event.kind, told.event.actor) == (TimedOut, ANN)
    assert won.calls == (ANN,), "who has claimed it looks on"
    assert may_go_on(won.game)
    assert await table.store.timers.due(ALL, clock() + 99 * DAY) == {}
    said = board_post(IN_ENGLISH, won).content
    assert said.startswith("<@101> hasn't moved for 14 days. <@102> wins.\n")
    again = await table.games.untold(game.row.id, won.game.row.revision, BEFORE_START)
    assert "\nRatings: <@101> 1338? (−162)" in board_post(IN_ENGLISH, again).content


async def test_the_board_offers_it_beside_abort(table: Table, clock: Clock) -> None:
    await begun(table)
    clock.advance(days=14)
    (told,) = await table.look()
    buttons = labels(told)
    assert buttons[buttons.index(CLAIM) + 1] == "Abort"
    assert board_post(IN_ENGLISH, told).content == (
        "No move for 14 days. <@101>, your turn.\n"
        "<@102>, you can keep waiting, claim the win, or press Abort: no result."
    )
    assert CLAIM not in labels(await moves(table))


async def test_who_may_claim_it(table: Table, clock: Clock) -> None:
    waits = await begun(table)
    clock.advance(days=13)
    with pytest.raises(NotForYou):
        await claim(table, waits)
    clock.advance(days=1)
    (told,) = await table.look()
    for user, refused in ((ANN, NotForYou), (CID, NotAPlayer)):
        with pytest.raises(refused):
            await claim(table, told.game, user)
    await moves(table)
    with pytest.raises(TurnOver):
        await claim(table, told.game)
    with pytest.raises(NotForYou):
        await claim(table, await table.archive.running_in(CHANNEL))


async def test_it_can_still_be_ended_without_a_result(table: Table) -> None:
    await deserted(table)
    ended = await table.abort(BOB)
    assert (ended.game.outcome, verdict_of(ended)) == (Outcome(How.ABORT), None)


@pytest.mark.parametrize("user", [ANN, BOB])
async def test_friendly_games_stay_as_they_are(table: Table, user: UserId) -> None:
    game = await deserted(table, rated=False)
    with pytest.raises(NotForYou):
        await claim(table, game, user)
    told = await table.games.untold(game.row.id, game.row.revision, game.board_since)
    assert CLAIM not in labels(told)
    assert "Abort" in labels(told)


@pytest.mark.both_databases
async def test_a_game_keeps_the_terms_with_which_it_began(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await begun(table)
    async with engine.begin() as connection:  # as an older bot has begun it
        await connection.execute(update(games).values(claimable=None))
    later = Table(Store(engine), clock)
    later.last_source = 9_000
    for day in range(1, 15):
        clock.time = game.line[-1].at + day * DAY
        assert await sent(later) == []
    lies = await later.archive.running_in(CHANNEL)
    assert lies.left_by == ANN
    with pytest.raises(NotForYou):
        await claim(later, lies)


async def test_what_has_hardly_begun_is_only_ended(table: Table) -> None:
    await begun(table, turns=1)
    table.clock.advance(days=13, hours=1)
    assert await sent(table) == [], "nobody loses by it"
    table.clock.advance(days=1)
    (told,) = await table.look()
    assert CLAIM not in labels(told)
    with pytest.raises(NotForYou):
        await claim(table, told.game)


async def test_before_that_the_one_who_waits_is_told_from_when_on_they_can(table: Table) -> None:
    game = await begun(table)
    with pytest.raises(TooLateToAbort) as caught:
        await table.abort(BOB)
    assert caught.value.possible_from == game.line[-1].at + PATIENCE
    assert refusal(IN_ENGLISH, caught.value).endswith("you can claim the win then.")


async def test_the_first_board_and_the_clock_that_is_none_tell_the_terms(table: Table) -> None:
    words = "If nobody moves for 14 days, the waiting player can claim the win."
    for rated in (True, False):
        challenge = await table.challenge(start=Start.BALANCED, rated=rated)
        first = await table.accept(challenge)
        assert (words in board_post(IN_ENGLISH, first).content.splitlines()) is rated
        board = look(IN_ENGLISH, first.game)
        shown = with_clocks(IN_ENGLISH, board, first.game, None).content
        assert (words in shown) is rated
        await table.abort(ANN)


async def test_a_game_with_a_clock_is_not_claimed(table: Table) -> None:
    game = await begun(table, clock=TimeControl(bank=99 * DAY))
    assert not game.row.claimable


# The reminders before it


async def reminded(table: Table, until: datetime, step: timedelta = HOUR) -> list[datetime]:
    """When somebody is reminded, of all the hours until a moment."""
    seen = []
    while table.clock() < until:
        table.clock.advance(seconds=step.total_seconds())
        seen += [table.clock() for _ in await sent(table)]
    return seen


async def test_the_one_who_lets_it_lie_is_warned_a_day_and_an_hour_before(
    table: Table, clock: Clock
) -> None:
    began = (await begun(table)).line[-1].at
    clock.time = began
    assert await reminded(table, began + 20 * DAY) == [
        began + PATIENCE - DAY,
        began + PATIENCE - HOUR,
    ]
    assert (await table.archive.running_in(CHANNEL)).left_by == ANN


@pytest.mark.parametrize("late", [0, 1, 5, 6, 7, 12, 13])
async def test_a_turn_is_reminded_of_whenever_it_began(
    table: Table, clock: Clock, late: int
) -> None:
    """Moves set no timer of such a game: what looks at it comes soon enough for any turn."""
    began = (await begun(table)).line[-1].at
    await table.choices.set_reminders(BOB, at=frozenset({RemindAhead.HALF}))
    clock.time = began
    await reminded(table, began + late * DAY)
    since = (await moves(table)).game.line[-1].at
    clock.time = since
    assert await reminded(table, since + PATIENCE) == [since + PATIENCE / 2]


async def test_it_says_what_comes_of_it(table: Table, clock: Clock) -> None:
    await begun(table)
    await table.choices.set_reminders(ANN, by=RemindBy.DM)
    clock.advance(days=13, hours=1)
    rows = await sent(table)
    assert [(row.player, row.way) for row in rows] == [(ANN, Way.DM)]
    standing = await table.of(Reminders).still_due(rows)
    when = f"<t:{int(standing[0].deadline.timestamp())}:R>"
    then = f"Your time runs out {when}. Then <@102> can claim the win."
    assert then in reminder(IN_ENGLISH, standing[0], 1).content.splitlines()[0]
    assert then in reminders(IN_ENGLISH, standing, 1).content
    several = reminders(IN_ENGLISH, standing * 2, 1).content
    assert several.count("Then <@102> can claim the win.") == 2


async def test_a_reminder_that_waits_is_dropped_once_it_is_needless(
    table: Table, clock: Clock
) -> None:
    await begun(table)
    clock.advance(days=13, hours=1)
    await table.look()
    (row,) = await table.store.deliveries.due([REMINDER], ALL, clock())
    assert len(await table.of(Reminders).still_due([row])) == 1
    clock.advance(days=1)
    assert await table.of(Reminders).still_due([row]) == [], "its time is up"
    assert len(await table.look()) == 1
    assert await table.of(Reminders).still_due([row]) == []
    assert await table.store.deliveries.due([REMINDER], ALL, clock()) == []


async def test_vacations_and_outages_put_all_of_it_off(table: Table, clock: Clock) -> None:
    began = (await begun(table)).line[-1].at
    clock.time = began
    await table.vacations.start(ANN, 5)
    outage = Interval(begins=began + 6 * DAY, ends=began + 8 * DAY)
    await table.store.outages.add(0, 1, outage)
    assert await reminded(table, began + 21 * DAY - HOUR) == [
        began + 20 * DAY,
        began + 21 * DAY - HOUR,
    ]
    assert (await table.archive.running_in(CHANNEL)).left_by is None
    clock.advance(hours=1)
    assert len(await table.look()) == 1


async def test_who_wants_no_reminders_gets_none(table: Table, clock: Clock) -> None:
    await begun(table)
    await table.choices.set_reminders(ANN, by=RemindBy.NONE)
    assert await reminded(table, clock() + 15 * DAY, 6 * HOUR) == []


# Against the machine


@pytest.fixture
async def alone(table: Table, clock: Clock) -> Game:
    """A rated game against the machine, in which it is Ann's turn."""
    game = await begun(table, ANN, MACHINE, level=5)
    assert game.to_move == ANN
    clock.time = game.line[-1].at
    return game


async def test_against_the_machine_whoever_lets_a_rated_game_lie_has_lost_it(
    table: Table, clock: Clock, alone: Game
) -> None:
    began = clock()
    assert len(await reminded(table, began + PATIENCE - HOUR)) == 2
    clock.advance(hours=1)
    (over,) = await table.look()
    assert over.game.outcome == Outcome(How.TIME, winner=Color.BLACK)
    assert [(one.player, one.score) for one in changes(over)] == [(ANN, 0), (ANN, 0)]
    assert over.calls == (ANN,)
    said = board_post(IN_ENGLISH, over).content
    assert said.startswith("<@101> ran out of time. <@900> wins.")
    board = look(IN_ENGLISH, alone)
    assert with_clocks(IN_ENGLISH, board, alone, None).content.endswith(
        "If <@101> doesn't move for 14 days, the game is lost."
    )


async def test_the_reminder_of_it_says_that_it_is_lost(
    table: Table, clock: Clock, alone: Game
) -> None:
    clock.advance(days=13, hours=1)
    (one,) = await table.of(Reminders).still_due(await sent(table))
    assert reminder(IN_ENGLISH, one, 1).content.endswith("Then the game is lost.")


async def test_the_machine_does_not_lose_by_being_slow_and_its_opponent_still_can(
    table: Table, clock: Clock, alone: Game
) -> None:
    await moves(table)
    assert await reminded(table, clock() + 30 * DAY, 6 * HOUR) == []
    game = await table.archive.running_in(CHANNEL)
    assert (game.to_move, game.left_by) == (MACHINE, None)
    with pytest.raises(TooLateToAbort) as caught:
        await table.abort(ANN)
    assert caught.value.possible_from is None
    since = (await moves(table, MACHINE)).game.line[-1].at
    clock.time = since
    assert len(await reminded(table, since + PATIENCE - HOUR)) == 2
    clock.advance(hours=1)
    assert [one.game.outcome for one in await table.look()] == [
        Outcome(How.TIME, winner=Color.BLACK)
    ]


async def test_an_unrated_game_against_the_machine_never_lies(table: Table, clock: Clock) -> None:
    await begun(table, ANN, MACHINE, level=5, rated=False)
    assert await table.store.timers.due(ALL, clock() + 99 * DAY) == {}


# At once


@pytest.mark.both_databases
async def test_who_comes_back_first_does_not_lose(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await deserted(table)

    async def claims(at: Table) -> Update:
        return await claim(at, game)

    late, first = await Hands(engine, clock).race(claims, moves)
    assert isinstance(first, Update)
    assert isinstance(late, TurnOver)


@pytest.mark.both_databases
async def test_who_comes_back_too_late_finds_it_over(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await deserted(table)

    async def claims(at: Table) -> Update:
        return await claim(at, game)

    late, first = await Hands(engine, clock).race(moves, claims)
    assert isinstance(first, Update)
    assert isinstance(late, Exception)
    rows = await table.store.of(RatingTable).changes(game.row.id)
    assert len(rows) == 4

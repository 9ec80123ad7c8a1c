"""Tests for /board: a game's clocks, and why one is paused."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval
from bot.connection.posts import Post
from bot.play.model.clock import TimeControl
from bot.play.model.events import Started
from bot.play.model.game import Game
from bot.play.model.pauses import Pause, PauseReason
from bot.play.model.refusals import NoGameHere
from bot.play.model.terms import Defaults
from bot.play.store.store import Store
from bot.play.use_cases.clocks import Clocks, GameClocks
from bot.play.use_cases.deadlines import known_pauses, pauses
from bot.play.words.boards import board
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.clocks import clock_choices, with_clocks
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.replayed import A, B, challenge, new_game, play, started, step
from tests.bot.table import ANN, BOB, CHANNEL, Table, raises

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
FISCHER = TimeControl(bank=3 * DAY, increment=DAY, cap=3 * DAY)
RESTING = replace(FISCHER, weekends="UTC")


@pytest.fixture
def room(table: Table) -> GameClocks:
    return table.clocks


async def standing(room: GameClocks) -> Clocks:
    _, found = await room.in_channel(CHANNEL)
    assert found is not None
    return found


async def test_a_game_without_a_clock_and_a_channel_without_a_game(
    table: Table, room: GameClocks
) -> None:
    await raises(NoGameHere, room.in_channel(CHANNEL))
    update = await table.accept(await table.challenge())
    assert await room.in_channel(CHANNEL) == (update.game, None)


async def test_the_clock_of_the_player_to_move_runs(table: Table, room: GameClocks) -> None:
    await table.begin(clock=FISCHER)
    table.clock.advance(hours=20)
    assert await standing(room) == Clocks(
        white=2 * DAY + 4 * HOUR,
        black=3 * DAY,
        turn=Color.WHITE,
        deadline=table.clock() + 2 * DAY + 4 * HOUR,
        pause=None,
        outage=timedelta(),
        unsent=timedelta(),
    )
    table.clock.advance(days=2)
    await table.play(ANN, "a1")
    table.clock.advance(days=4)
    passed = await standing(room)
    assert (passed.white, passed.black) == (DAY + 4 * HOUR, timedelta())
    assert passed.deadline == table.clock() - DAY
    assert (passed.turn, passed.time_left(Color.WHITE)) == (Color.BLACK, DAY + 4 * HOUR)
    await table.play(BOB, "b1")
    again = await standing(room)
    assert (again.turn, again.white, again.black) == (Color.WHITE, DAY + 4 * HOUR, DAY)
    assert again.deadline == table.clock() + DAY + 4 * HOUR


async def test_a_game_that_has_ended_has_no_clocks(table: Table, room: GameClocks) -> None:
    update = await table.resign(await table.begin(clock=FISCHER))
    assert await room.of_game(update.game) is None


async def test_no_clock_is_paused_in_a_finished_game(table: Table, store: Store) -> None:
    game = await table.begin(clock=FISCHER)
    away = Interval(begins=table.clock(), ends=table.clock() + DAY)
    await store.outages.add(0, 1, away)
    await table.vacations.start(ANN, 3)
    known = await known_pauses(store, game, table.clock())
    assert [len(known.for_player(player).intervals) for player in (ANN, BOB, None)] == [2, 1, 1]
    assert await pauses(store, game, table.clock()) == known.for_player(ANN)
    update = await table.resign(game)
    assert not (await pauses(store, update.game, table.clock())).intervals


async def test_a_clock_rests_at_weekends(table: Table, room: GameClocks, clock: Clock) -> None:
    clock.time = datetime(2026, 3, 6, 23, tzinfo=UTC)  # a Friday
    await table.begin(clock=RESTING)
    began = clock()
    clock.advance(hours=10)
    found = await standing(room)
    monday = datetime(2026, 3, 9, tzinfo=UTC)
    ran = datetime(2026, 3, 7, tzinfo=UTC) - began
    assert found.white == 3 * DAY - ran
    assert found.pause == Pause(begins=monday - 2 * DAY, ends=monday, reason=PauseReason.WEEKEND)
    assert found.deadline == monday + 3 * DAY - ran
    clock.time = monday
    assert (await standing(room)).pause_reason is None


async def test_a_clock_stops_on_vacation(
    table: Table, room: GameClocks, store: Store, clock: Clock
) -> None:
    await table.begin(clock=RESTING)
    await table.vacations.start(BOB, 3)  # it is not his turn
    clock.time = datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert (await standing(room)).pause_reason is None
    ends = (await table.vacations.start(ANN, 7)).vacations[0].ends
    began, before = clock(), await standing(room)
    clock.advance(days=5)  # that day is a Saturday, too
    found = await standing(room)
    assert found == before
    assert found.pause == Pause(begins=began, ends=ends, reason=PauseReason.VACATION, player=ANN)
    assert found.outage == timedelta()
    clock.time = ends
    assert (await standing(room)).pause_reason is None


async def test_events_that_the_bot_missed_are_sent(
    table: Table, room: GameClocks, store: Store
) -> None:
    await table.begin(clock=FISCHER)
    table.clock.advance(hours=5)
    away = Interval(begins=table.clock() - 3 * HOUR, ends=table.clock() - HOUR)
    await store.outages.add(0, 1, away)
    await store.outages.add(0, 2, Interval(begins=away.begins + HOUR, ends=away.ends))
    found = await standing(room)
    assert (found.outage, found.white) == (2 * HOUR, 3 * DAY - 3 * HOUR)


# Texts


NOW = datetime(2026, 3, 1, tzinfo=UTC)
DEADLINE = NOW + 2 * DAY + 5 * HOUR
RUNNING = Clocks(
    white=2 * DAY + 5 * HOUR + timedelta(minutes=59),
    black=timedelta(),
    turn=Color.WHITE,
    deadline=DEADLINE,
    pause=None,
    outage=timedelta(seconds=59),
    unsent=timedelta(),
)


def game(control: TimeControl | None = FISCHER) -> Game:
    plain = started()
    return replace(plain, row=replace(plain.row, clock=control))


def stamp(moment: datetime, style: str = "f") -> str:
    return f"<t:{int(moment.timestamp())}:{style}>"


def lines_of(played: Game, standing: Clocks | None) -> list[str]:
    """Return the text below the board."""
    post = with_clocks(IN_ENGLISH, Post(content="The board."), played, standing)
    board, *lines = post.content.splitlines()
    assert board == "The board."
    return lines


def test_both_clocks_in_words() -> None:
    assert lines_of(game(), RUNNING) == [
        "Clock: 3 days + 1 day per move (max 3 days).",
        f"{A} has 2 days, 5 hours left.",
        f"{B} has 0:00 left.",
        f"{A} has until {stamp(DEADLINE)} ({stamp(DEADLINE, 'R')}).",
    ]


def resting(rest: PauseReason) -> Pause:
    return Pause(begins=NOW - HOUR, ends=NOW + HOUR, reason=rest)


def test_why_a_clock_is_stopped_in_words() -> None:
    until = NOW + HOUR
    away = replace(RUNNING, pause=resting(PauseReason.VACATION), turn=Color.BLACK)
    assert lines_of(game(), away)[3] == (
        f"{B} is on vacation until {stamp(until)}. After that {B} has until "
        f"{stamp(DEADLINE)} ({stamp(DEADLINE, 'R')})."
    )
    weekend = replace(RUNNING, pause=resting(PauseReason.WEEKEND), outage=2 * HOUR)
    assert lines_of(game(), weekend)[3:] == [
        (
            f"It's the weekend: {A}'s clock rests until {stamp(until)}. After that {A} has until "
            f"{stamp(DEADLINE)} ({stamp(DEADLINE, 'R')})."
        ),
        "I was offline for 2 hours. That time doesn't count.",
    ]


def test_a_game_without_a_clock_in_words() -> None:
    (words,) = lines_of(game(None), None)
    assert words.startswith("No clock in this game.")
    assert "14 days" in words


def test_an_inactive_team_game_cannot_be_claimed() -> None:
    plain = game(None)
    voted = replace(plain, row=replace(plain.row, vote=HOUR))
    assert lines_of(voted, None) == ["No clock in this game."]


# Clocks in a challenge, on the first board, and as choices


def test_a_challenge_shows_its_clock() -> None:
    without, timed = (
        challenge_post(IN_ENGLISH, challenge(clock=clock, level=3)).content
        for clock in (None, TimeControl.from_text("3d+1d/3d"))
    )
    assert timed == without + "\nClock: 3 days + 1 day per move (max 3 days)."


def test_the_first_board_shows_the_clock_and_the_second_does_not() -> None:
    game = new_game()
    game = replace(game, row=replace(game.row, clock=TimeControl.from_text("15m")))
    game, update = step(game, Started(), game.row.black)
    assert board(IN_ENGLISH, update).content.startswith(
        f"{A}, your turn.\nWhite: {A}. Black: {B}.\nClock: 15 minutes each, live.\n"
    )
    _, (second,) = play(game, "d2")
    assert "Clock:" not in board(IN_ENGLISH, second).content


# Choices


def offered(typed: str) -> dict[str, str]:
    return {option.label: option.value for option in clock_choices(IN_ENGLISH, typed)}


def test_at_first_the_presets_are_offered() -> None:
    assert offered("") == {
        "1 day per move": "1 day per move",
        "3 days per move": "3 days per move",
        "10+5: 10 minutes + 5 seconds per move, live": "10+5",
        "15+10: 15 minutes + 10 seconds per move, live": "15+10",
        "none: no clock": "none",
        "7 days per move": "7 days per move",
        "3 days + 1 day: 3 days + 1 day per move (max 3 days)": "3 days + 1 day",
        "240 hours + 36 hours: 10 days + 36 hours per move (max 10 days)": "240 hours + 36 hours",
        "15 minutes: 15 minutes each, live": "15 minutes",
    }


def test_a_servers_default_comes_first() -> None:
    usual = Defaults(clock=TimeControl.from_text("2d+2d/2d"))
    first = clock_choices(IN_ENGLISH, " ", usual)[0]
    assert (first.label, first.value) == ("2 days per move (usual in this server)", "2d+2d/2d")
    assert clock_choices(IN_ENGLISH, "10", usual) == clock_choices(IN_ENGLISH, "10")
    assert clock_choices(IN_ENGLISH, "", Defaults()) == clock_choices(IN_ENGLISH, "")


def test_half_typed_options_are_explained_once_readable() -> None:
    assert offered("2w + 12h") == {
        "2w + 12h: 14 days + 12 hours per move (max 14 days)": "2w + 12h"
    }
    assert list(offered("10").values()) == ["10+5", "15+10"]
    assert list(offered("10+5").values()) == ["10+5"]
    assert list(offered("10 minutes").values()) == ["10 minutes"]
    assert offered("2w + ") == {}


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "1d 1h 1m + 1d 1h 1m up to 2d 2h 2m",
        "61d" + " " * 200,
        "x" * 4_000,
        "1" * 100,
        "9" * 99 + "d",
    ],
)
def test_whatever_is_typed_the_choices_are_within_discords_limits(typed: str) -> None:
    for option in clock_choices(IN_ENGLISH, typed):
        assert 1 <= len(option.label) <= 100
        assert 1 <= len(option.value) <= 100

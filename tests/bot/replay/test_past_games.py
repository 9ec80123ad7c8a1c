"""Tests for finding finished games."""

import pytest

from bot.base.ids import GameId, GuildId, Revision, UserId
from bot.play.model.game import Offer
from bot.play.model.refusals import GameNotRunning
from bot.play.model.terms import EndReason
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from bot.replay.use_cases.history import History
from dvonn import Position
from tests.bot.table import ANN, BOB, CID, GUILD, Table, raises
from tests.games import random_game

MOVES = random_game(5)
POSITIONS = [Position.initial()]
for _move in MOVES:
    POSITIONS.append(POSITIONS[-1].play(_move))
PLAYED = 60
FRIEND, ELSEWHERE = UserId(104), GuildId(77)
"""A user without games, and a server without games."""


@pytest.fixture
def history(store: Store) -> History:
    return History(store, GameCache(store))


async def ended(table: Table, count: int, *, challenger: UserId = ANN) -> list[GameId]:
    """Games that someone has lost to Bob one after the other, newest first."""
    numbers: list[GameId] = []
    for _ in range(count):
        game = await table.begin(BOB, challenger=challenger)
        table.clock.advance(minutes=1)
        source = table.source()
        await table.leaving.resign(game.row.id, Revision(0), challenger, source=source)
        numbers.insert(0, game.row.id)
    return numbers


async def test_games_that_are_over_are_listed_in_pages(table: Table, history: History) -> None:
    numbers = await ended(table, 23)
    running = await table.begin()
    pages, at = [], None
    while True:
        page = await history.ended(GUILD, ANN, before=at)
        pages.append([game.row.id for game in page.games])
        assert page.has_newer == (len(pages) > 1)
        if not page.has_older:
            break
        at = pages[-1][-1]
    assert pages == [numbers[:10], numbers[10:20], numbers[20:]]
    assert all(running.row.id not in page for page in pages)
    back = await history.ended(GUILD, ANN, after=pages[2][0])
    assert [game.row.id for game in back.games] == pages[1]
    assert (back.has_newer, back.has_older) == (True, True)
    first = await history.ended(GUILD, ANN, after=pages[1][0])
    assert [game.row.id for game in first.games] == pages[0]
    assert (first.has_newer, first.has_older) == (False, True)


async def test_games_of_both_seats_are_listed_and_no_others(table: Table, history: History) -> None:
    anns, cids = await ended(table, 2), await ended(table, 2, challenger=CID)
    bobs = await history.ended(GUILD, BOB)
    assert [game.row.id for game in bobs.games] == [*cids, *anns]
    assert [game.row.id for game in (await history.ended(GUILD, ANN)).games] == anns
    assert (await history.ended(GuildId(1), BOB)).games == ()
    newest = bobs.games[0]
    assert newest.at == table.clock()
    assert newest.row.outcome is not None
    assert newest.row.outcome.reason is EndReason.RESIGNATION


async def test_a_record_has_names_and_the_day_on_which_the_game_began(
    table: Table, history: History
) -> None:
    (number,) = await ended(table, 1)
    _, record = await history.record(number, white="Ann", black="")
    assert dict(record.headers) == {
        "White": "Ann",
        "Black": "?",
        "Date": "2026.03.01",
        "Coordinates": "standard",
        "Result": "0-1",
        "Termination": "resignation",
    }
    await raises(GameNotRunning, history.record(GameId(99), white="", black=""))


async def test_a_board_is_found_in_its_games_course(table: Table, history: History) -> None:
    game = await table.begin()
    await table.play_out(MOVES[:9])
    number = game.row.id
    assert (await history.at_board(number, Revision(5)))[1:] == (5, ())
    await raises(GameNotRunning, history.at_board(number, Revision(10)))
    await raises(GameNotRunning, history.at_board(GameId(99), Revision(0)))


async def test_a_line_remembers_takebacks(table: Table, history: History) -> None:
    game = await table.begin()
    last = (await table.play_out(MOVES[:9])).events[-1].event.actor
    await table.ask(last, Offer.TAKEBACK)
    _, ply, line = await history.at_board(game.row.id, Revision(9))
    assert (ply, line) == (8, tuple(MOVES[8:9]))

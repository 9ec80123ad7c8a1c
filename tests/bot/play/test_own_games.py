"""Tests for a person's list of running games: order, deadlines, pauses."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.base.languages import IN_ENGLISH, languages, reader_for
from bot.connection.posts import due, timestamp
from bot.play.model.clock import TimeControl
from bot.play.model.game import Offer
from bot.play.model.pauses import PauseReason
from bot.play.model.terms import MOST_GAMES_PER_PERSON
from bot.play.words.notices import running_games
from bot.replay.use_cases.history import EndedGames
from bot.replay.words.game_page import RUNNING_PER_PAGE, games_list
from tests.bot.conftest import Clock
from tests.bot.looked import DAY, HOUR, start
from tests.bot.play.example_texts import own_games
from tests.bot.replayed import started
from tests.bot.table import ANN, BOB, GUILD, Table

A_DAY = TimeControl(bank=DAY, increment=DAY, cap=DAY)
TWO_DAYS = TimeControl(bank=2 * DAY, increment=2 * DAY, cap=2 * DAY)
FIRST, SECOND, THIRD, FOURTH, FIFTH = map(ChannelId, range(701, 706))


NONE_ENDED = EndedGames(games=(), has_newer=False, has_older=False)


async def begun(table: Table) -> datetime:
    """Games started in a fixed order. In the fourth it is Bob's turn."""
    for channel, clock in (
        (FIFTH, None),
        (THIRD, TWO_DAYS),
        (SECOND, A_DAY),
        (FOURTH, A_DAY),
    ):
        await start(table, channel, clock=clock)
    await table.play(ANN, "d2", FOURTH)
    table.clock.advance(hours=1)
    await start(table, FIRST, clock=TimeControl(bank=12 * HOUR))
    return table.clock()


async def listed(table: Table, player: int = ANN) -> list[ChannelId]:
    running = await table.does.own_games.running(GUILD, type(ANN)(player))
    return [item.game.row.channel for item in running]


async def test_games_with_the_nearest_deadline_come_first(table: Table) -> None:
    await begun(table)
    assert await listed(table) == [FIRST, SECOND, THIRD, FIFTH, FOURTH]
    assert await listed(table, BOB) == [FOURTH, FIRST, SECOND, THIRD, FIFTH]


async def test_each_line_has_the_time_left(table: Table, clock: Clock) -> None:
    began = await begun(table)
    running = await table.does.own_games.running(GUILD, ANN)
    lines = running_games(IN_ENGLISH, running, GUILD, ANN).content.splitlines()
    assert lines[0] == f"1. <#{FIRST}> vs <@{BOB}>: **your turn** · {due(began + 12 * HOUR)}"
    assert lines[3] == f"4. <#{FIFTH}> vs <@{BOB}>: **your turn**"
    assert lines[4].startswith(f"5. <#{FOURTH}> vs <@{BOB}>: their turn · <t:")


async def test_a_line_names_players_on_vacation(table: Table, clock: Clock) -> None:
    began = await begun(table)
    away = (await table.vacations.start(BOB, 5)).vacations[0]
    running = await table.does.own_games.running(GUILD, ANN)
    assert [item.pause is not None for item in running] == [False] * 4 + [True]
    lines = running_games(IN_ENGLISH, running, GUILD, ANN).content.splitlines()
    assert lines[-1].endswith(f" · on vacation until {timestamp(away.ends)}")
    await table.vacations.start(ANN, 3)
    resting = await table.does.own_games.running(GUILD, ANN)
    assert resting[0].game.row.channel == FIRST
    assert resting[0].pause is not None
    assert resting[0].pause.reason is PauseReason.VACATION
    assert resting[0].deadline == began + 3 * DAY + 12 * HOUR


async def test_a_game_that_is_paused_by_agreement_has_no_time(table: Table) -> None:
    await start(table, FIRST, clock=A_DAY)
    await start(table, SECOND, clock=TWO_DAYS)
    await table.ask(ANN, Offer.PAUSE, FIRST)
    game = await table.game_cache.running_in(FIRST)
    await table.agree(game, BOB)
    assert await listed(table) == [SECOND, FIRST]
    paused = (await table.does.own_games.running(GUILD, ANN))[1]
    assert paused.deadline is None
    line = running_games(IN_ENGLISH, [paused], GUILD, ANN).content
    assert "paused since <t:" in line


async def test_the_most_urgent_of_many_games_are_listed(table: Table, clock: Clock) -> None:
    await table.servers.choose(GUILD, games_per_person=MOST_GAMES_PER_PERSON)
    for number in range(24):
        hours = 24 + 7 * number % 40
        await start(table, ChannelId(800 + number), clock=TimeControl(bank=hours * HOUR))
    running = await table.does.own_games.running(GUILD, ANN)
    deadlines = [item.deadline for item in running if item.deadline is not None]
    assert len(deadlines) == 24
    assert deadlines == sorted(deadlines)
    assert timedelta() < deadlines[0] - clock() < 25 * HOUR
    told = list[str]()
    for page in range(4):
        post = games_list(IN_ENGLISH, running, NONE_ENDED, GUILD, ANN, page)
        heading, *lines = post.content.splitlines()
        assert heading == f"**Running games** {len(told) + 1}–{len(told) + len(lines)} of 24"
        assert [len(post.selects[0].options), len(lines)] == [len(lines)] * 2
        assert [button.disabled for button in post.buttons] == [page == 0, page == 3, False]
        told += lines
    numbered = enumerate(running, start=1)
    assert [line.split(" vs ")[0] for line in told] == [
        f"{number}. <#{one.game.row.channel}>" for number, one in numbered
    ]


def test_a_page_of_running_games_fits_into_a_message_in_every_language() -> None:
    number = 10**19
    where = ChannelId(number), MessageId(number)
    row = replace(started().row, channel=where[0], white=UserId(number), black=UserId(number))
    for language in ("en", *languages()):
        for game in own_games():
            longest = replace(game, game=replace(started(), row=row), board=where)
            many, none = [longest] * 30, NONE_ENDED
            post = games_list(reader_for(language), many, none, GuildId(number), ANN)
            assert len(post.content.splitlines()) == RUNNING_PER_PAGE + 1, language

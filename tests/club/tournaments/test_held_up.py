"""Tests for a round whose games can't be opened: it waits, and that is announced once."""

from bot.database.delivery_rows import Delivery
from club.tournaments.use_cases.news import News
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.table import Table
from tests.club.tournaments.directed import ORGANISER, PEOPLE, Event

FOUR = PEOPLE[:4]


async def unsent(table: Table, what: News) -> list[Delivery]:
    rows = await table.store.deliveries.all_unsent()
    return [row for row in rows if row.data.get("what") == what]


async def test_a_round_waits_for_permissions_and_says_so_once(table: Table) -> None:
    event = await Event.begun(table, FOUR)
    event.lacking = ("Attach Files",)
    for _ in range(2):
        await event.tick()
        table.clock.advance(minutes=5)
    assert (await event.now()).pairings == ()
    notices = await unsent(table, News.HELD_UP)
    assert {row.player for row in notices} == {ORGANISER, None}, "in the channel, too"
    assert len(notices) == 2
    event.lacking = ()
    assert len(await event.play_round()) == 2


async def test_each_player_of_a_tournament_without_a_channel_is_informed(table: Table) -> None:
    event = await Event.begun(table, FOUR)
    await table.of(Tournaments).close(event.id)
    assert {row.player for row in await unsent(table, News.GONE)} == {ORGANISER, *FOUR}

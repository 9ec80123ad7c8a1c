"""Tests of a round whose games can't be opened: it waits, and that is announced once."""

from bot.database.delivery_rows import Delivery, DeliveryKind
from club.tournaments.use_cases.news import HELD_UP, NEWS
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.table import Table
from tests.club.tournaments.directed import ORGANISER, PEOPLE, Event

FOUR = PEOPLE[:4]


async def unsent(table: Table, kind: DeliveryKind) -> list[Delivery]:
    return [one for one in await table.store.deliveries.all_unsent() if one.kind == kind]


async def test_a_round_waits_for_permissions_and_says_so_once(table: Table) -> None:
    event = await Event.made(table, FOUR)
    await event.begin()
    event.lacking = ("Attach Files",)
    for _ in range(2):
        await event.tick()
        table.clock.advance(minutes=5)
    assert (await event.now()).pairings == ()
    (notice,) = await unsent(table, HELD_UP)
    assert notice.player == ORGANISER
    news = [one.data["what"] for one in await unsent(table, NEWS)]
    assert news.count("held_up") == 1
    event.lacking = ()
    assert len(await event.play_round()) == 2


async def test_each_player_of_a_tournament_without_a_channel_is_informed(table: Table) -> None:
    event = await Event.made(table, FOUR)
    await event.begin()
    await table.of(Tournaments).close(event.id)
    assert {one.player for one in await unsent(table, HELD_UP)} == {ORGANISER, *FOUR}

"""Tests for badges for the winners of tournaments."""

from dataclasses import replace

import pytest

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.people.store.privacy import PrivacyTable
from bot.people.store.retention import RetentionTable
from club.tournaments.model.badges import EarnedBadge, winner
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import PairingResult, TournamentFormat, TournamentState
from club.tournaments.store.badges import BadgeTable
from tests.bot.table import GUILD, Table
from tests.club.tournaments.directed import PEOPLE, Event
from tests.club.tournaments.tournament_events import a_tournament
from tests.club.tournaments.tournament_texts import played


async def badges(table: Table, who: UserId, guild: GuildId = GUILD) -> tuple[EarnedBadge, ...]:
    return tuple(await table.store.queries(BadgeTable).badges_of(who, guild, limit=6))


async def test_the_winner_of_a_tournament_of_four_has_a_badge_until_a_correction(
    table: Table,
) -> None:
    small = await Event.begun(table, PEOPLE[:3], format=TournamentFormat.ROUND_ROBIN)
    await small.to_the_end(PEOPLE)
    assert await badges(table, PEOPLE[0]) == (), "too few people"
    event = await Event.begun(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
    done = await event.to_the_end(PEOPLE)
    (badge,) = await badges(table, PEOPLE[0])
    assert (badge.name, badge.earned_at) == ("Spring Cup", done.ended_at)
    assert await badges(table, PEOPLE[0], NO_GUILD) == (badge,)
    assert await badges(table, PEOPLE[0], GuildId(2 << 22)) == ()
    table.clock.advance(days=1)
    for game in [pairing for pairing in done.pairings if PEOPLE[0] in pairing.players]:
        lost = PairingResult.BLACK if game.white == PEOPLE[0] else PairingResult.WHITE
        await event.correct(game.place, lost)
    assert await badges(table, PEOPLE[0]) == ()
    (badge,) = await badges(table, PEOPLE[1])
    assert badge.earned_at == done.ended_at, "not only when it was corrected"


@pytest.mark.parametrize(("last", "badges"), [("1 1-0 5", 1), ("1 +- 5", 0)])
def test_no_win_at_the_board_earns_no_badge(last: str, badges: int) -> None:
    """Also for a single winner after a draw and a forfeit."""
    cup = played(a_tournament(TournamentFormat.SWISS, 5), "1 = 2, 3 = 4", f"{last}, 2 = 3")
    (first,) = (standing for standing in standings(cup) if standing.place == 1)
    assert (first.player, first.won) == (101, badges)
    assert winner(cup) is None, "it goes on"
    done = replace(cup, state=TournamentState.DONE)
    assert winner(done) == (first.player if badges else None)


async def test_badges_go_with_a_person_and_with_the_names_of_a_tournament(table: Table) -> None:
    for best in (PEOPLE[0], PEOPLE[1]):
        order = [best, *[person for person in PEOPLE if person != best]]
        event = await Event.create(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
        await event.begin()
        await event.to_the_end(order)
    given = await table.store.queries(PrivacyTable).export(PEOPLE[0])
    assert [row["earned_at"] is not None for row in given["entrants"]] == [True, False]
    await table.store.queries(PrivacyTable).erase(PEOPLE[0], at=table.clock())
    assert await badges(table, PEOPLE[0]) == ()
    assert len(await badges(table, PEOPLE[1])) == 1
    await table.store.queries(RetentionTable).anonymize(ended_until=table.clock(), at=table.clock())
    assert await badges(table, PEOPLE[1]) == ()

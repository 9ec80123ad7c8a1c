"""Tests for tournaments from the first entry to the final standings."""

from collections import Counter
from collections.abc import Awaitable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.base.errors import AlreadyHandled
from bot.base.ids import ChannelId, MessageId, Revision, TournamentId, UserId
from bot.base.languages import IN_ENGLISH
from bot.database.delivery_rows import THREAD
from bot.play.model.clock import TimeControl
from bot.play.model.events import Aborted
from bot.play.model.game import GameRow
from bot.play.model.terms import EndReason, Start
from bot.play.words.boards import board
from club.tournaments.model import possible_terms as allowed
from club.tournaments.model.rules import ORGANIZERS
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.refusals import AlreadyIn, BadTerms, NotIn, Problem, TournamentRefusal
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.news import NEWS, PAIRING
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.looked import begun as rated
from tests.bot.table import ANN, BOB, CID, GUILD, Table, how, raises
from tests.club.ratings.rated import long_enough, resigned, won
from tests.club.tournaments.directed import (
    DAY,
    LIVE,
    MESSAGES,
    ORGANISER,
    PEOPLE,
    TERMS,
    Event,
    game_of,
    places,
    results,
)


async def announced(table: Table) -> list[str]:
    """Return the announcements of tournaments, in order."""
    rows = sorted(await table.store.deliveries.all_unsent(), key=lambda row: row.id)
    return [f"{row.kind} {row.key}" for row in rows if row.kind in (NEWS, PAIRING)]


async def test_eight_people_play_a_swiss_of_three_rounds(table: Table) -> None:
    event = await Event.begun(table, PEOPLE[:8], rounds=3)
    done = await event.to_the_end(PEOPLE)

    assert done.state is TournamentState.DONE
    assert places(done)[0] == PEOPLE[0]
    assert standings(done)[0].points == 3
    games = Counter(pairing.round for pairing in done.pairings)
    assert games == {1: 4, 2: 4, 3: 4}
    assert len({frozenset(pairing.players) for pairing in done.pairings}) == 12
    posts = "created-0 round-1 results-1 round-2 results-2 round-3 ended-0"
    assert await announced(table) == [f"tournament_news {done.id}-{what}" for what in posts.split()]


@pytest.mark.parametrize("start", [Start.BALANCED, Start.PLACEMENT])
async def test_the_games_of_a_tournament_are_as_its_terms_say(table: Table, start: Start) -> None:
    event = await Event.begun(table, [ANN, BOB], start=start)
    (pairing,) = await event.play_round()
    row = (await table.game_cache.existing(game_of(pairing))).row
    assert (row.clock, row.start, row.rated, row.own_thread) == (DAY, start, True, True)
    assert pairing.message is not None
    assert row.channel == ChannelId(pairing.message)
    assert row.tournament == event.id
    assert (row.white, row.black) == (pairing.white, pairing.black)
    assert bool(row.seed) is (start is Start.BALANCED), "a placement needs no random board"
    (thread,) = [item for item in await table.store.deliveries.all_unsent() if item.kind == THREAD]
    assert (thread.channel, thread.message) == (TERMS.channel, pairing.message)


async def test_a_thread_with_a_game_starts_no_other(table: Table) -> None:
    event = await Event.begun(table, [ANN, BOB])
    await event.tick()
    (row,) = await event.announce()
    thread = ChannelId(MESSAGES + row.id)
    await table.accept(await table.challenge(CID, challenger=PEOPLE[0], channel=thread), CID)
    assert await table.of(Director).opened(event.id, 1, 1, MessageId(thread)) is None
    assert await event.running() == []


async def test_missing_things_are_not_started(table: Table) -> None:
    event = await Event.begun(table, [ANN, BOB])
    await event.tick()
    message = MessageId(MESSAGES)
    assert await table.of(Director).opened(TournamentId(99), 1, 1, message) is None
    assert await table.of(Director).opened(event.id, 1, 2, message) is None
    assert await table.of(Director).opened(event.id, 1, 1, message) is not None
    assert await table.of(Director).opened(event.id, 1, 1, MessageId(MESSAGES + 1)) is None
    cancelled = await Event.begun(table, PEOPLE[:2])
    await cancelled.tick()
    await cancelled.act("off")
    assert await table.of(Director).opened(cancelled.id, 1, 1, MessageId(MESSAGES + 2)) is None


async def test_late_entrants_join_a_swiss_by_checking_in(table: Table) -> None:
    event = await Event.create(table, PEOPLE[:8], rounds=2, clock=LIVE)
    await event.begin()
    for player in PEOPLE[:7]:
        await event.check_in(player)
    await event.begin()
    await event.tick()
    late, stranger = PEOPLE[7], PEOPLE[8]
    assert late not in {entrant.player for entrant in (await event.now()).entrants}
    for who in (late, stranger, late):
        await event.check_in(who)
    now = await event.now()
    assert [(entrant.player, entrant.joined_round) for entrant in now.entrants][7:] == [
        (late, 2),
        (stranger, 2),
    ]


async def test_early_and_late_presses_get_different_answers(table: Table) -> None:
    event = await Event.create(table, PEOPLE[:2])

    async def refused(doing: Awaitable[object]) -> Problem:
        return (await raises(TournamentRefusal, doing)).problem

    tournaments = table.of(Tournaments)

    async def correct() -> None:
        await event.act("correct", place=(1, 1), result=PairingResult.DRAW, note="So.")

    assert await refused(correct()) is Problem.NOT_BEGUN
    await event.begin()
    assert await refused(event.begin()) is Problem.BEGUN
    await event.act("off")
    for doing in (
        event.begin(),
        event.act("off"),
        event.join(PEOPLE[2]),
        tournaments.withdraw(event.id, PEOPLE[0]),
        correct(),
    ):
        assert await refused(doing) is Problem.OVER


async def challenged(
    table: Table, white: UserId, black: UserId, *, rated: bool | None = True
) -> GameRow:
    """A game from a challenge."""
    challenge = await table.challenge(black, challenger=white, start=Start.BALANCED, rated=rated)
    return (await table.accept(challenge, black)).game.row


async def test_a_ladder_counts_its_players_games(table: Table) -> None:
    event = await Event.begun(
        table, [ANN, BOB], format=TournamentFormat.LADDER, lasts=timedelta(days=30), clock=None
    )
    assert (await announced(table))[-1].endswith("round-1"), "no pairing tells that it begins"
    row = await challenged(table, ANN, BOB, rated=None)
    assert row.tournament == event.id, "their first game is as usual there, which is rated"
    short = await table.leaving.resign(row.id, Revision(0), ANN, source=table.source())
    assert (await event.now()).pairings == (), "nor what is too short to be rated"
    assert "So it doesn't count for **Spring Cup** either." in board(IN_ENGLISH, short).content
    row = await challenged(table, ANN, BOB)
    await long_enough(table, await table.game_cache.existing(row.id))
    await table.leaving.leave(row.id, ANN)
    casual = await challenged(table, ANN, BOB, rated=False)
    assert casual.tournament is None, "what is not rated does not count where the ladder is"
    await table.leaving.resign(casual.id, Revision(0), ANN, source=table.source())
    outside = await challenged(table, ANN, CID)
    assert outside.tournament is None, "who is not in it plays for nothing"
    await table.leaving.resign(outside.id, Revision(0), ANN, source=table.source())
    now = await event.now()
    (pairing,) = now.pairings
    assert (pairing.white, pairing.result, pairing.game) == (ANN, PairingResult.BLACK, row.id)
    assert places(now) == [BOB, ANN]


# Allowed and refused terms


async def test_a_start_that_is_planned_is_checked_in_for(table: Table) -> None:
    start = table.clock() + timedelta(days=3)
    event = await Event.create(table, PEOPLE[:4], begins_at=start)
    table.clock.advance(days=2, minutes=-1)
    assert await event.tick() == []
    assert (await event.now()).state is TournamentState.OPEN
    table.clock.advance(minutes=1)
    await event.tick()
    for player in PEOPLE[:3]:
        await event.check_in(player)
    late = await event.join(PEOPLE[5])
    assert late.entrants[-1].checked_in, "who comes now is there"
    again = await event.join(PEOPLE[3])
    assert again.entrants[3].checked_in, "who presses Join once more wants to play"
    with pytest.raises(AlreadyIn):
        await event.join(PEOPLE[3])
    table.clock.advance(days=1)
    await event.tick()
    now = await event.now()
    assert (now.state, now.round) == (TournamentState.RUNNING, 1)
    assert {entrant.player for entrant in now.entrants} == {*PEOPLE[:4], PEOPLE[5]}
    assert [line.split()[0] for line in await announced(table)][:3] == [NEWS, NEWS, NEWS]


async def test_an_organizer_edits_until_it_begins(table: Table) -> None:
    event = await Event.create(table, PEOPLE[:2], begins_at=table.clock() + timedelta(hours=2))
    await event.tick()
    assert (await event.now()).state is TournamentState.CHECK_IN
    after = await event.act("edit", change=lambda terms: replace(terms, name="Summer  Cup"))
    assert after.terms.name == "Summer Cup"
    for player in PEOPLE[:2]:
        await event.check_in(player)
    await event.begin()
    with pytest.raises(TournamentRefusal, match="BEGUN"):
        await event.act("edit", change=lambda terms: replace(terms, name="Autumn Cup"))


async def test_a_tournament_without_players_is_cancelled(table: Table) -> None:
    event = await Event.create(table, PEOPLE[:3], begins_at=table.clock() + timedelta(hours=2))
    await event.tick()
    await event.check_in(PEOPLE[0])
    table.clock.advance(hours=2)
    await event.tick()
    assert (await event.now()).state is TournamentState.CANCELLED
    assert (await announced(table))[-1].endswith("cancelled-0")
    assert [item.id for item in await table.of(Tournaments).latest(GUILD)] == [event.id]


async def test_its_name_is_one_line_and_it_is_made_once(table: Table) -> None:
    source = table.source()
    terms = replace(TERMS, name="  Spring \n  Cup ")
    made = await table.of(Tournaments).create(terms, source=source, is_organizer=True)
    assert made.terms.name == "Spring Cup"
    with pytest.raises(AlreadyHandled):
        await table.of(Tournaments).create(terms, source=source, is_organizer=True)
    assert [item.id for item in await table.of(Tournaments).latest(GUILD)] == [made.id]


async def test_live_games_are_checked_in_for_also_without_a_plan(table: Table) -> None:
    event = await Event.create(table, PEOPLE[:4], clock=LIVE)
    asked = await event.begin()
    until = table.clock() + timedelta(minutes=5)
    assert (asked.state, asked.terms.begins_at) == (TournamentState.CHECK_IN, until)
    assert (await announced(table))[-1].endswith("check_in-0")
    for player in PEOPLE[:3]:
        await event.check_in(player)
    table.clock.advance(minutes=5, seconds=-1)
    assert await event.tick() == []
    assert (await event.now()).state is TournamentState.CHECK_IN
    table.clock.advance(seconds=1)
    await event.tick()
    assert [entrant.player for entrant in (await event.now()).entrants] == PEOPLE[:3]


@pytest.mark.parametrize(("control", "first"), [(LIVE, BOB), (DAY, ANN), (None, ANN)])
async def test_seeds_go_by_the_rating_of_the_servers_pool_at_its_pace(
    table: Table, control: TimeControl | None, first: UserId
) -> None:
    """Ann has won a slow game, Bob a live one."""
    await won(table, ANN, BOB)
    game = await rated(table, ANN, BOB, clock=LIVE, channel=ChannelId(501))
    await resigned(table, game, ANN)
    event = await Event.create(table, [CID, ANN, BOB], clock=control, round_time=timedelta(days=1))
    joined = {entrant.player: entrant.rating for entrant in (await event.now()).entrants}
    begun = await event.begin()
    if begun.state is TournamentState.CHECK_IN:
        for player in (CID, ANN, BOB):
            await event.check_in(player)
        begun = await event.begin()
    ratings = {entrant.player: entrant.rating for entrant in begun.entrants}
    assert begun.entrants[0].player == first
    assert joined == ratings
    assert len(set(ratings.values())) == 3


async def test_a_tournament_is_entered_once_and_left(table: Table) -> None:
    event = await Event.create(table)
    source = table.source()
    await table.of(Tournaments).join(event.id, ANN, source=source)
    with pytest.raises(AlreadyHandled):
        await table.of(Tournaments).join(event.id, ANN, source=source)
    with pytest.raises(AlreadyIn):
        await event.join(ANN)
    await table.of(Tournaments).withdraw(event.id, ANN)
    with pytest.raises(NotIn) as refused:
        await table.of(Tournaments).withdraw(event.id, ANN)
    assert refused.value.who is None, "whoever asks is not told their own name"
    with pytest.raises(NotIn) as refused:
        await event.act("remove", ANN, player=BOB, manages=True)
    assert refused.value.who == BOB
    assert (await event.now()).entrants == ()
    with pytest.raises(TournamentRefusal, match="GONE"):
        await table.of(Tournaments).join(TournamentId(99), ANN, source=table.source())


async def test_the_number_of_tournaments_and_their_terms_are_limited(table: Table) -> None:
    for _ in range(allowed.MOST_TOURNAMENTS):
        await Event.create(table)
    with pytest.raises(TournamentRefusal, match="TOO_MANY"):
        await Event.create(table)
    with pytest.raises(BadTerms):
        await Event.create(table, rounds=0)


async def test_only_organizers_decide(table: Table) -> None:
    with pytest.raises(TournamentRefusal, match="MAY_NOT_CREATE"):
        await table.of(Tournaments).create(TERMS, source=table.source(), is_organizer=False)
    event = await Event.create(table, [ANN])
    with pytest.raises(TournamentRefusal, match="NOT_ORGANIZER"):
        await event.act("begin", ANN)
    with pytest.raises(TournamentRefusal, match="NOT_ORGANIZER"):
        await event.act("remove", BOB, player=ANN)
    with pytest.raises(TournamentRefusal, match="TOO_FEW") as few:
        await event.begin()
    assert few.value.limit == 2
    await event.act("remove", player=ANN)
    assert (await event.act("off", BOB, manages=True)).state is TournamentState.CANCELLED


async def test_a_server_says_who_may_create_tournaments(table: Table) -> None:
    role = 4_711
    may = table.of(Tournaments).may_create
    assert await may(GUILD, manages=True)
    assert not await may(GUILD, manages=False, roles=[GUILD, role])
    await table.servers.choose_for(GUILD, ORGANIZERS, role)
    assert await may(GUILD, manages=False, roles=[GUILD, role])
    assert not await may(GUILD, manages=False, roles=[GUILD])
    await table.servers.choose_for(GUILD, ORGANIZERS, GUILD)
    assert await may(GUILD, manages=False, roles=[GUILD])
    await table.servers.choose_for(GUILD, ORGANIZERS, None)
    assert not await may(GUILD, manages=False, roles=[GUILD])


# Games with other endings


async def one_game(table: Table, **terms: Any) -> tuple[Event, Pairing]:
    event = await Event.begun(table, [ANN, BOB], format=TournamentFormat.ROUND_ROBIN, **terms)
    (pairing,) = await event.play_round()
    return event, pairing


async def test_a_finished_game_sets_the_result_and_the_margin(table: Table) -> None:
    event, pairing = await one_game(table)
    game = await table.game_cache.existing(game_of(pairing))
    while game.is_running:
        assert game.to_move is not None
        move = str(game.position.legal_moves()[-1])
        game = (await table.play(game.to_move, move, game.row.channel)).game
    (decided,) = (await event.now()).pairings
    outcome = game.outcome
    assert outcome is not None
    assert outcome.margin
    assert decided.result is not None
    assert (decided.result.winner, decided.margin) == (outcome.winner, outcome.margin)
    assert not decided.forfeit


async def test_an_organizer_corrects_a_result_with_a_note(table: Table) -> None:
    event, _ = await one_game(table)
    await event.correct((1, 1), PairingResult.DRAW, "Agreed  by both")
    await event.correct((1, 1), PairingResult.DRAW, "Agreed by both")
    (pairing,) = (await event.now()).pairings
    assert (pairing.result, pairing.corrected_by) == (PairingResult.DRAW, ORGANISER)
    assert pairing.note == "Agreed by both"
    (update,) = await event.tick()
    assert how(update.game) is EndReason.ABORT, "the game goes on no more, and counts for no rating"
    ended = update.events[-1].event
    assert (ended.actor, ended.data) == (ORGANISER, Aborted(decided=True)), "nobody ran out of time"
    assert results(await event.now()) == [PairingResult.DRAW]
    assert sum("corrected" in line for line in await announced(table)) == 1
    with pytest.raises(TournamentRefusal, match="NOT_ORGANIZER"):
        await event.act("correct", ANN, place=(1, 1), result=PairingResult.DRAW, note="So.")

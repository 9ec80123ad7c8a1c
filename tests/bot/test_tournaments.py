"""Tournaments from the first entry to the final standings, by use cases and a clock of the test."""

from collections import Counter
from datetime import timedelta

from bot.games.tournaments import EVENT, NEWS, PAIRING
from bot.model.game import GameRow
from bot.model.ids import GameId, Revision, UserId
from bot.model.outcome import How
from bot.model.terms import Start
from bot.model.tournaments import Format, PairingResult, TournamentState, standings
from tests.bot.directed import DAY, LIVE, PEOPLE, Event, places, results
from tests.bot.table import ANN, BOB, CID, Table, how


async def told(table: Table) -> list[str]:
    """What is told of tournaments, in order."""
    rows = sorted(await table.store.deliveries.all_unsent(), key=lambda row: row.id)
    return [f"{row.kind} {row.key}" for row in rows if row.kind in (NEWS, PAIRING, EVENT)]


async def test_eight_people_play_a_swiss_of_three_rounds(table: Table) -> None:
    event = await Event.made(table, PEOPLE[:8], rounds=3)
    await event.begin()
    done = await event.to_the_end(PEOPLE)

    assert done.state is TournamentState.DONE
    assert places(done)[0] == PEOPLE[0]
    assert standings(done)[0].points == 3
    games = Counter(one.round for one in done.pairings)
    assert games == {1: 4, 2: 4, 3: 4}
    assert len({frozenset(one.players) for one in done.pairings}) == 12
    news = "created-0 round-1 results-1 round-2 results-2 round-3 ended-0"
    assert await told(table) == [f"tournament_news {done.id}-{what}" for what in news.split()]


async def test_who_beats_everybody_wins_a_round_robin(table: Table) -> None:
    event = await Event.made(table, PEOPLE[:5], format=Format.ROUND_ROBIN)
    await event.begin()
    done = await event.to_the_end(PEOPLE)
    assert (done.round, places(done)) == (5, PEOPLE[:5])
    assert Counter(results(done))[PairingResult.ZERO_BYE] == 5


async def test_the_games_of_a_tournament_are_as_its_terms_say(table: Table) -> None:
    event = await Event.made(table, [ANN, BOB])
    await event.begin()
    (pairing,) = await event.play_round()
    assert pairing.game is not None
    row = (await table.games.current(pairing.game)).row
    assert (row.clock, row.start, row.rated, row.own_thread) == (DAY, Start.BALANCED, True, True)
    assert (row.channel, row.tournament) == (pairing.message, event.id)
    assert (row.white, row.black) == (pairing.white, pairing.black)
    found = await table.tournaments.of_game(pairing.game)
    assert found is not None
    assert found.id == event.id
    assert await table.tournaments.of_game(GameId(77)) is None


async def test_a_knockout_goes_on_without_whoever_does_not_come(table: Table) -> None:
    event = await Event.made(table, PEOPLE[:4], format=Format.KNOCKOUT, clock=LIVE)
    await event.begin()
    assert (await event.now()).state is TournamentState.CHECK_IN
    for player in PEOPLE[:4]:
        await table.tournaments.check_in(event.id, player)
    table.clock.advance(minutes=5)
    first, second = await event.play_round()
    await event.lose(first, first.white)
    table.clock.advance(minutes=4, seconds=59)
    await event.tick()
    assert len(await event.running()) == 1
    table.clock.advance(seconds=1)
    (update,) = await event.tick()

    assert how(update.game) is How.ABORT, "nobody has played it: it counts for no rating"
    assert update.told[-1].event.kind.name == "timeout"
    now = await event.now()
    assert [(one.result, one.forfeit) for one in now.pairings[:2]] == [
        (PairingResult.BLACK, False),
        (PairingResult.BLACK, True),
    ]
    (final,) = await event.play_round()
    assert set(final.players) == {first.black, second.black}
    await event.lose(final, final.white)
    await event.tick()
    assert (await event.now()).state is TournamentState.DONE


async def test_an_arena_goes_on_for_its_time(table: Table) -> None:
    length = timedelta(minutes=30)
    event = await Event.made(table, PEOPLE[:4], format=Format.ARENA, clock=LIVE, lasts=length)
    await event.begin()
    for player in PEOPLE[:4]:
        await table.tournaments.check_in(event.id, player)
    await event.begin()  # everybody is there
    began = table.clock()
    played = 0
    while table.clock() < began + length:
        for pairing in await event.play_round():
            await event.lose(pairing, max(pairing.players, key=PEOPLE.index))
            played += 1
        table.clock.advance(minutes=4)
    await event.tick()
    done = await event.now()
    assert done.state is TournamentState.DONE
    assert played == len(done.pairings) == 16
    assert places(done)[0] == PEOPLE[0]
    assert [line for line in await told(table) if "-round-" in line or "results" in line] == []


async def challenged(table: Table, white: UserId, black: UserId, *, rated: bool = True) -> GameRow:
    """A game that somebody has challenged another to."""
    challenge = await table.challenge(black, challenger=white, start=Start.BALANCED, rated=rated)
    return (await table.accept(challenge, black)).game.row


async def test_a_ladder_counts_what_its_people_play(table: Table) -> None:
    event = await Event.made(
        table, [ANN, BOB], format=Format.LADDER, lasts=timedelta(days=30), clock=None
    )
    await event.begin()
    row = await challenged(table, ANN, BOB)
    assert row.tournament == event.id
    await table.leaving.resign(row.id, Revision(0), ANN, source=table.source())
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

    late = await challenged(table, BOB, ANN)
    table.clock.advance(days=30)
    await event.tick()
    assert (await event.now()).state is TournamentState.DONE
    await table.leaving.resign(late.id, Revision(0), BOB, source=table.source())
    assert len((await event.now()).pairings) == 1, "what ends after the ladder does not count"

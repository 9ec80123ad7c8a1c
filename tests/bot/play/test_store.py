import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from bot.base import ids
from bot.database.database import Conflict
from bot.database.delivery_rows import BOARD, THREAD, Delivery
from bot.database.leases import LEASE
from bot.play.game_changes import GameChange
from bot.play.model import terms
from bot.play.model.events import AppliedEvent, Event, Moved, Started
from bot.play.model.game import GameRow, before_start
from bot.play.store.changes import NO_GAME_ID, Acceptance, NewGame
from bot.play.store.store import Store
from dvonn import Color, Coordinates, parse_move
from tests.bot.conftest import Clock
from tests.bot.looked import due_games
from tests.bot.table import Table, raises

ANN, BOB = ids.UserId(101), ids.UserId(102)
GUILD = ids.GuildId(5 << 22)
CHANNEL = ids.ChannelId(7_000_000_000_000_000_000)  # Discord's ids need 64 bits
KINDS = [BOARD, THREAD]
PLAYED_OUT = terms.Outcome(terms.EndReason.COUNT, winner=Color.WHITE, margin=3)
RESIGNED = terms.Outcome(terms.EndReason.RESIGNATION, winner=Color.BLACK)

TERMS = terms.ChallengeTerms(
    guild=GUILD,
    channel=CHANNEL,
    challenger=ANN,
    opponent=BOB,
    colour=terms.ColorChoice.WHITE,
    coordinates=Coordinates.PERGIOCO,
    place=terms.Place.HERE,
)


def anything(_standing: terms.StartLimits) -> None:
    """Allow every game. The rules of conduct are tested with the use cases."""


async def start(
    store: Store,
    clock: Clock,
    *,
    channel: ids.ChannelId = CHANNEL,
    thread_of: ids.ChannelId | None = None,
) -> tuple[GameRow, tuple[Delivery, ...]]:
    challenge = await store.challenges.add(
        TERMS, source=ids.SourceId(channel + 1), at=clock(), check=anything
    )
    return await begin(
        store, clock, challenge, source=channel + 2, channel=channel, thread_of=thread_of
    )


async def begin(
    store: Store,
    clock: Clock,
    challenge: terms.ChallengeRow | None,
    *,
    source: int,
    channel: ids.ChannelId = CHANNEL,
    thread_of: ids.ChannelId | None = None,
    continues: ids.GameId | None = None,
) -> tuple[GameRow, tuple[Delivery, ...]]:
    """Start a game, with or without a challenge."""
    row = GameRow(
        id=NO_GAME_ID,
        guild=GUILD,
        channel=channel,
        white=ANN,
        black=BOB,
        coordinates=Coordinates.PERGIOCO,
        start=terms.Start.PLACEMENT,
        seed=0,
        own_thread=thread_of is not None,
        continues=continues,
        revision=ids.Revision(0),
    )
    first = Event(
        game=NO_GAME_ID,
        revision=ids.Revision(0),
        data=Started(),
        actor=BOB,
        source=ids.SourceId(source),
        at=clock(),
    )
    new = NewGame(
        row=row,
        actor=first.actor,
        data=first.data,
        thread_parent=thread_of,
        accepts=None if challenge is None else Acceptance(challenge=challenge, check=anything),
    )
    return await store.changes.begin(new, before_start(row), first, check_at=None)


def event(game: GameRow, revision: int, clock: Clock, source: int = 900) -> Event:
    return Event(
        game=game.id,
        revision=ids.Revision(revision),
        data=Moved(parse_move("d2")),
        actor=ANN,
        source=ids.SourceId(source),
        at=clock(),
    )


async def append(
    store: Store, game: GameRow, what: Event, outcome: terms.Outcome | None = None
) -> Delivery:
    before = before_start(game)
    applied = AppliedEvent(what, before.position, before.position)
    after = before if outcome is None else before.ended(outcome)
    change = GameChange(before=before, after=after, events=(applied,), at=what.at)
    (delivery,), _ = await store.changes.append(change, ())
    return delivery


async def test_a_challenge_is_stored_completely(store: Store, clock: Clock) -> None:
    made = await store.challenges.add(TERMS, source=ids.SourceId(1), at=clock(), check=anything)
    assert await store.challenges.get(made.id) == made
    assert made.terms == TERMS
    assert made.state is terms.ChallengeState.OPEN


async def test_one_source_makes_one_challenge(store: Store, clock: Clock) -> None:
    await store.challenges.add(TERMS, source=ids.SourceId(1), at=clock(), check=anything)
    with pytest.raises(Conflict):
        await store.challenges.add(TERMS, source=ids.SourceId(1), at=clock(), check=anything)


async def test_an_invalid_row_is_not_a_conflict(store: Store, clock: Clock) -> None:
    # A writer with a conflict reads again and retries. With these, that would never end.
    nowhere = replace(TERMS, channel=None)  # type: ignore[arg-type]  # what the database refuses
    with pytest.raises(IntegrityError):
        await store.challenges.add(nowhere, source=ids.SourceId(1), at=clock(), check=anything)


async def test_a_thread_is_opened_before_its_board_is_sent(store: Store, clock: Clock) -> None:
    thread = ids.ChannelId(800)
    game, _ = await start(store, clock, channel=thread, thread_of=CHANNEL)
    assert [
        (row.kind, row.channel, row.message) for row in await store.deliveries.unsent(game.id)
    ] == [(THREAD, CHANNEL, thread), (BOARD, thread, None)]
    assert await store.deliveries.opened_in(game.id) == CHANNEL
    here, _ = await start(store, clock, channel=ids.ChannelId(801))
    assert await store.deliveries.opened_in(here.id) is None


async def test_a_channel_has_one_running_game(store: Store, clock: Clock) -> None:
    game, _ = await start(store, clock)
    challenge = await store.challenges.add(
        TERMS, source=ids.SourceId(50), at=clock(), check=anything
    )
    await raises(Conflict, begin(store, clock, challenge, source=51))
    kept = await store.challenges.get(challenge.id)
    assert kept is not None
    assert kept.state is terms.ChallengeState.OPEN  # no partial change
    await append(store, game, event(game, 1, clock), PLAYED_OUT)
    again, _ = await begin(store, clock, challenge, source=52)
    assert again.id != game.id


async def test_two_processes_never_play_one_turn(store: Store, clock: Clock, other: Table) -> None:
    game, _ = await start(store, clock)
    results = await asyncio.gather(
        append(store, game, event(game, 1, clock, source=1)),
        append(other.store, game, event(game, 1, clock, source=2)),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "Delivery"]


@pytest.mark.parametrize("outcome", [RESIGNED, None])
async def test_nothing_is_written_after_the_end(
    store: Store, clock: Clock, outcome: terms.Outcome | None
) -> None:
    game, _ = await start(store, clock)
    await append(store, game, event(game, 1, clock), PLAYED_OUT)
    before = await store.games.get(game.id), await store.games.events(game.id)
    await raises(Conflict, append(store, game, event(game, 2, clock, source=901), outcome))
    assert (await store.games.get(game.id), await store.games.events(game.id)) == before


async def test_events_can_be_asked_for_from_a_revision_on(store: Store, clock: Clock) -> None:
    game, _ = await start(store, clock)
    first = event(game, 1, clock, source=1)
    second = event(game, 2, clock, source=2)
    await append(store, game, first)
    await append(store, game, second)
    assert await store.games.events(game.id, after=ids.Revision(0)) == [first, second]
    assert await store.games.events(game.id, after=ids.Revision(1)) == [second]


async def claim(store: Store, row: Delivery, clock: Clock) -> bool:
    claimed = await store.deliveries.claim([row], batch=7, now=clock())
    return [delivery.id for delivery in claimed] == [row.id]


async def test_a_lease_keeps_others_off_until_it_ends(store: Store, clock: Clock) -> None:
    game, (row,) = await start(store, clock)
    assert await due_games(store, clock()) == []
    assert not await claim(store, row, clock)
    clock.advance(seconds=5)
    assert await due_games(store, clock()) == [game.id]
    results = await asyncio.gather(*(claim(store, row, clock) for _ in range(4)))
    assert sorted(results) == [False, False, False, True]
    assert await due_games(store, clock()) == []
    (claimed,) = await store.deliveries.unsent(game.id)
    # Before the search, the first attempt may have sent it, at an unknown time.
    assert (claimed.tries, claimed.tried_at) == (2, row.tried_at)
    earlier = clock() - timedelta(milliseconds=1)
    assert not await store.deliveries.begin([claimed], since=earlier, at=clock())
    assert await store.deliveries.unsent(game.id) == [claimed]
    assert await store.deliveries.begin([claimed], since=clock(), at=clock())
    (begun,) = await store.deliveries.unsent(game.id)
    assert begun.tried_at == clock()


async def test_the_leases_of_a_dead_process_are_ended(store: Store, clock: Clock) -> None:
    game, (row,) = await start(store, clock)
    # this game belongs to shard 2
    await store.deliveries.release(KINDS, ids.Shards((0, 1), 3), clock())
    assert await due_games(store, clock()) == []
    await store.deliveries.release(KINDS, ids.Shards((2,), 3), clock())
    assert await due_games(store, clock()) == [game.id]
    assert await claim(store, row, clock)


async def test_a_lease_is_renewed_until_another_process_takes_it(
    store: Store, clock: Clock
) -> None:
    clock.advance(microseconds=1_234)  # the database stores milliseconds
    _, (row,) = await start(store, clock)
    since, renewed = row.tried_at, clock() + LEASE
    assert await store.deliveries.renew([row], since=since, now=renewed)
    assert not await store.deliveries.renew([row], since=since, now=renewed)
    clock.advance(seconds=11)
    assert await claim(store, row, clock)
    assert not await store.deliveries.renew([row], since=renewed, now=clock() + LEASE)
    assert await store.deliveries.renew([row], since=clock(), now=clock() + LEASE)
    await store.deliveries.mark_sent([row], ids.MessageId(77), at=clock())
    assert not await store.deliveries.renew([row], since=clock() + LEASE, now=clock() + LEASE)


async def test_the_least_tried_deliveries_come_first(store: Store, clock: Clock) -> None:
    games, rows = [], []
    for number in range(3):
        game, (row,) = await start(store, clock, channel=ids.ChannelId(100 * (number + 1)))
        games.append(game.id)
        rows.append(row)
        clock.advance(seconds=10)
    assert await due_games(store, clock()) == games
    assert await claim(store, rows[0], clock)
    clock.advance(seconds=5)
    assert await due_games(store, clock()) == [games[1], games[2], games[0]]


async def test_sent_deliveries_are_not_repeated(store: Store, clock: Clock) -> None:
    game, (row,) = await start(store, clock)
    await store.deliveries.mark_sent([row], ids.MessageId(77), at=clock())
    assert await store.deliveries.unsent(game.id) == []
    assert await store.deliveries.all_unsent() == []
    assert await store.deliveries.newest_board(game.id) == (CHANNEL, 77)
    assert await store.deliveries.newest_announced(game.id) == 0
    assert await store.deliveries.newest_announced(game.id, ids.Revision(1)) == 0


async def test_dropped_deliveries_were_not_announced(store: Store, clock: Clock) -> None:
    game, (first,) = await start(store, clock)
    second = await append(store, game, event(game, 1, clock))
    await store.deliveries.drop([first], at=clock())
    assert await store.deliveries.unsent(game.id) == [second]
    assert await store.deliveries.newest_announced(game.id, ids.Revision(1)) is None
    assert await store.deliveries.newest_board(game.id) is None


async def test_a_failed_row_waits(store: Store, clock: Clock) -> None:
    game, (row,) = await start(store, clock)
    assert await store.deliveries.postpone([row], until=clock() + timedelta(minutes=1))
    clock.advance(seconds=59)
    assert await due_games(store, clock()) == []
    clock.advance(seconds=1)
    assert await due_games(store, clock()) == [game.id]
    await store.deliveries.mark_sent([row], ids.MessageId(77), at=clock())
    assert not await store.deliveries.postpone([row], until=clock() + timedelta(minutes=1))


async def test_each_process_looks_after_its_own_shards(store: Store, clock: Clock) -> None:
    game, _ = await start(store, clock)  # its guild is 5 << 22: shard 2 of 3
    source = CHANNEL + 900
    await append(store, game, event(game, 1, clock, source=source))
    clock.advance(seconds=5)
    assert await due_games(store, clock(), ids.Shards((2,), 3)) == [game.id]
    assert await due_games(store, clock(), ids.Shards((0, 1), 3)) == []
    here = ids.RunningChannel(guild=game.guild, channel=game.channel, last=ids.SourceId(source))
    assert await store.games.running_channels(ids.Shards((2,), 3)) == [here]
    assert await store.games.running_channels(ids.Shards((0, 1), 3)) == []


async def test_received_events_are_recorded_for_each_shard(store: Store, clock: Clock) -> None:
    assert await store.listening.received_until(0, 2) is None
    await store.listening.set_received_until(0, 2, clock())
    clock.advance(minutes=1)
    await store.listening.set_received_until(0, 2, clock())
    assert await store.listening.received_until(0, 2) == clock()
    assert await store.listening.received_until(1, 2) is None
    assert await store.listening.received_until(0, 1) is None


async def test_a_stop_tears_no_transaction_apart(store: Store, clock: Clock) -> None:
    game, _ = await start(store, clock)
    for revision in range(1, 30):
        work = asyncio.create_task(append(store, game, event(game, revision, clock, revision)))
        for _ in range(revision % 6):
            await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        kept = await store.games.get(game.id)
        assert kept is not None
        if revision % 6:  # once started, it is completed
            assert kept.revision == revision
        else:
            await append(store, game, event(game, revision, clock, revision))
    assert len(await store.deliveries.unsent(game.id)) == 30


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_many_who_write_at_once_wait_in_the_order_in_which_they_came(
    store: Store, clock: Clock
) -> None:
    """SQLite lets any waiting writer go first, so in a crowd some would wait until they give up."""
    came: list[int] = []

    async def add(number: int) -> None:
        await store.challenges.add(
            TERMS, source=ids.SourceId(number), at=clock(), check=lambda _: came.append(number)
        )

    await asyncio.gather(*map(add, range(60)))
    assert came == list(range(60))

"""Rules of conduct: where games may be started, how many, how often; and what is never answered."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.database_address import database_address
from bot.base.ids import ChannelId, GuildId, Shards, UserId
from bot.database.engine import create_engine
from bot.play.model.conduct import Venue
from bot.play.model.refusals.playing import GameGone
from bot.play.model.refusals.starting import (
    ChallengeAnswered,
    MissingPermissions,
    NoThreadsHere,
    TooManyChallenges,
    TooManyGames,
    TooSoon,
    WrongChannel,
)
from bot.play.model.terms import ChallengeState, ChallengeTerms, ColourChoice, Place
from bot.play.store.tables import Store
from dvonn import Coordinates
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, MESSAGE, Table, venue

ALL = Shards((0,), 1)
HALL, GARDEN, THREAD = ChannelId(510), ChannelId(520), ChannelId(530)


# Where games may be started


async def test_games_are_started_where_the_moderators_want_them(table: Table) -> None:
    early = await table.challenge()
    await table.store.guilds.allow_channel(GUILD, HALL)
    await table.store.guilds.allow_channel(GuildId(2 << 22), CHANNEL)  # another server's list
    for refused in (table.challenge(), table.accept(early)):
        with pytest.raises(WrongChannel) as caught:
            await refused
        assert caught.value.allowed == {HALL}
    await table.accept(await table.challenge(channel=HALL))
    await table.store.guilds.allow_channel(GUILD, CHANNEL)
    await table.accept(early)


async def test_a_thread_counts_as_its_channel(table: Table) -> None:
    await table.store.guilds.allow_channel(GUILD, HALL)
    inside = Venue(channel=THREAD, home=HALL, has_threads=False)
    await table.accept(await table.challenge(channel=THREAD, where=inside), where=inside)
    elsewhere = Venue(channel=THREAD, home=GARDEN, has_threads=False)
    with pytest.raises(WrongChannel):
        await table.challenge(channel=ChannelId(531), where=elsewhere)


async def test_a_rematch_is_played_where_games_may_be_started(table: Table) -> None:
    game = await table.ended()
    await table.store.guilds.allow_channel(GUILD, HALL)
    with pytest.raises(WrongChannel):
        await table.rematch(game, ANN)


async def test_a_button_elsewhere_than_its_challenge_is_forged(table: Table) -> None:
    challenge = await table.challenge(None)
    with pytest.raises(GameGone):
        await table.accept(challenge, where=venue(HALL))
    await table.accept(challenge)


LACKING = Venue(
    channel=CHANNEL,
    home=CHANNEL,
    has_threads=True,
    lacking=("Attach Files",),
    lacking_for_threads=("Create Public Threads",),
)


@pytest.mark.parametrize(
    ("place", "named"),
    [
        (Place.HERE, ("Attach Files",)),
        (Place.THREAD, ("Attach Files", "Create Public Threads")),
    ],
)
@pytest.mark.parametrize("may_mend", [True, False])
async def test_missing_permissions_are_named_when_asking_and_when_accepting(
    table: Table, place: Place, named: tuple[str, ...], may_mend: bool
) -> None:
    early = await table.challenge(place=place)
    where = replace(LACKING, asker_may_mend=may_mend)
    for refused in (table.challenge(place=place, where=where), table.accept(early, where=where)):
        with pytest.raises(MissingPermissions) as caught:
            await refused
        assert caught.value.permissions == named
        assert caught.value.asker_may_mend is may_mend
    await table.accept(early)


async def test_a_thread_where_there_are_none_is_refused(table: Table) -> None:
    early = await table.challenge(place=Place.THREAD)
    nowhere = venue(has_threads=False)
    for refused in (
        table.challenge(place=Place.THREAD, where=nowhere),
        table.accept(early, where=nowhere),
    ):
        with pytest.raises(NoThreadsHere):
            await refused


async def test_a_busy_channel_names_what_a_thread_would_need(table: Table) -> None:
    early = await table.challenge()
    await table.accept(await table.challenge())
    for may_mend in (True, False):
        where = replace(LACKING, lacking=(), asker_may_mend=may_mend)
        for refused in (table.challenge(where=where), table.accept(early, where=where)):
            with pytest.raises(MissingPermissions) as caught:
                await refused
            assert caught.value.permissions == ("Create Public Threads",)
            assert caught.value.asker_may_mend is may_mend


# How many, and how often


async def test_nobody_plays_more_games_at_once_than_the_server_allows(table: Table) -> None:
    await table.store.guilds.set_games_per_person(GUILD, 2)
    early = await table.challenge(CID)
    from_cid = await table.challenge(ANN, challenger=CID)
    between_them = await table.challenge(BOB)
    for number in range(2):
        channel = ChannelId(4_000 + number)
        await table.accept(await table.challenge(channel=channel))
    with pytest.raises(TooManyGames) as caught:
        await table.challenge(CID)
    assert (caught.value.who, caught.value.limit, caught.value.is_asker) == (ANN, 2, True)
    with pytest.raises(TooManyGames) as caught:
        await table.accept(early, CID)
    assert (caught.value.who, caught.value.is_asker) == (ANN, False)
    with pytest.raises(TooManyGames) as caught:
        await table.accept(from_cid, ANN)
    assert (caught.value.who, caught.value.is_asker) == (ANN, True)
    with pytest.raises(TooManyGames) as caught:  # who asks hears first what he can do himself
        await table.accept(between_them, BOB)
    assert (caught.value.who, caught.value.is_asker) == (BOB, True)
    await table.leaving.abort_here(ChannelId(4_000), CID, source=table.source())
    await table.accept(early, CID)


async def test_games_and_challenges_in_other_servers_do_not_count(
    table: Table, clock: Clock
) -> None:
    for number in range(3):
        await table.challenge(guild=GuildId(2 << 22), channel=ChannelId(4_000 + number))
    busy = await table.challenge(guild=GuildId(3 << 22), channel=HALL)
    await table.accept(busy)
    await table.store.guilds.set_games_per_person(GUILD, 1)
    clock.advance(seconds=-12)
    await table.accept(await table.challenge())


async def test_accepting_at_once_does_not_exceed_the_limit(
    store: Store, clock: Clock, database_url: str
) -> None:
    other = Store(create_engine(database_address(database_url)))
    tables = [Table(store, clock), Table(other, clock)]
    tables[1].last_source = 5_000
    await store.guilds.set_games_per_person(GUILD, 2)
    try:
        challenges = [
            await tables[0].challenge(challenger=challenger, channel=ChannelId(4_000 + number))
            for number, challenger in enumerate([ANN, ANN, ANN, CID, CID, CID])
        ]
        results = await asyncio.gather(
            *(
                tables[number % 2].accept(challenge, where=venue(ChannelId(4_000 + number)))
                for number, challenge in enumerate(challenges)
            ),
            return_exceptions=True,
        )
    finally:
        await other.close()
    kinds = sorted(type(result).__name__ for result in results)
    assert kinds == ["TooManyGames"] * 4 + ["Update"] * 2
    assert len(await store.games.running_of(GUILD, BOB)) == 2


async def test_a_person_has_ten_open_challenges_at_most(table: Table) -> None:
    first = await table.challenge(channel=HALL)
    for _ in range(9):
        await table.challenge(None, channel=GARDEN)
    await table.store.challenges.set_message(first, MESSAGE)
    with pytest.raises(TooManyChallenges) as caught:
        await table.challenge(None)
    assert caught.value.guild == GUILD
    assert [(one.channel, one.message) for one in caught.value.challenges] == [
        (HALL, MESSAGE),
        *[(GARDEN, None)] * 9,
    ]
    await table.challenge(challenger=CID)
    await table.lobby.decline(first, BOB)
    await table.challenge(None)


async def test_five_friends_are_challenged_in_a_row_and_then_comes_a_wait(
    table: Table, clock: Clock
) -> None:
    began = clock()

    async def after(seconds: float, who: UserId = ANN, guild: GuildId = GUILD) -> None:
        clock.time = began + timedelta(seconds=seconds - 12)  # a table takes its time
        await table.challenge(UserId(200 + round(seconds)), challenger=who, guild=guild)

    for number in range(5):
        await after(2 * number)
    with pytest.raises(TooSoon) as caught:
        await after(10)
    assert caught.value.wait == timedelta(seconds=50)
    await after(10, CID)
    await after(10, guild=GuildId(2 << 22))
    with pytest.raises(TooSoon):
        await after(59.9)
    await after(60)
    with pytest.raises(TooSoon) as caught:
        await after(60.5)
    assert caught.value.wait == timedelta(seconds=1.5)


@pytest.mark.both_databases
async def test_a_flood_of_challenges_is_five(table: Table) -> None:
    terms = ChallengeTerms(
        guild=GUILD,
        channel=CHANNEL,
        challenger=ANN,
        opponent=None,
        colour=ColourChoice.RANDOM,
        coordinates=Coordinates.STANDARD,
        place=Place.HERE,
    )
    results = await asyncio.gather(
        *(
            table.lobby.challenge(
                terms, opponent_is_bot=False, venue=venue(), source=table.source()
            )
            for _ in range(8)
        ),
        return_exceptions=True,
    )
    kinds = sorted(type(result).__name__ for result in results)
    assert kinds == ["ChallengeRow"] * 5 + ["TooSoon"] * 3


async def test_a_rematch_need_not_wait(table: Table, clock: Clock) -> None:
    game = await table.ended()
    for _ in range(4):
        await table.challenge(None)
        clock.advance(seconds=-12)
    with pytest.raises(TooSoon):
        await table.challenge(None)
    _, update = await table.rematch(game, ANN)
    assert update is None


async def test_a_rematch_counts_as_a_challenge(table: Table) -> None:
    game = await table.ended()
    for _ in range(10):
        await table.challenge(None)
    with pytest.raises(TooManyChallenges):
        await table.rematch(game, ANN)


async def test_looking_at_the_limits_costs_two_questions(table: Table, engine: AsyncEngine) -> None:
    asked: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_more: object) -> None:
        if statement.lstrip().startswith("SELECT") and "advisory" not in statement:
            asked.append(statement)

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    challenge = await table.challenge()
    assert [("guild_settings" in one, "blocks" in one) for one in asked] == [
        (True, False),
        (False, True),
    ]
    asked.clear()
    await table.accept(challenge)
    # Besides: the challenge, whether the channel is free, whether a team plays in it, and whether
    # it counts for a ladder.
    assert sorted("guild_settings" in one or "blocks" in one for one in asked) == [
        *[False] * 4,
        *[True] * 2,
    ]


# Nobody answers


async def test_a_challenge_expires_after_a_week(table: Table, clock: Clock) -> None:
    challenge = await table.challenge()
    clock.advance(days=7, seconds=-1)
    assert await table.lobby.expire(ALL) == []
    clock.advance(seconds=1)
    late = [
        table.accept(challenge),
        table.lobby.decline(challenge, BOB),
        table.lobby.cancel(challenge, ANN),
    ]
    for answer in late:
        with pytest.raises(ChallengeAnswered) as caught:
            await answer
        assert caught.value.challenge.state is ChallengeState.EXPIRED
    (closed,) = await table.lobby.expire(ALL)
    assert (closed.id, closed.state) == (challenge, ChallengeState.EXPIRED)
    assert await table.store.challenges.get(challenge) == closed


@pytest.mark.both_databases
async def test_an_expired_challenge_is_handed_to_one_process(table: Table, clock: Clock) -> None:
    challenge = await table.challenge()
    await table.store.challenges.set_message(challenge, MESSAGE)
    clock.advance(days=7)
    assert await table.lobby.expire(Shards((0,), 2)) == []  # its server is of shard 1
    found = await asyncio.gather(*(table.lobby.expire(Shards((1,), 2)) for _ in range(4)))
    ((closed,),) = [rows for rows in found if rows]
    assert closed.message == MESSAGE


async def test_answered_challenges_do_not_expire(table: Table, clock: Clock) -> None:
    await table.accept(await table.challenge())
    await table.lobby.decline(await table.challenge(), BOB)
    clock.advance(days=8)
    assert await table.lobby.expire(ALL) == []


async def test_expired_challenges_are_not_open(table: Table, clock: Clock) -> None:
    for _ in range(10):
        await table.challenge(None)
    clock.advance(days=7)
    await table.challenge()


async def test_an_expired_rematch_can_be_offered_again(table: Table, clock: Clock) -> None:
    game = await table.ended()
    old, _ = await table.rematch(game, ANN)
    clock.advance(days=7)
    new, update = await table.rematch(game, BOB)
    assert update is None
    assert new.id != old.id
    kept = await table.store.challenges.get(old.id)
    assert kept is not None
    assert kept.state is ChallengeState.EXPIRED

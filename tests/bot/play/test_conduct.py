"""Tests for the rules of conduct: where games may start, how many, and how often."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.base.ids import ChannelId, GuildId, Shards, UserId
from bot.database.connection import AsyncEngine
from bot.play.model.conduct import Venue
from bot.play.model.refusals import GameNotRunning
from bot.play.model.refused_starts import (
    ChallengeAnswered,
    ChannelBusy,
    MissingPermissions,
    NoThreadsHere,
    TooManyChallenges,
    TooManyGames,
    TooSoon,
    WrongChannel,
)
from bot.play.model.terms import ChallengeState, ChallengeTerms, ColorChoice, Place
from dvonn import Coordinates
from tests.bot.conftest import Clock
from tests.bot.rows import statements
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, MESSAGE, Table, raises, venue

ALL = Shards((0,), 1)
HALL, GARDEN, THREAD = ChannelId(510), ChannelId(520), ChannelId(530)


# Where games may start


async def test_games_are_started_where_the_moderators_want_them(table: Table) -> None:
    early = await table.challenge()
    await table.store.guilds.allow_channel(GUILD, HALL)
    await table.store.guilds.allow_channel(GuildId(2 << 22), CHANNEL)  # a list of another server
    for refused in (table.challenge(), table.accept(early)):
        assert (await raises(WrongChannel, refused)).allowed == {HALL}
    await table.begin(channel=HALL)
    await table.store.guilds.allow_channel(GUILD, CHANNEL)
    await table.accept(early)


async def test_a_thread_counts_as_its_channel(table: Table) -> None:
    await table.store.guilds.allow_channel(GUILD, HALL)
    inside = Venue(channel=THREAD, home=HALL, has_threads=False)
    await table.begin(channel=THREAD, where=inside)
    elsewhere = Venue(channel=THREAD, home=GARDEN, has_threads=False)
    await raises(WrongChannel, table.challenge(channel=ChannelId(531), where=elsewhere))


async def test_a_rematch_is_played_where_games_may_be_started(table: Table) -> None:
    game = await table.ended()
    await table.store.guilds.allow_channel(GUILD, HALL)
    await raises(WrongChannel, table.rematch(game, ANN))


async def test_a_button_elsewhere_than_its_challenge_is_forged(table: Table) -> None:
    challenge = await table.challenge(None)
    await raises(GameNotRunning, table.accept(challenge, where=venue(HALL)))
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
    [(Place.HERE, ("Attach Files",)), (Place.THREAD, ("Attach Files", "Create Public Threads"))],
)
@pytest.mark.parametrize("may_mend", [True, False])
async def test_missing_permissions_are_named_when_asking_and_when_accepting(
    table: Table, place: Place, named: tuple[str, ...], may_mend: bool
) -> None:
    early = await table.challenge(place=place)
    where = replace(LACKING, asker_may_mend=may_mend)
    for refused in (table.challenge(place=place, where=where), table.accept(early, where=where)):
        caught = await raises(MissingPermissions, refused)
        assert caught.permissions == named
        assert caught.asker_may_mend is may_mend
    await table.accept(early)


async def test_a_thread_where_there_are_none_is_refused(table: Table) -> None:
    early = await table.challenge(place=Place.THREAD)
    nowhere = venue(has_threads=False)
    for refused in (
        table.challenge(place=Place.THREAD, where=nowhere),
        table.accept(early, where=nowhere),
    ):
        await raises(NoThreadsHere, refused)


async def test_a_busy_channel_names_the_permissions_for_a_thread(table: Table) -> None:
    early = await table.challenge()
    await table.begin()
    for may_mend in (True, False):
        where = replace(LACKING, lacking=(), asker_may_mend=may_mend)
        for refused in (table.challenge(where=where), table.accept(early, where=where)):
            caught = await raises(ChannelBusy, refused)
            assert caught.lacking is not None
            assert caught.lacking.permissions == ("Create Public Threads",)
            assert caught.lacking.asker_may_mend is may_mend


# How many, and how often


async def test_nobody_plays_more_games_at_once_than_the_server_allows(table: Table) -> None:
    await table.store.guilds.choose(GUILD, games_per_person=2)
    early = await table.challenge(CID)
    from_cid = await table.challenge(ANN, challenger=CID)
    between_them = await table.challenge(BOB)
    for number in range(2):
        channel = ChannelId(4_000 + number)
        await table.begin(channel=channel)
    caught = await raises(TooManyGames, table.challenge(CID))
    assert (caught.who, caught.limit, caught.is_asker) == (ANN, 2, True)
    caught = await raises(TooManyGames, table.accept(early, CID))
    assert (caught.who, caught.is_asker) == (ANN, False)
    caught = await raises(TooManyGames, table.accept(from_cid, ANN))
    assert (caught.who, caught.is_asker) == (ANN, True)
    # The challenger is told first about problems that they can solve.
    caught = await raises(TooManyGames, table.accept(between_them, BOB))
    assert (caught.who, caught.is_asker) == (BOB, True)
    await table.end(CID, ChannelId(4000))
    await table.accept(early, CID)


async def test_games_and_challenges_in_other_servers_do_not_count(
    table: Table, clock: Clock
) -> None:
    for number in range(3):
        await table.challenge(guild=GuildId(2 << 22), channel=ChannelId(4_000 + number))
    busy = await table.challenge(guild=GuildId(3 << 22), channel=HALL)
    await table.accept(busy)
    await table.store.guilds.choose(GUILD, games_per_person=1)
    clock.advance(seconds=-12)
    await table.begin()


async def test_accepting_at_once_does_not_exceed_the_limit(table: Table, other: Table) -> None:
    await table.store.guilds.choose(GUILD, games_per_person=2)
    channels = [ChannelId(4_000 + number) for number in range(6)]
    challenges = [
        await table.challenge(challenger=challenger, channel=channel)
        for channel, challenger in zip(channels, [ANN] * 3 + [CID] * 3, strict=True)
    ]
    results = await asyncio.gather(
        *(
            process.accept(challenge, where=venue(channel))
            for process, challenge, channel in zip(
                (table, other) * 3, challenges, channels, strict=True
            )
        ),
        return_exceptions=True,
    )
    kinds = sorted(type(result).__name__ for result in results)
    assert kinds == ["GameUpdate"] * 2 + ["TooManyGames"] * 4
    assert len(await table.store.games.running_of(GUILD, BOB)) == 2


async def test_a_person_has_ten_open_challenges_at_most(table: Table) -> None:
    first = await table.challenge(channel=HALL)
    for _ in range(9):
        await table.challenge(None, channel=GARDEN)
    await table.store.challenges.set_message(first, MESSAGE)
    caught = await raises(TooManyChallenges, table.challenge(None))
    assert caught.guild == GUILD
    assert [(challenge.channel, challenge.message) for challenge in caught.challenges] == [
        (HALL, MESSAGE),
        *[(GARDEN, None)] * 9,
    ]
    await table.challenge(challenger=CID)
    await table.lobby.decline(first, BOB)
    await table.challenge(None)


async def test_after_five_challenges_in_a_row_there_is_a_wait(table: Table, clock: Clock) -> None:
    began = clock()

    async def after(seconds: float, who: UserId = ANN, guild: GuildId = GUILD) -> None:
        clock.time = began + timedelta(seconds=seconds - 12)  # a table takes some time
        await table.challenge(UserId(200 + round(seconds)), challenger=who, guild=guild)

    for number in range(5):
        await after(2 * number)
    assert (await raises(TooSoon, after(10))).wait == timedelta(seconds=50)
    await after(10, CID)
    await after(10, guild=GuildId(2 << 22))
    await raises(TooSoon, after(59.9))
    await after(60)
    assert (await raises(TooSoon, after(60.5))).wait == timedelta(seconds=1.5)


@pytest.mark.both_databases
async def test_a_flood_of_challenges_is_five(table: Table) -> None:
    terms = ChallengeTerms(
        guild=GUILD,
        channel=CHANNEL,
        challenger=ANN,
        opponent=None,
        colour=ColorChoice.RANDOM,
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
    await raises(TooSoon, table.challenge(None))
    _, update = await table.rematch(game, ANN)
    assert update is None


async def test_a_rematch_counts_as_a_challenge(table: Table) -> None:
    game = await table.ended()
    for _ in range(10):
        await table.challenge(None)
    await raises(TooManyChallenges, table.rematch(game, ANN))


async def test_looking_at_the_limits_costs_two_questions(table: Table, engine: AsyncEngine) -> None:
    asked = statements(engine)

    def questions() -> list[str]:
        return [item for item in asked if re.match(r"\s*SELECT(?!.*advisory)", item, re.DOTALL)]

    challenge = await table.challenge()
    assert [
        ("guild_settings" in question, bool(re.search(r"\bblocks\b", question)))
        for question in questions()
    ] == [
        (True, False),
        (False, True),
    ]
    asked.clear()
    await table.accept(challenge)
    assert (
        sum("guild_settings" in question or "blocks" in question for question in questions()) == 2
    )


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
        assert (await raises(ChallengeAnswered, answer)).challenge.state is ChallengeState.EXPIRED
    (closed,) = await table.lobby.expire(ALL)
    assert (closed.id, closed.state) == (challenge, ChallengeState.EXPIRED)
    assert await table.store.challenges.get(challenge) == closed


@pytest.mark.both_databases
async def test_an_expired_challenge_is_handed_to_one_process(table: Table, clock: Clock) -> None:
    challenge = await table.challenge()
    await table.store.challenges.set_message(challenge, MESSAGE)
    clock.advance(days=7)
    assert await table.lobby.expire(Shards((0,), 2)) == []  # its server belongs to shard 1
    found = await asyncio.gather(*(table.lobby.expire(Shards((1,), 2)) for _ in range(4)))
    ((closed,),) = [rows for rows in found if rows]
    assert closed.message == MESSAGE


async def test_answered_challenges_do_not_expire(table: Table, clock: Clock) -> None:
    await table.begin()
    await table.lobby.decline(await table.challenge(), BOB)
    clock.advance(days=8)
    assert await table.lobby.expire(ALL) == []


async def test_expired_challenges_are_not_open(table: Table, clock: Clock) -> None:
    for _ in range(10):
        await table.challenge(None)
    clock.advance(days=7)
    await table.challenge()

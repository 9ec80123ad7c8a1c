"""Tests for blocks on both databases: a blocked person starts no game, and never learns why."""

import asyncio
import re
from collections.abc import Awaitable
from dataclasses import dataclass

import pytest

from bot.base.errors import PlayError
from bot.base.ids import ChallengeId, ChannelId, GuildId, MessageId, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import refusal
from bot.database.connection import AsyncEngine
from bot.people.model import MOST_BLOCKS, BadBlock, BlockProblem
from bot.people.words.own_settings import block_fields
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game, Offer
from bot.play.model.refused_starts import ChallengeAnswered, NotNow, YouBlocked
from bot.play.model.terms import ChallengeState
from tests.bot.hands import Hands
from tests.bot.rows import statements
from tests.bot.table import ANN, BOB, CID, Table, raises, venue

OTHER_GUILD = GuildId(2 << 22)


async def block(table: Table, player: UserId = BOB, other: UserId = ANN) -> list[ChallengeId]:
    """Block Ann as Bob. Return the challenges that this withdraws."""
    rows = await table.blocks.block(player, other, other_is_bot=False)
    assert all(row.state is ChallengeState.CANCELLED for row in rows)
    return [row.id for row in rows]


async def test_blocked_people_cannot_challenge_the_blocker_anywhere(table: Table) -> None:
    await block(table)
    for guild in (GuildId(1 << 22), OTHER_GUILD):
        assert (await raises(NotNow, table.challenge(guild=guild))).who == BOB
    await table.challenge(CID)
    await table.challenge(challenger=CID)
    await table.challenge(None)


@pytest.mark.both_databases
async def test_it_is_undone_by_unblocking(table: Table) -> None:
    await block(table)
    await block(table)  # blocking again makes no difference
    assert await table.store.blocks.blocked_by(BOB) == [ANN]
    await table.store.blocks.remove(BOB, ANN)
    await table.store.blocks.remove(BOB, ANN)
    assert await table.store.blocks.blocked_by(BOB) == []
    await table.begin()


async def test_blocked_people_get_no_rematch_and_no_open_challenge(table: Table) -> None:
    game = await table.ended()
    asked = await table.challenge(None, challenger=BOB)
    assert await block(table) == []  # it is for anyone, so others can accept it
    await raises(NotNow, table.rematch(game, ANN))
    await raises(NotNow, table.accept(asked, ANN))
    await table.accept(asked, CID)


async def test_a_block_withdraws_the_blockers_challenges(table: Table) -> None:
    game = await table.ended()
    offered, _ = await table.rematch(game, BOB)
    asked = await table.challenge(ANN, challenger=BOB)
    far = await table.challenge(ANN, challenger=BOB, guild=OTHER_GUILD)
    others = await table.challenge(CID, challenger=BOB)
    assert sorted(await block(table)) == sorted([offered.id, asked, far])
    caught = await raises(ChallengeAnswered, table.accept(asked, ANN))
    assert caught.challenge.state is ChallengeState.CANCELLED
    await raises(NotNow, table.rematch(game, ANN))
    await table.accept(others, CID)


async def test_the_blocker_is_informed_of_the_blocked_opponent(table: Table) -> None:
    game = await table.ended()
    theirs = await table.challenge()
    to_anyone = await table.challenge(None)
    await block(table)
    tries: list[Awaitable[object]] = [
        table.challenge(ANN, challenger=BOB),
        table.rematch(game, BOB),
        table.accept(theirs, BOB),
        table.accept(to_anyone, BOB),
    ]
    for attempt in tries:
        assert (await raises(YouBlocked, attempt)).who == ANN
    await table.lobby.decline(theirs, BOB)
    await table.accept(to_anyone, CID)


async def test_users_who_blocked_each_other_learn_only_of_their_own_block(table: Table) -> None:
    await block(table)
    await block(table, ANN, BOB)
    await raises(YouBlocked, table.challenge())
    await table.store.blocks.remove(ANN, BOB)
    await raises(NotNow, table.challenge())


async def test_a_running_game_continues(table: Table) -> None:
    await table.begin()
    await block(table)
    await table.play(ANN, "a1")
    await table.decline((await table.ask(ANN, Offer.DRAW)).game, BOB)
    await table.resign((await table.play(BOB, "b1")).game)


async def test_nobody_blocks_themselves_or_a_bot_or_too_many(table: Table) -> None:
    for other, problem in ((BOB, BlockProblem.YOURSELF), (CID, BlockProblem.BOT)):
        blocking = table.blocks.block(BOB, other, other_is_bot=other == CID)
        assert (await raises(BadBlock, blocking)).problem is problem
    for number in range(MOST_BLOCKS):
        await block(table, other=UserId(1_000 + number))
    asked = await table.challenge(ANN, challenger=BOB)
    caught = await raises(BadBlock, block(table))
    assert (caught.problem, caught.limit) == (BlockProblem.TOO_MANY, MOST_BLOCKS)
    await block(table, other=UserId(1_000))  # the block exists already
    await table.accept(asked, ANN)  # the failed transaction changed nothing
    await block(table, CID, ANN)


async def test_the_bound_holds_when_many_are_blocked_at_once(table: Table, other: Table) -> None:
    for number in range(MOST_BLOCKS - 2):
        await block(table, other=UserId(1_000 + number))
    results = await asyncio.gather(
        *(block((table, other)[n % 2], other=UserId(2_000 + n // 2)) for n in range(12)),
        return_exceptions=True,
    )
    assert {type(result) for result in results} == {BadBlock, list}
    assert len(await table.store.blocks.blocked_by(BOB)) == MOST_BLOCKS


# A block looks like the limit


@dataclass(frozen=True)
class Two:
    """A user who wants to play another one in a new server, and can't."""

    table: Table
    asker: UserId
    asked: UserId
    guild: GuildId
    channel: ChannelId
    ended: Game
    open_challenge: ChallengeId

    @classmethod
    async def meet(cls, table: Table, first: int) -> "Two":
        asker, asked = UserId(first), UserId(first + 1)
        guild, channel = GuildId(first << 22), ChannelId(first)
        game = await table.begin(asked, challenger=asker, guild=guild, channel=channel)
        update = await table.resign(game, asker)
        offered = await table.challenge(
            None, challenger=asked, guild=guild, channel=ChannelId(first + 2)
        )
        return cls(table, asker, asked, guild, channel, update.game, offered)

    async def challenge(self, opponent: UserId | None = None) -> ChallengeId:
        return await self.table.challenge(
            opponent or self.asked, challenger=self.asker, guild=self.guild, channel=self.channel
        )

    async def exhaust(self) -> None:
        for _ in range(5):
            await self.table.lobby.cancel(await self.challenge(), self.asker)

    async def tries(self, how: str) -> object:
        if how == "challenge":
            return await self.challenge()
        if how == "accept":
            return await self.table.accept(self.open_challenge, self.asker)
        return await self.table.rematches.ask(
            self.ended,
            self.asker,
            message=MessageId(1),
            venue=venue(self.channel),
            source=self.table.source(),
        )

    async def hinder(self, obstacle: str) -> None:
        """Add another reason why the user can't play."""
        store, table = self.table.store, self.table
        match obstacle:
            case "elsewhere":
                await store.guilds.allow_channel(self.guild, ChannelId(7))
            case "enough games":
                await store.guilds.choose(self.guild, games_per_person=1)
                await table.accept(await self.challenge(CID), CID)
            case "enough challenges":
                for number in range(10):
                    await self.challenge(UserId(900 + number))
            case "in a row":
                for number in range(5):
                    await self.challenge(UserId(900 + number))
                    table.clock.advance(seconds=-12)
            case "busy":
                where = (self.channel, ChannelId(self.asker + 2))
                for channel in where:
                    offered = await table.challenge(
                        None, challenger=CID, guild=self.guild, channel=channel
                    )
                    await table.accept(offered, UserId(950))


@pytest.mark.both_databases(thorough="the same questions are asked of either")
@pytest.mark.parametrize("how", ["challenge", "rematch", "accept"])
@pytest.mark.parametrize(
    "obstacle", ["nothing", "elsewhere", "enough games", "enough challenges", "in a row", "busy"]
)
async def test_a_block_has_the_same_words_and_queries_as_the_limit(
    table: Table, engine: AsyncEngine, obstacle: str, how: str
) -> None:
    blocked, limited = await Two.meet(table, 10_000), await Two.meet(table, 20_000)
    await block(table, blocked.asked, blocked.asker)
    await limited.exhaust()
    asked = statements(engine)
    outcomes = []
    for two in (blocked, limited):
        table.clock.advance(minutes=2)
        await two.hinder(obstacle)
        asked.clear()
        caught = await raises(PlayError, two.tries(how))
        words = refusal(IN_ENGLISH, caught).replace(str(two.asked), "B")
        outcomes.append((type(caught), words.replace(str(two.asker), "A"), list(asked)))
    # Any servers and channels in the text are the given ones.
    (first, words, questions), (second, other_words, others) = outcomes
    assert (first, questions) == (second, others)
    assert re.sub(r"[0-9]+", "N", words) == re.sub(r"[0-9]+", "N", other_words)
    assert (first is NotNow) == (obstacle == "nothing" or (obstacle, how) in IN_NOBODYS_WAY)


IN_NOBODYS_WAY = {
    ("enough challenges", "accept"),
    ("in a row", "rematch"),
    ("in a row", "accept"),
    ("busy", "challenge"),  # it gets its own thread
    ("busy", "rematch"),
    ("busy", "accept"),
}


# Concurrent actions, and stored data


async def test_a_block_comes_before_a_challenge(hands: Hands) -> None:
    late, _ = await hands.race(lambda table: table.challenge(), block)
    assert isinstance(late, NotNow)


@pytest.mark.parametrize(("opponent", "refused"), [(None, NotNow), (ANN, ChallengeAnswered)])
async def test_a_block_comes_before_a_yes(
    hands: Hands, table: Table, opponent: UserId | None, refused: type[PlayError]
) -> None:
    asked = await table.challenge(opponent, challenger=BOB)
    late, _ = await hands.race(lambda at: at.accept(asked, ANN), block)
    assert isinstance(late, refused)


async def test_many_simultaneous_blocks_and_answers_do_not_deadlock(
    table: Table, other: Table
) -> None:
    """A block that withdraws a challenge and a user who accepts it need the same rows."""
    for number in range(10):
        player, asked = UserId(3_000 + 2 * number), UserId(3_001 + 2 * number)
        if number % 2:
            player, asked = asked, player
        channel = ChannelId(4_000 + number)
        challenge = await table.challenge(asked, challenger=player, channel=channel)
        yes, _ = await asyncio.gather(
            table.accept(challenge, asked, where=venue(channel)),
            block(other, player, asked),
            return_exceptions=True,
        )
        assert isinstance(yes, GameUpdate | ChallengeAnswered), yes


def test_the_form_has_room_for_one_more() -> None:
    for count, lists in ((0, 1), (24, 1), (25, 2), (49, 2)):
        _, fields = block_fields(IN_ENGLISH, [ANN] * count)
        assert len(fields) == lists, count

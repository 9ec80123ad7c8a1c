"""Tests for scripted friends, who know two labels of a bot and no rules."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

import discord

from sandbox import Channel, Person, Sandbox
from sandbox.friend import Friend, TurnPlayer, fast_forward
from sandbox.signals import SOON_S
from tests.sandbox.clients import Bot, running
from tests.sandbox.croupier import EARLY, LATE, Croupier, Press


class Naps:
    """A friend's time: the waits so far, and a way to make them wait."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def sleep(self, seconds: float) -> None:
        self.taken.append(seconds)
        await self.may_go_on.wait()


@asynccontextmanager
async def playing(
    world: Sandbox, person: Person, naps: Naps | None = None
) -> AsyncIterator[TurnPlayer]:
    hand = TurnPlayer(Random(1))
    sleep = (naps or Naps()).sleep
    friend = Friend(person, world.state, hand, reaction_s=1.5, sleep=sleep)
    task = asyncio.create_task(friend.run())
    try:
        yield hand
    finally:
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled(), task.exception()


def contains(words: str) -> Callable[[object], bool]:
    return lambda message: words in str(message)


async def test_two_friends_play_a_whole_game(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot, naps = Croupier(), Naps()
    async with running(world, bot), playing(world, ann), playing(world, bob, naps):
        await ann.slash(channel, "challenge", opponent=bob)
        await channel.wait_for(contains("It is over."))
        assert {choice for _, choice in bot.played} == {*EARLY, *LATE}
        assert [who for who, _ in bot.played] == [ann.id, bob.id] * 4
        assert set(naps.taken) == {1.5}
        assert ann.inbox == bob.inbox == [], "private words about own moves are put away"


async def test_friends_play_on_where_a_move_gets_no_answer_but_the_board(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Croupier(quiet=True)
    async with running(world, bot), playing(world, ann), playing(world, bob):
        await ann.slash(channel, "challenge", opponent=bob)
        await channel.wait_for(contains("It is over."), timeout=SOON_S / 2)
        assert len(bot.played) == len([*EARLY, *LATE])


async def test_friends_who_are_named_without_a_ping_play_on(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Croupier()
    bot.allowed_mentions = discord.AllowedMentions.none()  # as if it were their turn again
    async with running(world, bot), playing(world, ann), playing(world, bob):
        await ann.slash(channel, "challenge", opponent=bob)
        await channel.wait_for(contains("It is over."))
        assert [who for who, _ in bot.played] == [ann.id, bob.id] * 4


async def test_a_friend_plays_only_for_himself(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Croupier()
    async with running(world, bot), playing(world, bob):
        challenge = await ann.slash(channel, "challenge", opponent=bob)
        first = await channel.wait_for(contains(f"{ann.mention}, your turn"))
        assert bot.played == []
        await ann.slash(channel, "move", move="c")
        await channel.wait_for(contains(f"{ann.mention}, your turn"), after=first)
        assert [who for who, _ in bot.played] == [ann.id, bob.id]
        assert challenge.message is not None


async def test_a_challenge_to_others_is_theirs(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    naps = Naps()
    async with running(world, Croupier()), playing(world, bob, naps):
        own = await ann.slash(channel, "challenge", opponent=ann)
        assert own.message is not None
        opened = await ann.slash(channel, "challenge")
        await channel.wait_for(contains("your turn"))
        assert opened.content == "A game!"
        assert own.content.endswith("a game?")
        assert naps.taken == [1.5]


async def test_an_own_open_challenge_waits_for_others(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    naps = Naps()
    async with running(world, Croupier()), playing(world, bob, naps):
        own = await bob.slash(channel, "challenge")
        await ann.slash(channel, "challenge")
        await channel.wait_for(contains("your turn"))
        assert own.content == "Anybody: a game?"
        assert naps.taken == [1.5]


async def test_a_late_friend_finds_the_waiting_game(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Croupier()
    async with running(world, bot):
        await ann.slash(channel, "challenge", opponent=bob)
        async with playing(world, bob):
            await channel.wait_for(contains(f"{ann.mention}, your turn"))
        await ann.slash(channel, "move", move="a")
        waiting = await channel.wait_for(contains(f"{bob.mention}, your turn"))
        assert len(bot.played) == 1
        async with playing(world, bob):
            await channel.wait_for(contains(f"{ann.mention}, your turn"), after=waiting)
        assert bot.played[1][0] == bob.id


async def test_a_bot_that_was_away_finds_its_friend_again(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot, naps = Croupier(), Naps()
    naps.may_go_on.clear()
    async with playing(world, bob, naps):
        async with running(world, bot):
            await ann.slash(channel, "challenge", opponent=bob)
        naps.may_go_on.set()  # the friends check the channel, and there is no bot
        async with running(world, Croupier()):
            await channel.wait_for(contains("It begins."))


class Host(Bot):
    """A bot with choices that remembers who pressed what."""

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[tuple[int, str]] = []

        @self.tree.command(description="Let somebody choose")
        async def ask(interaction: Press, who: discord.User, labels: str) -> None:
            view = discord.ui.View(timeout=None)
            for label in labels.split("/"):
                view.add_item(discord.ui.Button(label=label, custom_id=label))
            view.stop()
            await interaction.response.send_message(f"{who.mention}, choose.", view=view)

    async def on_interaction(self, interaction: Press) -> None:
        if interaction.type is discord.InteractionType.component:
            label = str(dict(interaction.data or {})["custom_id"])
            self.chosen.append((interaction.user.id, label))
            await interaction.response.edit_message(content=f"{label} it is.", view=None)


async def test_a_friend_makes_the_scripted_choice(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot, boards, before = Host(), ["Board 1", "Board 2", "Board 3"], None
    async with running(world, bot), playing(world, bob):
        for labels in (*["Board as text/Resign/" + "/".join(boards)] * 12, "Resign/Black"):
            await ann.slash(channel, "ask", who=bob, labels=labels)
            before = await channel.wait_for(contains("it is."), after=before)
    assert {who for who, _ in bot.chosen} == {bob.id}
    assert {label for _, label in bot.chosen[:-1]} == set(boards)
    assert bot.chosen[-1] == (bob.id, "Black")


async def test_fast_forward_ends_where_the_later_part_begins(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    bot = Croupier()
    async with running(world, bot):
        assert await fast_forward([ann, bob], channel, TurnPlayer(Random(1))) == 0
        answer = await ann.slash(channel, "challenge", opponent=bob)
        assert answer.message is not None
        await bob.click(answer.message, "Accept")
        assert await fast_forward([bob, ann], channel, TurnPlayer(Random(1))) == len(EARLY)
        assert sorted(choice for _, choice in bot.played) == [*EARLY]
        assert await fast_forward([ann, bob], channel, TurnPlayer(Random(1))) == 0


async def test_other_chances_make_another_game(
    world: Sandbox, channel: Channel, ann: Person, bob: Person
) -> None:
    games = []
    for seed in (1, 1, 2):
        bot = Croupier()
        async with running(world, bot):
            answer = await ann.slash(channel, "challenge", opponent=bob)
            assert answer.message is not None
            await bob.click(answer.message, "Accept")
            await fast_forward([ann, bob], channel, TurnPlayer(Random(seed)))
            games.append(bot.played)
    assert games[0] == games[1] != games[2]

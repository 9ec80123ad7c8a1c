"""Messages of the bot in a game, its pings, and the time until the machine answers.

    python -m benchmarks.noise [--seed 1] [--pause 1.2]

Whole games are played by typed moves, and one by buttons only, beside a local Discord that counts
messages. `bot_messages` are all messages of the bot in the channel, including the challenge.
`standing` are those that were not deleted. `pings` is the number of times that a phone rang. Excess
messages are counted in figures that should be 0:

- `placement_standing_over`: messages that were not deleted, beyond one for each movement and five
  more;
- `balanced_over`: messages posted, beyond one for each movement and four more;
- `machine_over`: messages posted, beyond one for each turn of the human and three more;
- `machine_buttons_over`: messages posted in a game by buttons, including private ones, beyond four;
- `pings_over`: pings in all games together, beyond one for each turn that was handed over and two
  more per game, for the challenge and the end. The first turn counts as handed over.

`--seed` chooses the moves of people. The bot itself chooses balanced boards and the machine's
moves. The game against the machine, at level 5, is played under Discord's limits, with a pause
before each move, as if a person were thinking. `machine_ms` is the median time from a move to the
next board that needs an action. `first_ms` is that time for the first move, which is made as soon
as the bot is ready.
"""

import argparse
import asyncio
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from benchmarks.bots import running_bot
from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.base.ids import ChannelId, GameId
from bot.database.opening import create_engine
from bot.play.model.game import Game, before_start
from bot.play.model.refusals import NoGameHere
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache, replay
from demo.commands import use
from dvonn import Move, Phase
from sandbox import Channel, Message, Person, RateLimits, Sandbox
from tests.games import random_game

LEVEL: Final = 5
_BOARD = re.compile(r"dvonn-([0-9]+)-([0-9]+)\.png")
_LEAVE = "Go on without me"
_PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class Noise:
    """The cost of a game for its players and its channel.

    Attributes:
        moves: Number of movements of stacks.
        turns: Number of moves that people typed.
        handed_over: Number of times that the turn passed to a person who did not have it.
        messages: Number of messages that the bot posted.
        standing: Number of these that were not deleted.
        pings: Number of times that a phone rang.
        waits_ms: Times from each typed move to the next board that needs an action, in order.
    """

    moves: int
    turns: int
    handed_over: int
    messages: int
    standing: int
    pings: int
    waits_ms: list[float]

    def figures(self, kind: str) -> dict[str, float]:
        """Return the figures that the log gives."""
        return {
            f"{kind}_bot_messages": self.messages,
            f"{kind}_standing": self.standing,
            f"{kind}_pings": self.pings,
        }

    def told(self, kind: str) -> str:
        """Return a line for people."""
        counts = f"{self.moves} moves, {self.turns} turns typed, {self.handed_over} handed over"
        waits = ", ".join(f"{number:.0f}" for number in self.waits_ms)
        return f"{kind}: {counts}; ms: {waits}"

    @property
    def pings_over(self) -> int:
        """The number of unnecessary pings."""
        return max(0, self.pings - (self.handed_over + 2))


class Hall:
    """A channel in which one game is played, and its two players.

    Args:
        world: The local Discord.
        store: The bot's database.
        rng: Random number generator for the moves.
        pause_s: Thinking time of people, in seconds.
    """

    def __init__(self, world: Sandbox, store: Store, rng: Random, pause_s: float = 0.0) -> None:
        self._world = world
        self._store = store
        self._game_cache = GameCache(store)
        self._rng = rng
        self._pause_s = pause_s
        guild = world.create_guild("Friends")
        self.channel: Channel = guild.create_channel("dvonn")
        self.ann, self.bob = guild.add_person("Ann"), guild.add_person("Bob")
        self._since = 0
        self._heard = 0
        self._counts_private = False
        self._has_left = False
        self._posted: dict[int, Message] = {}
        world.state.messages_changed.listen(self._see)

    async def play(
        self, start: str, *, by_machine: bool = False, by_buttons: bool = False
    ) -> Noise:
        """Play a whole game. Ann challenges, and asks for White.

        A game that was interrupted here is played to its end. By buttons Ann plays all moves.
        """
        self._counts_private = by_buttons
        planned: Iterator[Move] = iter(())
        try:
            await self._game_cache.running_in(ChannelId(self.channel.id))
        except NoGameHere:
            await self._begin(start, by_machine=by_machine)
            if not by_machine:
                planned = iter(random_game(self._rng.randrange(1_000)))
        board, game = await self._shown(-1)
        turns, waits = 0, []
        while game.is_running:
            await asyncio.sleep(self._pause_s)
            since = time.perf_counter()
            placing = game.position.phase is Phase.PLACEMENT
            move = next(planned, None) if placing else None
            move = move or self._rng.choice(game.position.legal_moves())
            turns += 1
            if by_buttons:
                await self._tap(board, move)
            else:
                await self._to_move(game).say(self.channel, str(move))
            board, game = await self._shown(game.row.revision)
            waits.append((time.perf_counter() - since) * 1000)
        await asyncio.sleep(1)  # cleanup
        return Noise(
            moves=sum(ply.move.source is not None for ply in game.line),
            turns=turns,
            handed_over=await self._handed_over(game),
            messages=len(self._posted),
            standing=sum(not message.deleted for message in self._posted.values()),
            pings=sum(len(message.pinged) for message in self._posted.values()),
            waits_ms=waits,
        )

    async def _begin(self, start: str, *, by_machine: bool) -> None:
        # Boards of an earlier game do not count.
        self._since = max((message.id for message in self.channel.messages), default=0)
        self._heard = len(self.ann.inbox)
        terms: dict[str, object] = {"start": start, "colour": "white"}
        terms |= {"level": LEVEL} if by_machine else {"opponent": self.bob}
        command = "play" if by_machine else "challenge"
        await use(self.ann, self.channel, command, **terms)
        if not by_machine:
            # On a busy machine the answer asks for patience, and the challenge follows it.
            challenge = await self.channel.wait_for(
                lambda one: "Accept" in [button.label for button in one.buttons],
                after=self._since,
                timeout=_PATIENCE_S,
            )
            await self.bob.click(challenge, "Accept")

    def _see(self, message: Message) -> None:
        is_ours = message.author is self._world.bot_user and message.channel is self.channel
        if is_ours and (message.viewer is None or self._counts_private):
            self._posted[message.id] = message

    async def _shown(self, revision: int) -> tuple[Message, Game]:
        """Return the next board after a revision on which a person can act, or the last."""
        try:
            board = await self.channel.wait_for(
                lambda message: _turn_of(message)[1] > revision or self._is_left(message),
                after=self._since,
                timeout=_PATIENCE_S,
            )
        except TimeoutError as error:
            said = map(str, self.ann.inbox[self._heard :])
            raise TimeoutError(f"{error}\nsaid to Ann alone:\n" + "\n".join(said)) from error
        if not board.attachments:
            print("the machine is silent: Ann goes on without it")
            self._has_left = True
            await self.ann.click(board, _LEAVE)
            return await self._shown(revision)
        number, newest = _turn_of(board)
        game = await self._game_cache.current(GameId(number))
        assert game is not None
        if game.row.revision == newest and not game.waits_for_machine:
            return board, game
        return await self._shown(newest)

    def _is_left(self, message: Message) -> bool:
        """Return True if the machine announces that it can't play, so Ann must go on without it."""
        return not self._has_left and any(button.label == _LEAVE for button in message.buttons)

    async def _tap(self, board: Message, move: Move) -> None:
        """Play a move by the board's own buttons: *Move*, the stack, and its target space."""
        picks = (component.custom_id for component in board.buttons)
        pick = next(one for one in picks if one is not None and one.endswith(":pick"))
        picker = (await self.ann.click(board, custom_id=pick)).message
        assert picker is not None
        for point in (move.source, move.target):
            labels = (button.label for button in picker.buttons)
            label = next((one for one in labels if one and one.split()[0] == point), None)
            if label is not None:
                await self.ann.click(picker, label)
            else:
                offered = (value for select in picker.selects for _, value in select.options)
                await self.ann.select(picker, [next(one for one in offered if one == point)])

    def _to_move(self, game: Game) -> Person:
        return next(person for person in (self.ann, self.bob) if person.id == game.to_move)

    async def _handed_over(self, game: Game) -> int:
        """Count the turns that came to a person who did not have them."""
        events = await self._store.games.events(game.row.id)
        people = [after.to_move for _, after in replay(before_start(game.row), events)]
        machine = game.row.machine
        return sum(
            now is not None and now not in (before, machine)
            for before, now in zip([None, *people], people, strict=False)
        )


def _turn_of(message: Message) -> tuple[int, int]:
    """Return the game and revision of a board, or a revision of -2 for other messages."""
    names = (_BOARD.fullmatch(file.filename) for file in message.attachments)
    found = next((name for name in names if name is not None), None)
    return (0, -2) if found is None else (int(found[1]), int(found[2]))


async def of_people(home: Path, seed: int) -> dict[str, Noise]:
    """Play one game of each start, without the machine and without limits."""
    found = {}
    url = f"sqlite:///{home.as_posix()}/people.sqlite3"
    async with (
        Sandbox(rate_limits=RateLimits.generous(), record=False) as world,
        running_bot(world, home, "bot", DATABASE_URL=url, MACHINE="off"),
    ):
        store = Store(create_engine(database_address(url)))
        for kind in ("placement", "balanced"):
            found[kind] = await Hall(world, store, Random(seed)).play(kind)
            print(found[kind].told(kind))
        await store.close()
    return found


async def of_machine(home: Path, seed: int, pause_s: float) -> tuple[Noise, Noise]:
    """Play two games against the machine, under Discord's limits and from the first moment.

    The first is typed, the second played by buttons.
    """
    url = f"sqlite:///{home.as_posix()}/machine.sqlite3"
    async with (
        Sandbox(rate_limits=RateLimits(), record=False) as world,
        running_bot(world, home, "bot", DATABASE_URL=url, MACHINE="auto", REQUESTS_PER_SECOND="0"),
    ):
        store = Store(create_engine(database_address(url)))
        hall = Hall(world, store, Random(seed), pause_s)
        typed = await hall.play("balanced", by_machine=True)
        hall = Hall(world, store, Random(seed), pause_s)
        tapped = await hall.play("balanced", by_machine=True, by_buttons=True)
        await store.close()
    print(typed.told("machine"))
    print(tapped.told("machine_buttons"))
    return typed, tapped


async def measure(home: Path, seed: int, pause_s: float) -> dict[str, float]:
    """Return the figures of the RESULT line."""
    games = await of_people(home, seed)
    machine, tapped = await of_machine(home, seed, pause_s)
    games |= {"machine": machine, "machine_buttons": tapped}
    figures: dict[str, float] = {}
    for kind, noise in games.items():
        figures |= noise.figures(kind)
    placement, balanced = games["placement"], games["balanced"]
    return figures | {
        "placement_standing_over": max(0, placement.standing - (placement.moves + 5)),
        "balanced_over": max(0, balanced.messages - (balanced.moves + 4)),
        "machine_over": max(0, machine.messages - (machine.turns + 3)),
        "machine_buttons_over": max(0, tapped.messages - 4),
        "pings_over": sum(noise.pings_over for noise in games.values()),
        "machine_ms": median(machine.waits_ms[1:]),
        "first_ms": machine.waits_ms[0],
    }


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.noise")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=1.2, help="before a move, in seconds")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dvonn-noise-") as folder:
        figures = asyncio.run(measure(Path(folder), options.seed, options.pause))
    print(result_line("noise", figures))


if __name__ == "__main__":
    main()

"""Whole games in a channel of the sandbox: between two people, or against the machine."""

import asyncio
import re
import sys
from collections.abc import Iterator
from random import Random
from typing import Final

from bot.base.ids import ChannelId, GameId
from bot.play.model.game import Game
from bot.play.model.refusals import NoGameHere
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from demo.commands import use
from dvonn import Move, Phase
from sandbox import Channel, Message, Person, Sandbox
from tests.games import random_game

LEVEL: Final = 5
_BOARD = re.compile(r"dvonn-([0-9]+)-([0-9]+)\.png")
_LEAVE = "Go on without me"
_PATIENCE_S = 120.0


class Hall:
    """A channel in which one game is played, and its two players.

    Args:
        world: The local Discord.
        store: The bot's database.
        rng: Random number generator for the moves.
        pause_s: Thinking time of people, in seconds.
    """

    def __init__(self, world: Sandbox, store: Store, rng: Random, pause_s: float = 0.0) -> None:
        self._game_cache = GameCache(store)
        self._rng = rng
        self._pause_s = pause_s
        guild = world.create_guild("Friends")
        self.channel: Channel = guild.create_channel("dvonn")
        self.ann, self.bob = guild.add_person("Ann"), guild.add_person("Bob")
        self._since = 0
        self._heard = 0
        self._has_left = False

    async def play(self, start: str, *, by_machine: bool = False) -> int:
        """Play a whole game, and return the number of typed moves.

        Ann challenges, and asks for White. A game that was interrupted here is played to its end.
        """
        planned: Iterator[Move] = iter(())
        try:
            await self._game_cache.running_in(ChannelId(self.channel.id))
        except NoGameHere:
            await self._begin(start, by_machine=by_machine)
            if not by_machine:
                planned = iter(random_game(self._rng.randrange(1_000)))
        game, turns = await self._next_board(-1), 0
        while game.is_running:
            await asyncio.sleep(self._pause_s)
            placing = game.position.phase is Phase.PLACEMENT
            move = next(planned, None) if placing else None
            move = move or self._rng.choice(game.position.legal_moves())
            turns += 1
            await self._to_move(game).say(self.channel, str(move))
            game = await self._next_board(game.row.revision)
        await asyncio.sleep(1)  # cleanup
        return turns

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

    async def _next_board(self, revision: int) -> Game:
        """Wait for the next board after a revision on which a person can act, or the last."""
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
            sys.stdout.write("the machine is silent: Ann goes on without it\n")
            self._has_left = True
            await self.ann.click(board, _LEAVE)
            return await self._next_board(revision)
        number, newest = _turn_of(board)
        game = await self._game_cache.current(GameId(number))
        assert game is not None
        if game.row.revision == newest and not game.waits_for_machine:
            return game
        return await self._next_board(newest)

    def _is_left(self, message: Message) -> bool:
        """Return True if the machine announces that it can't play, so Ann must go on without it."""
        return not self._has_left and any(button.label == _LEAVE for button in message.buttons)

    def _to_move(self, game: Game) -> Person:
        return next(person for person in (self.ann, self.bob) if person.id == game.to_move)


def _turn_of(message: Message) -> tuple[int, int]:
    """Return the game and revision of a board, or a revision of -2 for other messages."""
    names = (_BOARD.fullmatch(file.filename) for file in message.attachments)
    found = next((name for name in names if name is not None), None)
    return (0, -2) if found is None else (int(found[1]), int(found[2]))

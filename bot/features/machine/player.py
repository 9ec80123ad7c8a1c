"""The machine as a player: it moves and answers offers.

A waiting player is notified if the machine takes longer than usual, and later if it seems stuck.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, Final, TypedDict

import structlog

from bot.base.environment import how_to_install
from bot.base.errors import PlayError, StoreError
from bot.base.ids import GameId, Shards
from bot.connection.request_demands import best_effort
from bot.connection.request_errors import DISCORD_ERRORS
from bot.features.machine.use_cases import SILENT_AFTER, MachineSilence
from bot.play.game_changes import LONG_THOUGHT, GameScope, GameUpdate
from bot.play.handlers.interactions import Services
from bot.play.model.game import Game, Offer
from bot.play.seams import ClientService
from dvonn import Move

_log = structlog.get_logger()

_RETRY_DELAY: Final = timedelta(seconds=30)
"""Delay before a retry after a failure."""
_POLL_S = 1.0
"""Seconds between checks of the clock."""
_MAX_AGE: Final = timedelta(days=7)
"""Age of a turn after which players no longer get the notice that the machine isn't moving."""
_STARTUP_TIME: Final = timedelta(seconds=20)
"""Time after the bot's start during which the machine never counts as silent.

It may be compiling.
"""
_TYPING_INTERVAL_S = 8.0
"""Seconds between typing indicators. Discord shows each for ten seconds."""


class MachinePlayer(ClientService):
    """Plays the machine's side in all its games."""

    scope = GameScope.AGAINST_MACHINE

    def __init__(self, services: Services) -> None:
        self._machine = None if services.opponent is None else services.opponent.thinker
        self._silence = services.require(MachineSilence)
        self._services = services
        self._channels = services.publisher.channels
        self._thinking: dict[GameId, tuple[Game, asyncio.Task[None]]] = {}

    async def run(self, shards: Shards) -> None:
        """Resume the games that wait for the machine, for example after a restart."""
        while True:
            try:
                for row in await self._services.store.games.with_machine(shards):
                    self.update_task(await self._services.game_cache.existing(row.id))
            except StoreError:  # the store has reported it to the host
                await self._wait_until(self._services.now() + _RETRY_DELAY)
            else:
                return

    def on_game(self, game: Game) -> None:
        """Start or stop thinking after an event, as `update_task` does.

        If the event ended the machine's silence, also remove the notice about it.
        """
        self.update_task(game)
        if self._silence.was_silent(game):
            self._services.work.start(self._delete_notice(game.row.id))

    def update_task(self, game: Game) -> None:
        """Think about a game if the machine has to act in it. Otherwise, stop thinking."""
        number = game.row.id
        if number in self._thinking:
            known_game, task = self._thinking[number]
            if known_game.row.revision >= game.row.revision:
                return
            task.cancel()
            self._forget(known_game)
        if game.waits_for_machine:
            task = self._services.tasks.start(f"machine {number}", self._act(game))
            self._thinking[number] = (game, task)

    async def _act(self, game: Game) -> None:
        with self._running(self._watch(game)):
            update = await self._answer_with_retries(game)
        self._forget(game)
        if update is not None:
            with self._services.work.track():
                await self._services.publisher.publish(update)
        else:  # someone else acted first
            with suppress(Exception):
                self.update_task(await self._services.game_cache.existing(game.row.id))

    async def _answer_with_retries(self, game: Game) -> GameUpdate | None:
        """Move or answer an offer, retrying failures. Return None if the game has changed."""
        number = game.row.id
        while True:
            try:
                return await self._answer(game)
            except asyncio.CancelledError:
                raise
            except Exception:
                _log.exception("machine move failed", game=number)
            await self._wait_until(self._services.now() + _RETRY_DELAY)
            with suppress(Exception):
                current = await self._services.game_cache.existing(number)
                if current.row.revision != game.row.revision:
                    return None

    def _forget(self, game: Game) -> None:
        """Forget a game, unless the machine is thinking about a newer state of it."""
        if self._is_current(game):
            del self._thinking[game.row.id]

    async def _answer(self, game: Game) -> GameUpdate | None:
        machine = game.row.machine
        if machine is None:
            return None
        number, revision = game.row.id, game.row.revision
        with suppress(PlayError):  # someone else acted first
            if game.asked == machine and game.offered is not None:
                agree = game.offered.offer is not Offer.DRAW
                answer = self._services.offers.accept if agree else self._services.offers.decline
                return await answer(number, revision, machine, source=None)
            with self._running(self._type(game)):
                move = await self._choose(game)
            with self._services.work.track():
                return await self._services.games.play_by_machine(number, revision, move)
        return None

    async def _choose(self, game: Game) -> Move:
        # the machine accepted when the game began
        if self._machine is None or not self._plays(game):
            future: asyncio.Future[Move] = asyncio.get_running_loop().create_future()
            return await future
        return await self._machine.choose(game.position, **_terms(game))

    @contextmanager
    def _running(self, showing: Coroutine[Any, Any, None]) -> Iterator[None]:
        """Show an indicator during the block. It is canceled at the end."""
        task = self._services.tasks.start("indicator", showing)
        try:
            yield
        finally:
            task.cancel()

    async def _type(self, game: Game) -> None:
        """Show a typing indicator until the machine counts as silent."""
        if game.row.visiting or not self._plays(game):
            return
        place = self._channels(game.row.channel, game.row.guild)
        while not self._silence.is_silent(game):
            try:
                await place.typing()
            except DISCORD_ERRORS as error:
                _log.debug("cleanup refused", game=game.row.id, error=str(error))
            await asyncio.sleep(_TYPING_INTERVAL_S)

    async def _watch(self, game: Game) -> None:
        """Post the board if the machine takes a long time, and the notice if it is silent."""
        began = self._services.now()
        if game.machine_thinks_for(began) > _MAX_AGE:
            return
        since = game.turn_since or began
        await self._wait_until(max(since, began) + LONG_THOUGHT)
        self._services.work.start(self._queue_until_accepted(self._show_board, game))
        await self._wait_until(max(since + SILENT_AFTER, began + _STARTUP_TIME))
        self._services.work.start(self._queue_until_accepted(self._silence.announce, game))
        if not self._plays(game):
            _log.warning(
                "game waiting for the machine, which is off",
                game=game.row.id,
                cure=f"set MACHINE, and install its packages: {how_to_install('engine')}",
            )

    def _plays(self, game: Game) -> bool:
        """Return True if the machine can play a game's level on this host."""
        return _terms(game)["level"] in self._services.levels

    async def _wait_until(self, moment: datetime) -> None:
        while self._services.now() < moment:  # noqa: ASYNC110 - a clock sends no event
            await asyncio.sleep(_POLL_S)

    async def _queue_until_accepted(
        self, send: Callable[[Game], Awaitable[object]], game: Game
    ) -> None:
        """Queue a message while the game stays the same, until the database accepts it."""
        while self._is_current(game):
            try:
                await send(game)
            except StoreError:  # the store has logged it
                await asyncio.sleep(_POLL_S)
            else:
                return

    def _is_current(self, game: Game) -> bool:
        known_game, _ = self._thinking.get(game.row.id, (None, None))
        return known_game is game

    async def _show_board(self, game: Game) -> None:
        await self._services.games.queue_board(game)
        await self._services.publisher.sender.catch_up(game.row.id)

    async def _delete_notice(self, game: GameId) -> None:
        services = self._services
        try:
            with best_effort():
                notice = await self._silence.notice(game)
                if notice is not None:
                    await services.publisher.channels.delete(*notice)
        except DISCORD_ERRORS as error:
            _log.debug("cleanup refused", game=game, error=str(error))
        except StoreError:  # the store has logged it
            pass


class _Terms(TypedDict):
    level: int
    seed: int


def _terms(game: Game) -> _Terms:
    """Return the arguments for a game's search. They are the same each time."""
    return _Terms(level=game.row.level or 1, seed=game.row.id * 1_000 + game.row.revision)

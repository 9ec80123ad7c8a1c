"""The machine at the table: it thinks as soon as it is to move, and answers what it is asked."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TypedDict

import structlog

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, Shards
from bot.connection.requests import TROUBLE
from bot.connection.unfinished_work import end
from bot.features.machine.opponent.analyst import Analyst
from bot.play.doors.interactions import Services
from bot.play.game_changes import Update
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import NoGameHere
from bot.play.seams import ClientPart

_log = structlog.get_logger()

_AGAIN_S = 30.0
"""The seconds to wait after a failure."""
_TYPES_AGAIN_S = 8.0
"""The seconds after which to type again: Discord shows it for ten."""
_THE_OTHER_FIRST_S = 10.0
"""The seconds for another process to answer what it has played; then this one thinks, too."""


class MachinePlayer(ClientPart):
    """Plays the machine's side of every game that it is in."""

    def __init__(self, services: Services) -> None:
        self._machine = services.of(Analyst).thinker
        self._services = services
        self._channels = services.publisher.channels
        self._thinking: dict[GameId, tuple[Game, asyncio.Task[None]]] = {}
        self._looking: set[asyncio.Task[None]] = set()
        self._courtesies: set[asyncio.Task[None]] = set()

    async def resume(self, shards: Shards) -> None:
        """Go on with the games that wait for the machine, as after a restart."""
        for row in await self._services.store.games.with_machine(shards):
            self.consider(await self._services.game_cache.existing(row.id))

    def hear(self, update: Update) -> None:
        """Think about a game in which something has happened, as `consider` says."""
        self.consider(update.game)

    def consider(self, game: Game) -> None:
        """Think about a game, if the machine is to act in it; stop thinking, if it is no more."""
        number = game.row.id
        if number in self._thinking:
            thought_of, task = self._thinking[number]
            if thought_of.row.revision >= game.row.revision:
                return
            del self._thinking[number]
            task.cancel()
        if game.waits_for_machine:
            task = asyncio.create_task(self._act(game), name=f"machine {number}")
            self._thinking[number] = (game, task)

    def look_later(self, channel: ChannelId) -> None:
        """Think about a channel's game after a while, unless the machine has acted by then."""
        task = asyncio.create_task(self._look(channel), name=f"look {channel}")
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look(self, channel: ChannelId) -> None:
        await asyncio.sleep(_THE_OTHER_FIRST_S)
        try:
            self.consider(await self._services.game_cache.running_in(channel))
        except NoGameHere:
            return
        except Exception:
            _log.exception("the machine could not act", channel=channel)

    async def close(self) -> None:
        """Stop thinking. What was not played is thought about again after the next start."""
        thinking = (task for _, task in self._thinking.values())
        await end([*self._looking, *thinking, *self._courtesies])

    async def _act(self, game: Game) -> None:
        number = game.row.id
        try:
            update = await self._answer(game)
        except asyncio.CancelledError:
            raise
        except Exception:
            _log.exception("the machine could not act", game=number)
            with suppress(Exception):
                await self._services.games.show(game)  # what waited to be told with its answer
            await asyncio.sleep(_AGAIN_S)
            self._thinking.pop(number, None)
            with suppress(Exception):
                self.consider(await self._services.game_cache.existing(number))
            return
        self._thinking.pop(number, None)
        if update is not None:
            with self._services.work.piece():
                await self._services.publisher.publish(update)

    async def _answer(self, game: Game) -> Update | None:
        machine = game.row.machine
        if machine is None:
            return None
        number, revision = game.row.id, game.row.revision
        with suppress(PlayError):  # somebody has acted meanwhile
            if game.asked == machine and game.offered is not None:
                agree = game.offered.what is not Offer.DRAW
                answer = self._services.offers.accept if agree else self._services.offers.decline
                return await answer(number, revision, machine, source=None)
            with self._typing(game):
                move = await self._machine.choose(game.position, **_terms(game))
            with self._services.work.piece():
                return await self._services.games.play_by_machine(number, revision, move)
        return None

    @contextmanager
    def _typing(self, game: Game) -> Iterator[None]:
        """Show all the while that the machine thinks. Nothing waits for that."""
        showing = asyncio.create_task(self._show(game))
        self._courtesies.add(showing)
        showing.add_done_callback(self._courtesies.discard)
        try:
            yield
        finally:
            showing.cancel()

    async def _show(self, game: Game) -> None:
        if game.row.visiting:
            return
        place = self._channels(game.row.channel, game.row.guild)
        while True:
            try:
                await place.typing()
            except TROUBLE as error:
                _log.debug("a courtesy was refused", game=game.row.id, error=str(error))
            await asyncio.sleep(_TYPES_AGAIN_S)


class _Terms(TypedDict):
    level: int
    seed: int


def _terms(game: Game) -> _Terms:
    """Return the terms on which the machine thinks about a game: its level, and each time alike."""
    return _Terms(level=game.row.level_now or 1, seed=game.row.id * 1_000 + game.row.revision)

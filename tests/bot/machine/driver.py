"""Drive the use cases, and compare their results with the model."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar, TypeVar

import pytest
from hypothesis.stateful import RuleBasedStateMachine, invariant

from bot.base.errors import AlreadyHandled, BotError, PlayError
from bot.base.ids import ChallengeId, GameId, Revision, Shards, SourceId, UserId
from bot.base.languages import IN_ENGLISH
from bot.composition import refusal
from bot.connection.words import something_went_wrong
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD, NOTE
from bot.features.plans.model.tree import PlanState
from bot.features.plans.store import PlanTable
from bot.play.foresight import Foresight
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game
from bot.play.model.offer_events import RestPlaced
from bot.play.store.store import Store
from bot.play.use_cases.deadlines import deserted_at
from bot.play.use_cases.game_cache import GameCache
from bot.play.use_cases.ledger import Ledger
from bot.play.words.boards import board as board_post
from dvonn import Coordinates, Move, Point, format_move
from tests.bot.conftest import Clock
from tests.bot.hands import Gate, hesitating
from tests.bot.machine import game as modelled
from tests.bot.machine.game import Challenge, Refused, moment
from tests.bot.machine.model import Model
from tests.bot.table import CHANNEL, Table, venue

_T = TypeVar("_T")

ALL = Shards((0,), 1)
HERE = venue(has_threads=False)
BOT = UserId(900)


class Process:
    """The use cases as one process of the bot has them."""

    def __init__(self, engine: AsyncEngine, clock: Clock, gate: Gate | None = None) -> None:
        """With a gate, it pauses there, after reading that the game is running."""
        self.gate = gate
        self.engine = engine
        self.store = Store(self.engine)
        if gate is not None:
            hesitating(self.store.games, gate, "events")
        self.table = Table(self.store, clock)


class Driver(RuleBasedStateMachine):
    """Two processes with one database, and the model."""

    database: ClassVar[Path]
    """An empty database, which each run copies."""
    path: ClassVar[Path]
    """Its path."""
    engines: ClassVar[tuple[AsyncEngine, ...]]
    """One for each process.

    They are kept without connections, because compiling statements is slow.
    """

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.clock = Clock()
        self.ids: list[GameId] = []
        self.challenges: list[ChallengeId] = []
        self._source = 1_000
        self._meanwhile: Callable[[], None] | None = None
        self._runner = asyncio.Runner()
        for left in self.path.parent.iterdir():
            left.unlink()
        shutil.copy(self.database, self.path)
        self.processes = [Process(engine, self.clock) for engine in self.engines]

    # The games that users see

    @invariant()
    def all_agree(self) -> None:
        if self.ids:
            self._compare(self.model.games[-1], self.ids[-1])

    def teardown(self) -> None:
        """Check that a process that starts now finds all changes."""
        try:
            for hand in range(2):
                self.restart_process(hand)
            for game, number in zip(self.model.games, self.ids, strict=True):
                self._compare(game, number)
            for challenge, one in zip(self.model.challenges, self.challenges, strict=True):
                row = self.run(self.processes[0].store.challenges.get(one))
                assert row is not None
                assert row.state is challenge.state
        finally:
            for process in self.processes:
                self.run(process.engine.dispose())
            self._runner.close()

    # Carrying out actions

    @property
    def running(self) -> modelled.Game:
        assert self.model.running is not None
        return self.model.running

    @property
    def is_moving(self) -> bool:
        game = self.model.running
        return game is not None and not game.is_placing

    @property
    def was_left(self) -> bool:
        return any(
            game.gone is not None and game.outcome is not None for game in self.model.games[-2:]
        )

    def restart_process(self, hand: int, gate: Gate | None = None) -> None:
        self.run(self.processes[hand].engine.dispose())
        self.processes[hand] = Process(self.engines[hand], self.clock, gate)

    def overtake(self, hand: int, meanwhile: Callable[[], None]) -> None:
        """Carry out one action in the middle of a process's next action.

        The process is restarted first, so that it has to read. The result must be as if its action
        had started afterwards.
        """
        self.restart_process(hand, Gate())
        self._meanwhile = meanwhile

    def run(self, doing: Awaitable[_T]) -> _T:
        async def await_action() -> _T:
            return await doing

        return self._runner.run(await_action())

    def act(self, hand: int, doing: Awaitable[_T]) -> _T:
        """Let a process carry out an action, which another one may interrupt."""
        gate, meanwhile, self._meanwhile = self.processes[hand].gate, self._meanwhile, None
        if gate is None:
            return self.run(doing)
        if meanwhile is None:  # the other action had ended without reading
            gate.open()
            return self.run(doing)

        async def begin() -> asyncio.Future[_T]:
            begun = asyncio.ensure_future(doing)
            reached = asyncio.ensure_future(gate.reached.wait())
            await asyncio.wait((begun, reached), return_when=asyncio.FIRST_COMPLETED)
            reached.cancel()
            return begun

        begun = self.run(begin())
        if not begun.done():
            meanwhile()
        gate.open()
        return self.run(begun)

    def wait(self, minutes: int) -> None:
        self.clock.advance(minutes=minutes)
        self.model.now += minutes
        assert self.clock() == moment(self.model.now)

    def challenged(self, back: int) -> tuple[Challenge, ChallengeId]:
        number = max(len(self.challenges) - 1 - back, 0)
        return self.model.challenges[number], self.challenges[number]

    def board(self, back: int, behind: int) -> tuple[modelled.Game, GameId, Revision]:
        """Return a game, and the revision of the board that a user sees."""
        number = max(len(self.ids) - 1 - back, 0)
        game = self.model.games[number]
        return game, self.ids[number], Revision(game.revision + behind)

    def placements(self, points: list[Point]) -> list[Move]:
        """Return one move, in a place where no list of placements can be."""
        game = self.model.running
        several = game is not None and game.is_placing and game.position.plies < 48
        return [Move(target=point) for point in (points if several else points[:1])]

    def play(
        self,
        hand: int,
        user: UserId,
        moves: list[Move],
        *,
        else_next: bool = False,
        again: bool = True,
    ) -> None:
        self.do(
            hand,
            lambda process, source: process.table.games.play(
                CHANNEL, user, typed(moves, else_next=else_next), source=source
            ),
            lambda _: self.model.play(user, moves, else_next=else_next),
            again=again,
        )

    def do(
        self,
        hand: int,
        real: Callable[[Process, SourceId], Awaitable[_T]],
        in_model: Callable[[_T | None], object],
        *,
        same: bool = False,
        again: bool = True,
    ) -> _T | None:
        """Carry out an action, in the model as well. Return None if both refuse it."""
        self._source += 1
        source = SourceId(self._source)
        error, outcome, refused, expected = None, None, None, None
        try:
            outcome = self.act(hand, real(self.processes[hand], source))
        except BotError as raised:
            error = raised
        _has_words(outcome, error)
        try:
            expected = in_model(outcome)
        except Refused as raised:
            refused = raised
        _agree(error, refused)
        if refused is not None:
            return None
        assert not same or outcome == expected
        if again and isinstance(outcome, GameUpdate):
            self._hear_again(1 - hand, real, source)
        return outcome

    def _hear_again(
        self, hand: int, real: Callable[[Process, SourceId], Awaitable[object]], source: SourceId
    ) -> None:
        """Deliver an event again, perhaps to the other process, as Discord may."""
        with pytest.raises(AlreadyHandled):
            self.run(real(self.processes[hand], source))

    def look_at_clocks(self, hand: int) -> bool:
        """Return True if a time was up."""
        return bool(self.act(hand, self.processes[hand].table.look()))

    def _compare(self, game: modelled.Game, number: GameId) -> None:
        hand = game.revision % 2
        seen = self.run(_look_at(self.processes[hand], number))
        assert _observable(seen.game) == _expected(game)
        assert seen.plans == game.plans
        assert (seen.boards, seen.notes) == (game.boards, game.notes)
        for at, expected in (
            (seen.deadline, self.model.deadline(game)),
            (seen.lies_from, self.model.lies_from(game)),
        ):
            assert at == (None if expected is None else moment(expected))


@dataclass(frozen=True)
class Seen:
    """A game's rows in the database."""

    game: Game
    plans: dict[UserId, PlanState]
    boards: list[Revision]
    """The revisions whose boards are unsent."""
    notes: list[Revision]
    """The revisions whose notes are unsent."""
    deadline: datetime | None
    lies_from: datetime | None
    """Time from which the player to move counts as absent."""


async def _look_at(process: Process, number: GameId) -> Seen:
    store = process.store
    other_cache = GameCache(store)
    replayed = await other_cache.current(number)
    assert replayed is not None
    assert await process.table.game_cache.existing(number) == replayed
    unsent = await store.deliveries.unsent(number)
    return Seen(
        replayed,
        await store.queries(PlanTable).of_game(number),
        [delivery.event_key[1] for delivery in unsent if delivery.kind == BOARD],
        [delivery.event_key[1] for delivery in unsent if delivery.kind == NOTE],
        await Ledger(store, other_cache, now=process.table.clock, foresight=Foresight()).deadline(
            replayed
        ),
        await deserted_at(store, replayed, process.table.clock()),
    )


def _has_words(outcome: object, error: BotError | None) -> None:
    """Check that the result can be announced: a board within Discord's limits, or a refusal."""
    if isinstance(outcome, GameUpdate):
        content = board_post(IN_ENGLISH, outcome).content
        assert 0 < len(content) <= 2_000
        assert "{" not in content
    if isinstance(error, PlayError):
        assert refusal(IN_ENGLISH, error) not in {"", something_went_wrong(IN_ENGLISH)}


def _agree(error: BotError | None, refused: Refused | None) -> None:
    """Check that the model has the same refusal, for the same reason."""
    if refused is None:
        if error is not None:
            raise AssertionError("the model does not refuse this") from error
        return
    assert type(error) is refused.error, f"{error!r} in place of {refused!r}"
    assert refused.problem in (None, getattr(error, "problem", None))


def typed(moves: list[Move], *, else_next: bool) -> str:
    text = ", ".join(format_move(move, Coordinates.STANDARD) for move in moves)
    return f"{text} else next free" if else_next else text


def drawn_from(update: GameUpdate | None) -> int:
    """The seed of the random choices, if there were any."""
    what = None if update is None else update.events[0].event.data
    return what.seed if isinstance(what, RestPlaced) else 0


def _observable(game: Game) -> dict[str, object]:
    clock, offered = game.clock, game.offered
    return {
        "outcome": game.outcome,
        "revision": game.row.revision,
        "seats": (game.row.white, game.row.black, game.row.machine),
        "to move": game.to_move,
        "gone": game.left_by,
        "position": game.position,
        "line": [(ply.actor, ply.move) for ply in game.line],
        "offered": None if offered is None else (offered.offer, offered.by, offered.goes_back_to),
        "refused": game.refused,
        "hints": game.hints_agreed,
        "clocks": None
        if clock is None
        else {game.row.white: clock.white, game.row.black: clock.black, "since": clock.since},
    }


def _expected(game: modelled.Game) -> dict[str, object]:
    clocks: dict[object, object] = {
        who: moment(left) - moment(0) for who, left in game.left.items()
    }
    return {
        "outcome": game.outcome,
        "revision": game.revision,
        "seats": (game.white, game.black, game.machine),
        "to move": game.to_move,
        "gone": game.gone,
        "position": game.position,
        "line": [(ply.actor, ply.move) for ply in game.line],
        "offered": game.offered,
        "refused": game.refused,
        "hints": game.hints,
        "clocks": clocks | {"since": moment(game.since)} if clocks else None,
    }

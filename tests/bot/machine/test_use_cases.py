"""A machine drives the use cases in any order, on a real database, beside a simple model.

Anybody does anything at any time, through one of two processes with the same database, either of
which may be started anew. What is refused is exactly what the model refuses. After each step the
game as each process has it at hand, as it is replayed from its events, and the model agree.

`MACHINE_EXAMPLES=1000` makes a long run of it; RELIABILITY.md tells how.
"""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.clock import Interval, TimeControl
from bot.config import database_address
from bot.errors import AlreadyDone, BotError
from bot.games import Choosing, Game, StandIn, Update
from bot.games.archive import Archive
from bot.games.closing import Closing
from bot.games.ledger import Ledger
from bot.games.vacations import Vacations
from bot.ids import ChallengeId, GameId, Revision, SourceId, UserId
from bot.store import Store, create_engine, migrate
from bot.store.rows import (
    ChallengeTerms,
    ColourChoice,
    GameState,
    Offer,
    OutboxKind,
    Place,
    Plan,
    Shards,
    Start,
)
from dvonn import POINTS, Color, Coordinates, Move, Point, format_move
from tests.bot.conftest import Clock
from tests.bot.machine import model
from tests.bot.machine.model import Challenge, Model, Refused, moment
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, MESSAGE, Table, venue

_T = TypeVar("_T")

BOT, ALL = UserId(900), Shards((0,), 1)
HERE = venue(has_threads=False)
CONTROLS = [None, *map(TimeControl.from_text, ("15m", "1d", "3d+1d/3d", "2d+1d/4d~UTC"))]

people = st.sampled_from([ANN, BOB, CID])
hands = st.integers(0, 1)
seeds = st.integers(0, 2**32 - 1)
revisions = st.sampled_from([0, 0, 0, 0, 0, -1])
"""How many revisions the board is behind on which somebody clicks."""
spaces = st.lists(st.sampled_from(POINTS), min_size=1, max_size=4)


class Process:
    """The use cases as one process of the bot has them."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.engine = create_engine(database_address(f"sqlite:///{path}"))
        self.store = Store(self.engine)
        self.table = Table(self.store, clock)
        archive = Archive(self.store)
        ledger = Ledger(self.store, archive, now=clock)
        self.stand_in = StandIn(self.store, archive, now=clock)
        self.closing = Closing(self.store, archive, ledger)
        self.vacations = Vacations(self.store, now=clock)


class UseCases(RuleBasedStateMachine):
    database: ClassVar[Path]
    """An empty one, of which each run takes a copy."""

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.clock = Clock()
        self.ids: list[GameId] = []
        self.challenges: list[ChallengeId] = []
        self._source = 1_000
        self._runner = asyncio.Runner()
        self._folder = TemporaryDirectory()
        self._path = Path(self._folder.name, "dvonn.sqlite3")
        shutil.copy(self.database, self._path)
        self.processes = [Process(self._path, self.clock) for _ in range(2)]

    # Time, and what happens to the bot

    @rule(minutes=st.sampled_from([1, 2, 14, 15, 16, 600, 1440, 4320, 7 * 1440]))
    def time_passes(self, minutes: int) -> None:
        self._wait(minutes)

    @rule(minutes=st.sampled_from([1, 15, 1440]))
    def is_away(self, minutes: int) -> None:
        began, first = self.clock(), self.model.now
        self._wait(minutes)
        outage = Interval(begins=began, ends=self.clock())
        self._run(self.processes[0].store.outages.add(0, 1, outage))
        self.model.outage |= set(range(first, self.model.now))

    @rule(hand=hands)
    def is_started_anew(self, hand: int) -> None:
        self._run(self.processes[hand].engine.dispose())
        self.processes[hand] = Process(self._path, self.clock)

    @rule(hand=hands)
    def looks_at_clocks(self, hand: int) -> None:
        assert self._look(self.processes[hand]) == self.model.look()

    # Before a game

    @precondition(lambda self: self.model.running is None)
    @rule(
        hand=hands,
        colour=st.sampled_from(ColourChoice),
        start=st.sampled_from([Start.PLACEMENT, Start.PLACEMENT, Start.BALANCED, Start.PIE]),
        control=st.sampled_from(CONTROLS),
    )
    def begin(
        self, hand: int, colour: ColourChoice, start: Start, control: TimeControl | None
    ) -> None:
        self._wait(1)
        before = len(self.challenges)
        self.challenge(hand, ANN, BOB, colour, start, control)
        if len(self.challenges) > before:
            self.accept(hand, BOB, 0)

    @rule(
        hand=hands,
        challenger=people,
        opponent=st.none() | people,
        colour=st.sampled_from(ColourChoice),
        start=st.sampled_from([Start.PLACEMENT, Start.BALANCED, Start.PIE]),
        control=st.sampled_from(CONTROLS),
    )
    def challenge(
        self,
        hand: int,
        challenger: UserId,
        opponent: UserId | None,
        colour: ColourChoice,
        start: Start,
        control: TimeControl | None,
    ) -> None:
        terms = ChallengeTerms(
            guild=GUILD,
            channel=CHANNEL,
            challenger=challenger,
            opponent=opponent,
            colour=colour,
            coordinates=Coordinates.STANDARD,
            start=start,
            clock=control,
            place=Place.HERE,
        )
        row = self._do(
            hand,
            lambda process, source: process.table.lobby.challenge(
                terms, opponent_is_bot=False, venue=HERE, source=source
            ),
            lambda _: self.model.challenge(
                Challenge(challenger, opponent, colour, start, control, self.model.now)
            ),
        )
        if row is not None:
            self.challenges.append(row.id)

    @precondition(lambda self: self.challenges)
    @rule(hand=hands, user=people, back=st.integers(0, 3))
    def accept(self, hand: int, user: UserId, back: int) -> None:
        challenge, number = self._challenge(back)

        def accepted(outcome: tuple[object, Update] | None) -> None:
            row = None if outcome is None else outcome[1].game.row
            is_white = row is not None and row.white == challenge.challenger
            self.model.accept(
                challenge, user, is_white=is_white, seed=0 if row is None else row.seed
            )

        outcome = self._do(
            hand,
            lambda process, source: process.table.lobby.accept(
                number, user, message=MESSAGE, venue=HERE, source=source
            ),
            accepted,
        )
        if outcome is not None:
            self.ids.append(outcome[1].game.row.id)

    @precondition(lambda self: self.challenges)
    @rule(hand=hands, user=people, back=st.integers(0, 3), own=st.booleans())
    def turn_down(self, hand: int, user: UserId, back: int, own: bool) -> None:
        challenge, number = self._challenge(back)
        if own:
            self._do(
                hand,
                lambda process, _: process.table.lobby.cancel(number, user),
                lambda _: self.model.cancel(challenge, user),
            )
        else:
            self._do(
                hand,
                lambda process, _: process.table.lobby.decline(number, user),
                lambda _: self.model.decline(challenge, user),
            )

    @rule(hand=hands)
    def challenges_expire(self, hand: int) -> None:
        expired = self._run(self.processes[hand].table.lobby.expire(ALL))
        assert len(expired) == self.model.expire()

    # Moves and lists

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, how_many=st.integers(1, 50), seed=seeds, minutes=st.sampled_from([0, 1, 5]))
    def play_on(self, hand: int, how_many: int, seed: int, minutes: int) -> None:
        """Legal moves by whoever is to move."""
        rng = Random(seed)
        for number in range(1, how_many + 1):
            game = self.model.running
            if game is None or game.choosing is not None or game.to_move in (None, BOT):
                return
            self._wait(minutes)
            assert game.to_move is not None
            move = rng.choice(game.position.legal_moves())
            self._play(hand, game.to_move, [move], again=number == how_many)

    @rule(hand=hands, user=people, points=spaces, else_next=st.booleans())
    def place(self, hand: int, user: UserId, points: list[Point], else_next: bool) -> None:
        self._play(hand, user, self._placements(points), else_next=else_next)

    @rule(hand=hands, user=people, ends=st.lists(st.sampled_from(POINTS), min_size=2, max_size=2))
    def move_anything(self, hand: int, user: UserId, ends: list[Point]) -> None:
        if ends[0] != ends[1]:
            self._play(hand, user, [Move(source=ends[0], target=ends[1])])

    @precondition(lambda self: self._is_moving)
    @rule(hand=hands, seed=seeds, how_many=st.integers(1, 3))
    def move_several_times(self, hand: int, seed: int, how_many: int) -> None:
        """What the one who is to move can play, the next of which is his only if others pass."""
        game, rng, moves = self._running, Random(seed), list[Move]()
        position = game.position
        while len(moves) < how_many and position.legal_moves():
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if game.to_move not in (None, BOT):
            assert game.to_move is not None
            self._play(hand, game.to_move, moves)

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, user=people, points=spaces, else_next=st.booleans())
    def plan(self, hand: int, user: UserId, points: list[Point], else_next: bool) -> None:
        moves = self._placements(points)
        self._do(
            hand,
            lambda process, source: process.table.planning.make(
                CHANNEL, user, _text(moves, else_next=else_next), source=source
            ),
            lambda _: self.model.plan(user, moves, else_next=else_next),
        )

    @rule(hand=hands, user=people)
    def give_plan_up(self, hand: int, user: UserId) -> None:
        self._do(
            hand,
            lambda process, _: process.table.planning.give_up(CHANNEL, user),
            lambda _: self.model.give_up(user),
            same=True,
        )

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, user=people)
    def choose_only_moves(self, hand: int, user: UserId) -> None:
        wants = user not in self.model.automatic
        self._run(self.processes[hand].table.choices.set_automatic(user, on=wants))
        self.model.automatic ^= {user}

    # Offers

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, user=people, what=st.sampled_from(Offer))
    def ask(self, hand: int, user: UserId, what: Offer) -> None:
        self._do(
            hand,
            lambda process, source: process.table.offers.ask(CHANNEL, user, what, source=source),
            lambda update: self.model.ask(user, what, seed=_drawn_from(update)),
        )

    @precondition(lambda self: self.model.running is not None and self.model.running.offered)
    @rule(hand=hands, user=people, yes=st.booleans(), behind=revisions, by_machine=st.booleans())
    def answer(self, hand: int, user: UserId, yes: bool, behind: int, by_machine: bool) -> None:
        game, number, revision = self._board(0, behind)
        who = game.machine if by_machine and game.machine is not None else user

        def answered(process: Process, source: SourceId) -> Awaitable[Update]:
            offers = process.table.offers
            answer = offers.accept if yes else offers.decline
            return answer(number, revision, who, source=source)

        self._do(
            hand,
            answered,
            lambda update: self.model.answer(
                game, revision, who, yes=yes, seed=_drawn_from(update)
            ),
        )

    # A pie's start

    @precondition(lambda self: self._is_choosing)
    @rule(hand=hands, user=people, number=st.integers(0, 4), behind=revisions)
    def pick_board(self, hand: int, user: UserId, number: int, behind: int) -> None:
        game, game_id, revision = self._board(0, behind)
        self._do(
            hand,
            lambda process, source: process.table.pie.pick_board(
                game_id, revision, user, number, source=source
            ),
            lambda _: self.model.pick_board(game, revision, user, number),
        )

    @precondition(lambda self: self._is_choosing)
    @rule(hand=hands, user=people, color=st.sampled_from(Color), behind=revisions)
    def pick_side(self, hand: int, user: UserId, color: Color, behind: int) -> None:
        game, game_id, revision = self._board(0, behind)
        self._do(
            hand,
            lambda process, source: process.table.pie.pick_side(
                game_id, revision, user, color, source=source
            ),
            lambda _: self.model.pick_side(game, revision, user, color),
        )

    # Leaving

    @precondition(lambda self: self.ids)
    @rule(hand=hands, user=people, back=st.sampled_from([0, 0, 1]), behind=revisions)
    def resign(self, hand: int, user: UserId, back: int, behind: int) -> None:
        game, number, revision = self._board(back, behind)
        self._do(
            hand,
            lambda process, source: process.table.games.resign(
                number, revision, user, source=source
            ),
            lambda _: self.model.resign(game, revision, user),
        )

    @rule(hand=hands, user=people, may_any=st.sampled_from([False, False, True]))
    def abort(self, hand: int, user: UserId, may_any: bool) -> None:
        self._do(
            hand,
            lambda process, source: process.table.games.abort(
                CHANNEL, user, may_any=may_any, source=source
            ),
            lambda _: self.model.abort(user, may_any=may_any),
        )

    @precondition(lambda self: len(self.ids) > 1)
    @rule(hand=hands, back=st.sampled_from([0, 1]))
    def place_vanishes(self, hand: int, back: int) -> None:
        game, number, _ = self._board(back, 0)
        self._run(self.processes[hand].closing.close(number, by=BOT))
        self.model.close(game, BOT)

    # The machine instead of somebody who has left

    @precondition(lambda self: self._was_left)
    @rule(hand=hands, user=people, behind=revisions)
    def go_on(self, hand: int, user: UserId, behind: int) -> None:
        game, number, revision = self._board(0, behind)
        update = self._do(
            hand,
            lambda process, source: process.stand_in.go_on(
                number, revision, user, BOT, source=source
            ),
            lambda _: self.model.go_on(game, revision, user, BOT),
        )
        if update is not None:
            self.ids.append(update.game.row.id)

    @precondition(lambda self: self.model.running and self.model.running.to_move == BOT)
    @rule(hand=hands, behind=revisions, seed=seeds)
    def machine_plays(self, hand: int, behind: int, seed: int) -> None:
        game, number, revision = self._board(0, behind)
        if game.choosing is None:
            move = Random(seed).choice(game.position.legal_moves())
            update = self._run(
                self.processes[hand].table.games.play_by_machine(number, revision, move)
            )
            assert (update is not None) == self.model.play_by_machine(game, revision, move)
        elif game.choosing is Choosing.BOARD:
            self.pick_board(hand, BOT, 1 + seed % 3, behind)
        else:
            self.pick_side(hand, BOT, [Color.WHITE, Color.BLACK][seed % 2], behind)

    # Vacations

    @rule(hand=hands, user=people, days=st.integers(1, 12))
    def leave_for_days(self, hand: int, user: UserId, days: int) -> None:
        self._do(
            hand,
            lambda process, _: process.vacations.start(user, days),
            lambda _: self.model.leave_for(user, days),
        )

    @rule(hand=hands, user=people)
    def come_back(self, hand: int, user: UserId) -> None:
        self._do(
            hand,
            lambda process, _: process.vacations.end(user),
            lambda _: self.model.come_back(user),
        )

    # What is seen

    @invariant()
    def all_agree(self) -> None:
        if self.ids:
            self._compare(self.model.games[-1], self.ids[-1])

    def teardown(self) -> None:
        """Whatever was done, a process that starts now finds all of it."""
        try:
            for hand in range(2):
                self.is_started_anew(hand)
            for game, number in zip(self.model.games, self.ids, strict=True):
                self._compare(game, number)
            for challenge, one in zip(self.model.challenges, self.challenges, strict=True):
                row = self._run(self.processes[0].store.challenges.get(one))
                assert row is not None
                assert row.state is challenge.state
        finally:
            for process in self.processes:
                self._run(process.engine.dispose())
            self._runner.close()
            self._folder.cleanup()

    # How it is done

    @property
    def _running(self) -> model.Game:
        assert self.model.running is not None
        return self.model.running

    @property
    def _is_choosing(self) -> bool:
        return self.model.running is not None and self.model.running.choosing is not None

    @property
    def _is_moving(self) -> bool:
        game = self.model.running
        return game is not None and game.choosing is None and not game.is_placing

    @property
    def _was_left(self) -> bool:
        left = (GameState.RESIGNED, GameState.TIMED_OUT)
        return bool(self.ids) and any(game.state in left for game in self.model.games[-2:])

    def _run(self, doing: Awaitable[_T]) -> _T:
        async def done() -> _T:
            return await doing

        return self._runner.run(done())

    def _wait(self, minutes: int) -> None:
        self.clock.advance(minutes=minutes)
        self.model.now += minutes
        assert self.clock() == moment(self.model.now)

    def _challenge(self, back: int) -> tuple[Challenge, ChallengeId]:
        number = max(len(self.challenges) - 1 - back, 0)
        return self.model.challenges[number], self.challenges[number]

    def _board(self, back: int, behind: int) -> tuple[model.Game, GameId, Revision]:
        """A game, and the revision of the board that somebody sees."""
        number = max(len(self.ids) - 1 - back, 0)
        game = self.model.games[number]
        return game, self.ids[number], Revision(game.revision + behind)

    def _placements(self, points: list[Point]) -> list[Move]:
        """One alone where no list of placements can stand."""
        game = self.model.running
        several = game is not None and game.is_placing and game.position.plies < 48
        return [Move(target=point) for point in (points if several else points[:1])]

    def _play(
        self,
        hand: int,
        user: UserId,
        moves: list[Move],
        *,
        else_next: bool = False,
        again: bool = True,
    ) -> None:
        self._do(
            hand,
            lambda process, source: process.table.games.play(
                CHANNEL, user, _text(moves, else_next=else_next), source=source
            ),
            lambda _: self.model.play(user, moves, else_next=else_next),
            again=again,
        )

    def _do(
        self,
        hand: int,
        real: Callable[[Process, SourceId], Awaitable[_T]],
        in_model: Callable[[_T | None], object],
        *,
        same: bool = False,
        again: bool = True,
    ) -> _T | None:
        """Do something, in the model as well; None where both refuse it."""
        self._source += 1
        source = SourceId(self._source)
        error, outcome, refused, expected = None, None, None, None
        try:
            outcome = self._run(real(self.processes[hand], source))
        except BotError as raised:
            error = raised
        try:
            expected = in_model(outcome)
        except Refused as raised:
            refused = raised
        _agree(error, refused)
        if refused is not None:
            return None
        assert not same or outcome == expected
        if again and isinstance(outcome, Update):
            self._hear_again(1 - hand, real, source)
        return outcome

    def _hear_again(
        self, hand: int, real: Callable[[Process, SourceId], Awaitable[object]], source: SourceId
    ) -> None:
        """Discord may tell of anything twice, and to another process."""
        with pytest.raises(AlreadyDone):
            self._run(real(self.processes[hand], source))

    def _look(self, process: Process) -> bool:
        """Whether a time was up."""

        async def heard() -> Any:
            return self.clock()

        keeper = process.table.timekeeper
        due = self._run(keeper.due(ALL))
        updates = [self._run(keeper.look(game, seen, heard=heard)) for game, seen in due.items()]
        return any(update is not None for update in updates)

    def _compare(self, game: model.Game, number: GameId) -> None:
        hand = game.revision % 2
        seen = self._run(_look_at(self.processes[hand], number))
        assert _seen(seen.game) == _expected(game)
        assert seen.plans == game.plans
        assert seen.boards == sorted(game.told)
        deadline = self.model.deadline(game)
        assert seen.deadline == (None if deadline is None else moment(deadline))


@dataclass(frozen=True)
class Seen:
    """What the database holds of a game."""

    game: Game
    plans: dict[UserId, Plan]
    boards: list[Revision]
    """The revisions of which boards are to be sent."""
    deadline: datetime | None


async def _look_at(process: Process, number: GameId) -> Seen:
    store = process.store
    row = await store.games.get(number)
    assert row is not None
    anew = Archive(store)
    replayed = await anew.load(row)
    assert await process.table.games.current(number) == replayed
    return Seen(
        replayed,
        await store.plans.of(number),
        [one.revision for one in await store.outbox.unsent(number) if one.kind is OutboxKind.BOARD],
        await Ledger(store, anew, now=process.table.clock).deadline(replayed),
    )


def _agree(error: BotError | None, refused: Refused | None) -> None:
    """See that what was refused is what the model refuses, for the same reason."""
    if refused is None:
        if error is not None:
            raise AssertionError("the model does not refuse this") from error
        return
    assert type(error) is refused.error, f"{error!r} in place of {refused!r}"
    assert refused.problem in (None, getattr(error, "problem", None))


def _text(moves: list[Move], *, else_next: bool) -> str:
    text = ", ".join(format_move(move, Coordinates.STANDARD) for move in moves)
    return f"{text} else next free" if else_next else text


def _drawn_from(update: Update | None) -> int:
    """The seed of what was drawn by lot, if anything was."""
    detail = None if update is None else update.told[0].event.detail
    return int(detail) if detail is not None and detail.isdecimal() else 0


def _seen(game: Game) -> dict[str, object]:
    clock, offered = game.clock, game.offered
    return {
        "state": game.row.state,
        "revision": game.row.revision,
        "seats": (game.row.white, game.row.black, game.row.machine),
        "to move": game.to_move,
        "choosing": game.choosing,
        "position": game.position,
        "line": [(ply.actor, ply.move) for ply in game.line],
        "offered": None if offered is None else (offered.what, offered.by, offered.goes_back_to),
        "refused": game.refused,
        "clocks": None
        if clock is None
        else {game.row.white: clock.white, game.row.black: clock.black, "since": clock.since},
    }


def _expected(game: model.Game) -> dict[str, object]:
    clocks: dict[object, object] = {
        who: moment(left) - moment(0) for who, left in game.left.items()
    }
    return {
        "state": game.state,
        "revision": game.revision,
        "seats": (game.white, game.black, game.machine),
        "to move": game.to_move,
        "choosing": game.choosing,
        "position": game.position,
        "line": [(ply.actor, ply.move) for ply in game.line],
        "offered": game.offered,
        "refused": game.refused,
        "clocks": clocks | {"since": moment(game.since)} if clocks else None,
    }


@pytest.fixture(scope="module", autouse=True)
def _empty_database(tmp_path_factory: pytest.TempPathFactory) -> None:
    UseCases.database = tmp_path_factory.mktemp("machine") / "empty.sqlite3"

    async def make() -> None:
        engine = create_engine(database_address(f"sqlite:///{UseCases.database}"))
        await migrate(engine)
        await engine.dispose()

    asyncio.run(make())


TestUseCases = UseCases.TestCase
_EXAMPLES = os.environ.get("MACHINE_EXAMPLES")
TestUseCases.settings = settings(
    max_examples=int(_EXAMPLES or 25),
    stateful_step_count=50 if _EXAMPLES else 30,
    deadline=None,
    derandomize=not _EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

"""Code that runs in the worker processes. Only they import the engine."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bot.play.model.engine_thoughts import Thought
from dvonn import Color, GameRecord, Move, Phase, Position, Review
from dvonn.machine import INTERPRETED_NODES, STRONGEST
from dvonn_lessons.puzzles import Puzzle

if TYPE_CHECKING:
    from dvonn.engine.player import EnginePlayer

CONTINUE, STOP, HURRY = range(3)
"""Flag values of a search. HURRY ends long work soon because others are waiting."""
_POLL_S = 0.05
_HURRIED_S: Final = 0.5
"""Minimum duration of a search in seconds, even if others are waiting."""
_NODES: Final = 300_000
"""Number of positions searched for a user in a study, which takes a few tenths of a second."""
_FEW_NODES: Final = 2_000
_LINES: Final = 3
_SAMPLES: Final = 8_000
"""Number of full boards simulated to evaluate free points, as in a review. Takes milliseconds."""
_FEW_SAMPLES: Final = 1_000
"""Number of full boards simulated without numba. Takes a few tenths of a second."""
_FLAG_POLL_S = 0.01
_LOW_PRIORITY, _LOWEST_PRIORITY = 5, 10
_flags: Any = None


@dataclass(frozen=True, slots=True)
class _Task:
    """A task that this process runs in the background, in parallel with searches for moves."""

    future: "Future[Any]" = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)
    resume: threading.Event = field(default_factory=threading.Event)

    def stopped(self) -> bool:
        """Wait while the task is paused. Return True if it was canceled."""
        self.resume.wait()
        return self.stop.is_set()

    def cancel(self) -> None:
        self.stop.set()
        self.resume.set()


_tasks: dict[tuple[str, int], _Task] = {}
"""The current tasks by kind and game id, at most one for each."""


def begin(flags: Any, set_up_log: Callable[[], None] | None = None) -> None:
    """Set up a new worker process.

    The bot sets a search's byte in `flags` to end that search. `set_up_log` sets up the bot's log
    format. None leaves the log as plain text.
    """
    global _flags  # noqa: PLW0603 - a process has one set of flags, given once
    _flags = flags
    if set_up_log is not None:
        set_up_log()
    _prefer_for_oom_kill()
    _lower_priority(_LOW_PRIORITY)  # the bot has priority, however busy the machine is
    # Ctrl-C reaches every process of a terminal, but the bot ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_bot, daemon=True).start()


def begin_interpreted(flags: Any, set_up_log: Callable[[], None] | None = None) -> None:
    """Set up a new worker process that runs the engine without numba."""
    os.environ["DVONN_ENGINE"] = "interpreted"  # before the engine is imported
    begin(flags, set_up_log)


def _prefer_for_oom_kill() -> None:
    """If memory runs out, let Linux kill this process before the bot."""
    with suppress(OSError):  # other systems have no such file
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _lower_priority(priority: int) -> None:
    """Lower the priority of this thread and of the threads that it starts."""
    if sys.platform == "linux":  # on Linux, threads have their own priorities
        # A service may not be allowed to change it. Then the priority stays the same.
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), priority)


def _exit_with_bot() -> None:
    """Exit together with the bot, even if the bot is killed."""
    bot = multiprocessing.parent_process()
    if bot is not None:
        bot.join()
        os._exit(0)


@cache
def warm_up() -> None:
    """Load or compile all the code that is needed, by running it once per process."""
    from dvonn.engine import analyse as look_ahead  # noqa: PLC0415 - numba is loaded only here
    from dvonn.engine.backend import IS_COMPILED  # noqa: PLC0415
    from dvonn.engine.player import player_at  # noqa: PLC0415

    if not IS_COMPILED:
        return
    player, position = player_at(1, seed=0), Position.initial()
    while position.phase is Phase.PLACEMENT:
        position = position.play(player.choose(position))
    player.choose(position)
    look_ahead(position, nodes=_FEW_NODES, lines=_LINES)


def choose(position: Position, level: int, seed: int, slot: int) -> Move:
    """Find a move. The slot's flag ends the search immediately, or soon with its result so far."""
    with _player(level, seed, slot) as player:
        return player.choose(position)


def think_ahead(position: Position, seconds: float, slot: int) -> bool:
    """Search a position in advance, while the strongest level's opponent is to move.

    The slot's flag ends it. The results stay in that level's hash table.
    """

    def search(player: "EnginePlayer") -> None:
        _lower_priority(_LOWEST_PRIORITY)
        player.choose(position, seconds)

    with _player(STRONGEST, 0, slot) as player:
        searching = threading.Thread(target=search, args=(player,), daemon=True)
        searching.start()
        searching.join()
    return True


def analyse(position: Position, _slot: int) -> tuple[Thought, ...]:
    """Return the best continuations, best first.

    In the placement phase, return every free point.
    """
    from dvonn.engine import analyse as look_ahead  # noqa: PLC0415 - numba is loaded only here
    from dvonn.engine.backend import IS_COMPILED  # noqa: PLC0415

    if position.phase is Phase.PLACEMENT:
        return _free_points(position, _SAMPLES if IS_COMPILED else _FEW_SAMPLES)
    nodes = _NODES if IS_COMPILED else INTERPRETED_NODES
    is_white = position.turn is Color.WHITE
    return tuple(
        Thought(
            moves=line.moves,
            white_wins=line.win_probability if is_white else 1 - line.win_probability,
            margin=round(line.margin if is_white else -line.margin) if line.exact else None,
        )
        for line in look_ahead(position, nodes=nodes, lines=_LINES).lines
    )


def _free_points(position: Position, samples: int) -> tuple[Thought, ...]:
    """Return each free point with White's winning chance after a placement there, best first."""
    from dvonn.engine.placement_worth import outlook  # noqa: PLC0415 - numba is loaded only here

    values = outlook(position, samples=samples, seed=position.plies)
    thoughts = []
    for point in sorted(values.points, key=values.points.__getitem__, reverse=True):
        chance = min(max(values.chance + values.points[point], 0.0), 1.0)
        white = chance if position.turn is Color.WHITE else 1 - chance
        thoughts.append(Thought(moves=(Move(target=point),), white_wins=white))
    return tuple(thoughts)


def review(
    game: int, record: GameRecord, placements: int, closer: bool, slot: int
) -> Review | None:
    """Review a whole game in a thread, in parallel with searches for moves.

    Return None as `_run_in_background` does.
    """
    _strongest.cache_clear()  # the game is over, and a review needs the memory
    key, make = (
        ("closer" if closer else "review", game),
        partial(_review, record, placements, closer),
    )
    result: Review | None = _run_in_background(key, make, slot, pauses=closer)
    return result


def puzzles(game: int, record: GameRecord, slot: int) -> tuple[Puzzle, ...] | None:
    """Find the puzzles in an ended game, in the same way as `review`."""
    result: tuple[Puzzle, ...] | None = _run_in_background(
        ("puzzles", game), partial(_puzzles, game, record), slot
    )
    return result


def _run_in_background(
    key: tuple[str, int],
    make: Callable[[Callable[[], bool]], Any],
    slot: int,
    *,
    pauses: bool = False,
) -> Any:
    """Run work in a thread, in parallel with searches for moves.

    The slot's flag is set when a move needs the worker. Then this returns None immediately, and the
    thread continues, or with `pauses`, pauses. The next call for the same work waits for the same
    thread. A call for other work abandons it.
    """
    if key not in _tasks:
        # A thread that compiles blocks the others. At the lowest priority that takes a long time.
        warm_up()
        for other in _tasks.values():  # nobody waits for these anymore
            other.cancel()
        _tasks.clear()
        _tasks[key] = new_task = _Task()
        threading.Thread(target=_run, args=(make, new_task), daemon=True).start()
    task = _tasks[key]
    future = task.future
    task.resume.set()
    while not future.done():
        if _flags[slot]:
            if pauses:
                task.resume.clear()
            return None
        wait((future,), timeout=_FLAG_POLL_S)
    del _tasks[key]
    return future.result()


def _review(
    record: GameRecord, placements: int, closer: bool, stopped: Callable[[], bool]
) -> Review:
    from dvonn.engine import review  # noqa: PLC0415 - numba is loaded only here

    return review(record, placements=placements, closer=closer, stopped=stopped)


def _puzzles(game: int, record: GameRecord, stopped: Callable[[], bool]) -> tuple[Puzzle, ...]:
    from dvonn_lessons.puzzle_search import hardest_of  # noqa: PLC0415 - numba is loaded only here

    moving = [position for position in record.positions() if position.phase is Phase.MOVEMENT]
    return hardest_of(moving, seed=game, stopped=stopped)


def _run(make: Callable[[Callable[[], bool]], Any], task: _Task) -> None:
    _lower_priority(_LOWEST_PRIORITY)
    try:
        task.future.set_result(make(task.stopped))
    except Exception as error:
        task.future.set_exception(error)


@cache
def _strongest() -> "EnginePlayer":
    """Return the strongest level, which has one hash table for all games."""
    from dvonn.engine.player import player_at  # noqa: PLC0415 - numba is loaded only here

    return player_at(STRONGEST, seed=0)


@contextmanager
def _player(level: int, seed: int, slot: int) -> "Iterator[EnginePlayer]":
    """Yield a player that stops when the slot's flag is set."""
    from dvonn.engine.player import player_at  # noqa: PLC0415 - numba is loaded only here

    player = _strongest() if level == STRONGEST else player_at(level, seed)
    end = threading.Event()

    def watch() -> None:
        began = time.monotonic()
        while not end.wait(_POLL_S):
            hurried = _flags[slot] == HURRY and time.monotonic() - began > _HURRIED_S
            if hurried or _flags[slot] == STOP:
                player.stop()  # repeatedly, because the search may not have started yet

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield player
    finally:
        end.set()

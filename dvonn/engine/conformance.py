"""Conformance tests of an engine against the protocol of `dvonn.engine.uci`.

    python -m dvonn.engine conform python -m dvonn.engine uci
    python -m dvonn.engine conform --patience 60 COMMAND

Each check prints a line: `ok`, or `FAILED` with the reason, the position and the input to reproduce
it. The engine's strength is not tested. With the default patience, everything ends within a minute.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from time import monotonic
from typing import Final, TextIO

from dvonn._records.position_text import position_to_text
from dvonn._rules.move import Move
from dvonn._rules.position import IllegalMoveError, Phase, Position
from dvonn.engine.client import AsyncUciEngine, EngineFailedError, UciAnswer
from dvonn.perft import divide
from dvonn.simulation import SimulatedGame, at_random, simulate

PATIENCE_S: Final = 8.0
"""Seconds to wait for an answer."""
_LIMIT: Final = 7
"""Maximum time for all checks together, as a multiple of the patience."""
_FIRST_ANSWERS: Final = 4
"""Time allowed for the first answers, as a multiple of the patience."""
_QUICK: Final = "nodes 200 depth 2"
_LINES: Final = 3
_SAMPLES: Final = 3
_MOVETIME_MS: Final = 50
_LATE_S: Final = 1.5
"""Maximum delay in seconds of the fastest timed answer."""
_FULL_BOARD: Final = 49
_FAR: Final = "9" * 20
_INVALID: Final = (
    "hello",
    "position",
    "position startpos d2",
    "position line 9/9 W place",
    "position startpos moves d2 d2",
    "go home",
    "go nodes",
    "go nodes x",
)
_SHOWN: Final = 2000


class _TestedEngine:
    """An engine under test.

    Attributes:
        engine: Its client.
        patience_s: Maximum number of seconds for each answer.
    """

    def __init__(self, engine: AsyncUciEngine, patience_s: float) -> None:
        self.engine = engine
        engine.strict = True
        self.patience_s = patience_s

    def send(self, line: str) -> None:
        self.engine.process.send(line)

    async def ready(self) -> list[str]:
        return await self.engine.ready(self.patience_s)

    async def go(
        self, start: Position, limits: str = _QUICK, moves: Sequence[Move] = ()
    ) -> UciAnswer:
        """Return the answer to `go`. Fail if it is illegal."""
        self.engine.place(start, moves)
        self.send(f"go {limits}".strip())
        return await self.legal_answer(start.after(*moves))

    async def legal_answer(self, position: Position) -> UciAnswer:
        answer = await self.engine.answer(self.patience_s)
        _demand_legal(answer.move, position)
        for line in answer.lines:
            try:
                position.after(*line.moves)
            except ValueError as error:
                text = " ".join(line.moves)
                raise EngineFailedError(f"pv {text}: {_error_text(error)}") from error
            _demand(line.chance is None or 0 <= line.chance <= 1, f"chance {line.chance}")
        return answer

    async def perft(self) -> dict[str, str]:
        """Return the counts that answer `go perft`, or an empty dict if it is not supported."""
        counts: dict[str, str] = {}
        async with self.engine.process.deadline(self.patience_s, "perft total"):
            while "total" not in counts:
                word, *words = [*(await self.engine.process.read()).split(), ""]
                if word == "perft":
                    counts[words[0]] = words[1] if len(words) > 1 else ""
                elif word == "bestmove" or words[:1] == ["string"]:
                    return {}
        return counts

    def repeated(self) -> list[str]:
        """Return the input that reproduces a failure: options, last position, and later lines."""
        sent = self.engine.process.sent
        positions = [n for n, line in enumerate(sent) if line.startswith("position ")]
        # If the last position was refused, begin with the one before it.
        searched = [n for n in positions if any(line.startswith("go ") for line in sent[n:])]
        first = (searched or positions or [len(sent)])[-1]
        options = [line for line in sent[:first] if line.startswith("setoption ")]
        return ["uci", *dict.fromkeys(options), *sent[first:]]


def conform(command: Sequence[str], out: TextIO, *, patience_s: float = PATIENCE_S) -> bool:
    """Check an engine and write a line for each check. Return True if it passed all of them.

    Args:
        command: Words of its command line.
        out: Stream for the lines.
        patience_s: Maximum number of seconds for each answer.
    """
    return asyncio.run(_conform(command, out, patience_s))


async def _conform(command: Sequence[str], out: TextIO, patience_s: float) -> bool:
    failed = 0
    end = monotonic() + _LIMIT * patience_s
    tested: _TestedEngine | None = None
    async with AsyncExitStack() as stack:
        for name, check in CHECKS.items():
            verdict = "ok"
            try:
                rest = end - monotonic()
                _demand(rest > 0, f"not reached: {_LIMIT * patience_s:g} s are over")
                if tested is None:
                    engine = await AsyncUciEngine.start(command, patience_s=min(patience_s, rest))
                    tested = _TestedEngine(await stack.enter_async_context(engine), patience_s)
                async with tested.engine.process.deadline(end - monotonic(), "end of this check"):
                    await check(tested)
                if check in _ENDING:
                    tested = None
            except EngineFailedError as error:
                verdict = f"FAILED: {error}"
                if tested is not None:
                    lines = [f"\n    > {line[:_SHOWN]}" for line in tested.repeated()]
                    verdict += f"\n  to reproduce it, send{''.join(lines)}"
                    await tested.engine.process.kill()
                tested = None
                failed += 1
            out.write(f"{name}: {verdict}\n")
            out.flush()
            if tested is None and name == _FIRST:
                out.write("the other checks need an engine that introduces itself\n")
                break
    return not failed


def _demand(holds: object, reason: str) -> None:
    if not holds:
        raise EngineFailedError(reason)


def _demand_legal(move: Move | None, position: Position) -> None:
    """Raise EngineFailedError with the reason if a move is illegal."""
    place = f"in {position_to_text(position)}"
    if move is None:
        count = len(position.legal_moves())
        reason = f"bestmove none {place}, but {position.turn} has {count} moves"
        if position.passed:
            reason += f"; {position.passed[0]} had to pass, which isn't a move"
        _demand(position.turn is None, reason)
        return
    try:
        position.play(move)
    except IllegalMoveError as error:
        raise EngineFailedError(f"bestmove {move} {place} is not legal: {error.reason}") from error


def _error_text(error: ValueError) -> str:
    if isinstance(error, IllegalMoveError):
        place = position_to_text(error.position)
        return f"{error.move} in {place} is not legal: {error.reason}"
    return str(error)


def _games() -> Iterator[SimulatedGame]:
    yield from simulate([Position.initial()] * _SAMPLES, at_random(seed=1))


def _middle(plies: int = _FULL_BOARD) -> Position:
    return Position.initial().after(*next(_games()).moves[:plies])


async def _introduces_itself(tested: _TestedEngine) -> None:
    _demand(tested.engine.name, "there is no id name")
    for name, option in tested.engine.options.items():
        words = option.split()
        kind = words[0] if words else ""
        _demand(kind in {"spin", "check"}, f"option {name} has the type {kind!r}")
        _demand("default" in words, f"option {name} has no default")


async def _answers(tested: _TestedEngine) -> None:
    """Check first answers with a longer timeout, because some engines compile only now."""
    patience_s = tested.patience_s
    tested.patience_s *= _FIRST_ANSWERS
    await tested.go(Position.initial())
    await tested.go(_middle())
    tested.patience_s = patience_s


async def _accepts_its_options(tested: _TestedEngine) -> None:
    for name, option in tested.engine.options.items():
        words = option.split()
        await tested.engine.set(name, words[words.index("default") + 1])
    for line in await tested.ready():
        _demand(not line.startswith("info string"), f"a default was refused: {line}")


async def _rejects_invalid_input(tested: _TestedEngine) -> None:
    """Check that refused input leaves the position unchanged."""
    right, wrong = _middle(), _middle(_FULL_BOARD + 1)
    moves = " ".join(map(str, next(_games()).moves[: _FULL_BOARD + 1]))
    refused = (
        *_INVALID,
        f"position startpos moves {moves} a1-a1",
        f"position line {position_to_text(wrong)} moves a1-a1",
    )
    for line in refused:
        tested.engine.place(right)
        await tested.ready()
        tested.send(line)
        lines = await tested.ready()
        is_refused = lines and all(answer.startswith("info string") for answer in lines)
        answer = " / ".join(lines) or "nothing"
        _demand(is_refused, f"{line[:60]!r} must be answered by info string, not by {answer}")
        tested.send(f"go {_QUICK}")
        try:
            await tested.legal_answer(right)
        except EngineFailedError as error:
            raise EngineFailedError(f"after the refused {line[:60]!r}: {error}") from error


async def _plays_a_game(tested: _TestedEngine) -> None:
    await tested.engine.new_game()
    start, moves = Position.initial(), list[Move]()
    position = start
    while position.turn is not None:
        move = (await tested.go(start, _QUICK, moves)).move
        moves += [move] if move else []
        position = start.after(*moves)


async def _plays_from_any_position(tested: _TestedEngine) -> None:
    for game in _games():
        positions = [Position.initial()]
        for move in game.moves:
            positions.append(positions[-1].play(move))
        passed = [n for n, position in enumerate(positions) if position.passed]
        for ply in (_FULL_BOARD, *passed[:1]):
            first = max(ply - 2, 0)
            await tested.go(positions[first], _QUICK, game.moves[first:ply])


async def _counts_moves(tested: _TestedEngine) -> None:
    """Check `go perft`, which is optional for engines."""
    for game in _games():
        for plies in (47, _FULL_BOARD, len(game.moves) - 4):
            position = Position.initial().after(*game.moves[:plies])
            tested.engine.place(position)
            tested.send("go perft 2")
            counts = await tested.perft()
            if not counts:
                return
            expected = {str(move): str(count) for move, count in divide(position, 2).items()}
            expected["total"] = str(sum(map(int, expected.values())))
            for move in {**expected, **counts}:
                reason = (
                    f"{counts.get(move, 'nothing')} for {move}, not {expected.get(move, 'nothing')}"
                )
                same = counts.get(move) == expected.get(move)
                _demand(same, f"perft 2 in {position_to_text(position)}: {reason}")


async def _reports_lines(tested: _TestedEngine) -> None:
    position = _middle(60)
    several = "MultiPV" in tested.engine.options
    if several:
        await tested.engine.set("MultiPV", _LINES)
    tested.engine.place(position)
    tested.send("go nodes 2000 depth 3")
    answer = await tested.legal_answer(position)
    if several:
        await tested.engine.set("MultiPV", 1)
        await tested.ready()
        first = {line.moves[0] for line in answer.lines}
        _demand(len(answer.lines) == len(first) == _LINES, f"{_LINES} lines were asked for")
    moves = answer.best.moves
    reason = f"the first pv is {' '.join(moves) or 'missing'}, but bestmove is {answer.move}"
    _demand(moves and moves[0] == str(answer.move), reason)


async def _waits_for_stop(tested: _TestedEngine) -> None:
    position, other = _middle(), _middle(_FULL_BOARD + 1)
    tested.engine.place(position)
    tested.send("go infinite")
    for line in (f"position line {position_to_text(other)}", f"go {_QUICK}"):
        tested.send(line)
        _demand(_without_move(await tested.ready()), "bestmove came before stop")
    tested.send("stop")
    await tested.legal_answer(position)
    for limits in (f"movetime {_FAR}", f"nodes {_FAR} depth {_FAR}"):
        tested.engine.place(position)
        tested.send(f"go {limits}")
        tested.send("stop")
        await tested.legal_answer(position)


async def _answers_once(tested: _TestedEngine) -> None:
    await tested.go(_middle())
    _demand(_without_move(await tested.ready()), "a second bestmove to one go")
    tested.send("stop")
    _demand(_without_move(await tested.ready()), "stop without a search was answered by bestmove")


def _without_move(lines: Sequence[str]) -> bool:
    return not any(line.startswith("bestmove") for line in lines)


async def _keeps_time(tested: _TestedEngine) -> None:
    position = _middle()
    for limits in ("wtime 400 btime 400", "depth 1", ""):
        await tested.go(position, limits)
    took = []
    for _ in range(_SAMPLES):
        start = monotonic()
        await tested.go(position, f"movetime {_MOVETIME_MS}")
        took.append(monotonic() - start)
    late = min(took) - _MOVETIME_MS / 1000
    _demand(late < _LATE_S, f"movetime {_MOVETIME_MS} took {min(took):.1f} s")


async def _recognizes_the_end(tested: _TestedEngine) -> None:
    for game in _games():
        _demand(game.position.phase is Phase.OVER, "a game that goes on")
        tested.engine.place(game.position)
        tested.send(f"go {_QUICK}")
        move = (await tested.engine.answer(tested.patience_s)).move
        _demand(move is None, f"bestmove {move} in a game that is over")


async def _quits(tested: _TestedEngine) -> None:
    status = await tested.engine.quit(tested.patience_s)
    _demand(status == 0, f"it ended with status {status}")


async def _ends_with_its_input(tested: _TestedEngine) -> None:
    status = await tested.engine.process.end(None, tested.patience_s)
    _demand(status == 0, f"it ended with status {status}")


_FIRST: Final = "introduces itself"
CHECKS: Final = {
    _FIRST: _introduces_itself,
    "answers": _answers,
    "accepts its options": _accepts_its_options,
    "rejects invalid input": _rejects_invalid_input,
    "counts moves": _counts_moves,
    "plays a game": _plays_a_game,
    "plays from any position": _plays_from_any_position,
    "reports lines": _reports_lines,
    "waits for stop": _waits_for_stop,
    "answers once": _answers_once,
    "keeps time": _keeps_time,
    "recognizes the end": _recognizes_the_end,
    "quits": _quits,
    "ends with its input": _ends_with_its_input,
}
"""Checks by name. Some of them end the engine."""
_ENDING: Final = frozenset({_quits, _ends_with_its_input})

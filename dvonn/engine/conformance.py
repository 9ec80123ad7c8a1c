"""Conformance tests of an engine against the protocol of `dvonn.engine.uci`.

    python -m dvonn.engine conform python -m dvonn.engine uci

Each check prints a line, `ok` or `FAILED` with the reason. The strength of the engine is not
tested.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final, TextIO

from dvonn.engine.client import EngineFailedError, UciAnswer, UciEngine
from dvonn.move import Move
from dvonn.notation import parse_move
from dvonn.position import Phase, Position
from dvonn.position_text import position_to_text
from dvonn.simulation import SimulatedGame, at_random, simulate

_QUICK: Final = "nodes 200 depth 2"
_LINES: Final = 3
_LATE_S: Final = 20.0
"""Seconds by which an answer may be late on a busy machine."""
_SAMPLES: Final = 3


def conform(command: Sequence[str], out: TextIO) -> bool:
    """Check an engine and write a line for each check. Return True if it passed all of them."""
    failed = 0
    with ExitStack() as stack:
        engine: UciEngine | None = None
        for name, check in CHECKS.items():
            said = "ok"
            try:
                engine = engine or stack.enter_context(UciEngine.start(command))
                check(engine)
            except (EngineFailedError, OSError) as error:
                said, engine = f"FAILED: {error}", None
                failed += 1
            out.write(f"{name}: {said}\n")
            out.flush()
    return not failed


def _demand(holds: object, why: str) -> None:
    if not holds:
        raise EngineFailedError(why)


def _answer(engine: UciEngine, position: Position, limits: str = _QUICK) -> UciAnswer:
    """Return an answer that is legal, with legal lines."""
    answer = engine.go(position, limits)
    _demand(answer.move in position.legal_moves(), f"bestmove {answer.move} is not legal")
    for line in answer.lines:
        after = position
        try:
            after = after.after(*line.moves)
        except ValueError as error:
            raise EngineFailedError(f"pv {' '.join(line.moves)}: {error}") from error
        _demand(line.chance is None or 0 <= line.chance <= 1, f"chance {line.chance}")
    return answer


def _games() -> Iterator[SimulatedGame]:
    yield from simulate([Position.initial()] * _SAMPLES, at_random(seed=1))


def _introduces_itself(engine: UciEngine) -> None:
    _demand(engine.name, "there is no id name")
    for name, told in engine.options.items():
        words = told.split()
        kind = words[0] if words else ""
        _demand(kind in {"spin", "check"}, f"option {name} has the type {kind!r}")
        _demand("default" in words, f"option {name} has no default")


def _takes_its_options(engine: UciEngine) -> None:
    for name, told in engine.options.items():
        words = told.split()
        engine.set(name, words[words.index("default") + 1])
    for line in engine.ready():
        _demand(not line.startswith("info string"), f"a default was refused: {line}")


def _heeds_no_nonsense(engine: UciEngine) -> None:
    position = Position.initial().after("d2")
    engine.place(position)
    for line in ("hello", "position line 9/9 W place", "position startpos moves d2 d2", "go home"):
        engine.send(line)
        engine.ready()
    engine.send(f"go {_QUICK}")
    move = engine.answer().move
    _demand(move in position.legal_moves(), f"it forgot the position before: {move}")


def _plays_a_game(engine: UciEngine) -> None:
    engine.send("ucinewgame")
    position, moves = Position.initial(), list[Move]()
    while position.turn is not None:
        move = engine.go(Position.initial(), _QUICK, moves).move
        _demand(move in position.legal_moves(), f"bestmove {move} is not legal")
        moves.append(move or parse_move(""))
        position = position.play(moves[-1])


def _plays_on_anywhere(engine: UciEngine) -> None:
    for game in _games():
        positions = [Position.initial()]
        for move in game.moves:
            positions.append(positions[-1].play(move))
        passed = [n for n, position in enumerate(positions) if position.passed]
        for ply in (49, *passed[:1]):
            start = positions[max(ply - 2, 0)]
            answer = engine.go(start, _QUICK, game.moves[max(ply - 2, 0) : ply])
            legal = answer.move in positions[ply].legal_moves()
            _demand(legal, f"{answer.move} in {position_to_text(positions[ply])}")


def _tells_lines(engine: UciEngine) -> None:
    position = next(_games()).moves[:60]
    where = Position.initial().after(*position)
    several = "MultiPV" in engine.options
    if several:
        engine.set("MultiPV", _LINES)
    answer = _answer(engine, where, "nodes 2000 depth 3")
    if several:
        engine.set("MultiPV", 1)
        engine.ready()
        first = {line.moves[0] for line in answer.lines}
        _demand(len(answer.lines) == len(first) == _LINES, f"{_LINES} lines were asked for")
    told = answer.best.moves
    _demand(told and told[0] == str(answer.move), "the best line is not that of bestmove")


def _waits_for_stop(engine: UciEngine) -> None:
    position = Position.initial().after(*next(_games()).moves[:49])
    engine.place(position)
    engine.send("go infinite")
    for line in engine.ready():
        _demand(not line.startswith("bestmove"), "bestmove came before stop")
    engine.send("stop")
    move = engine.answer(_LATE_S).move
    _demand(move in position.legal_moves(), f"bestmove {move} is not legal")


def _keeps_time(engine: UciEngine) -> None:
    position = Position.initial().after(*next(_games()).moves[:49])
    for limits in ("movetime 50", "wtime 400 btime 400", "depth 1", ""):
        engine.place(position)
        engine.send(f"go {limits}".strip())
        move = engine.answer(_LATE_S).move
        _demand(move in position.legal_moves(), f"go {limits}: {move} is not legal")


def _ends_a_game(engine: UciEngine) -> None:
    for game in _games():
        _demand(game.position.phase is Phase.OVER, "a game that goes on")
        move = engine.go(game.position, _QUICK).move
        _demand(move is None, f"bestmove {move} in a game that is over")


def _quits(engine: UciEngine) -> None:
    status = engine.quit()
    _demand(status == 0, f"it ended with status {status}")


CHECKS: Final = {
    "introduces itself": _introduces_itself,
    "takes its options": _takes_its_options,
    "heeds no nonsense": _heeds_no_nonsense,
    "plays a game": _plays_a_game,
    "plays on anywhere": _plays_on_anywhere,
    "tells lines": _tells_lines,
    "waits for stop": _waits_for_stop,
    "keeps time": _keeps_time,
    "knows the end": _ends_a_game,
    "quits": _quits,
}
"""Checks by name. The last one ends the engine."""

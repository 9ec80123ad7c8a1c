"""Look again at the moves that reviews mark, with many more nodes.

    python -m benchmarks.verdicts --marks 100 --seed 900000 --out verdicts.jsonl [--suggested-only]

Games of the engine with itself, each player of one of the levels by chance, are reviewed as the
bot reviews them. Every marked move is then searched anew with a fresh table: what the position is
worth, and what it is worth after the suggestion, and after the move that was played. The file has
one line for each, with both lines of play and the reasons, for people to check by hand. The last
game is looked at to its end. A run that was broken off goes on after the last game that is whole.

Seeds that nothing was tuned on: those of the games behind docs/engine.md are below 600,000.
"""

import argparse
import json
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.result import result_line
from benchmarks.tuning.reviewed import play
from dvonn import Grade, Move, Phase, PlyReview, Position
from dvonn.engine import review
from dvonn.engine.estimates import finished, win_probability
from dvonn.engine.searcher import Searcher

_CLOSE = 0.02
"""The winning chance by which a suggestion may be worse than the best move."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Review, look again, and print one line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts")
    parser.add_argument("--marks", type=int, default=200, help="at least")
    parser.add_argument("--nodes", type=int, default=4_000_000, help="of the second look")
    parser.add_argument("--suggested-only", action="store_true", help="not what was played")
    parser.add_argument("--levels", type=int, nargs="+", default=[5, 7, 8, 10])
    parser.add_argument("--seed", type=int, default=900_000, help="of the first game")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    found, first = looked_at(options.out, options.seed)
    seconds: list[float] = []
    options.out.write_text("".join(map(_line, found)), encoding="utf-8")
    with options.out.open("a", encoding="utf-8") as file:
        for seed in count(first):
            marks, taken = marked(seed, options.levels)
            seconds.append(taken)
            for position, said in marks:
                deep = again(position, said, options.nodes, suggested_only=options.suggested_only)
                found.append({"seed": seed, **told(position, said), **deep})
                file.write(_line(found[-1]))
                file.flush()
            if len(found) >= options.marks:
                break
    print(result_line("verdicts", figures(found) | times(seconds)))


def looked_at(path: Path, first: int) -> tuple[list[dict[str, Any]], int]:
    """Return the marks that a run has left which was broken off, and the seed where it goes on.

    Args:
        path: its file.
        first: the seed of the first game.
    """
    whole = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    found = [json.loads(line) for line in whole if line.endswith("\n")]
    # Of the last game there may be more marks.
    last = max((one["seed"] for one in found), default=first)
    return [one for one in found if one["seed"] < last], last


def _line(mark: dict[str, Any]) -> str:
    return json.dumps(mark) + "\n"


def marked(seed: int, levels: Sequence[int]) -> tuple[list[tuple[Position, PlyReview]], float]:
    """Return the marked moves of a game, each with the position before it.

    Also returns the seconds of processor time that the review took.
    """
    record, _ = play(seed, levels)
    positions = record.positions()
    started = time.process_time()
    said = review(record, placements=0)
    taken = time.process_time() - started
    return [
        (positions[one.ply - 1], one) for one in said.plies if one.grade is not Grade.GOOD
    ], taken


def told(position: Position, said: PlyReview) -> dict[str, Any]:
    """Return a review's words about a move, and the position."""
    return {
        "ply": said.ply,
        "color": said.color.name,
        "stacks": " ".join(f"{point}:{pieces}" for point, pieces in position.stacks.items()),
        "played": str(said.played),
        "grade": said.grade.value,
        "before": round(said.before.for_color(said.color), 3),
        "after": round(said.after.for_color(said.color), 3),
        "best": " ".join(map(str, said.best)),
        "answer": " ".join(map(str, said.answer)),
        "motifs": [motif.value for motif in said.motifs],
        "missed": [motif.value for motif in said.missed],
    }


def again(
    position: Position, said: PlyReview, nodes: int, *, suggested_only: bool = False
) -> dict[str, Any]:
    """Return the chances of the player who moved, as the second look sees them."""
    searcher = Searcher(megabytes=64)
    stacks = len(position.stacks)
    found = searcher.search(position, nodes=nodes)
    top = win_probability(found.value, stacks)

    def after(move: Move) -> float:
        if move is found.move:
            return top
        following = position.play(move)
        if following.phase is Phase.OVER:
            return win_probability(finished(following, said.color), 1)
        value = searcher.search(following, nodes=nodes).value
        value = value if following.turn is said.color else -value
        chance = win_probability(value, len(following.stacks))
        # The search of all moves preferred another.
        return min(chance, top)

    chances = {
        "deep_best": str(found.move),
        "deep": round(top, 3),
        "deep_suggested": round(after(said.best[0]), 3),
    }
    return chances if suggested_only else chances | {"deep_played": round(after(said.played), 3)}


def figures(found: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Count the marks, and the shares that the second look bears out."""
    marks = len(found)
    close = sum(one["deep"] - one["deep_suggested"] <= _CLOSE + 1e-9 for one in found)
    shares = {
        "marks": marks,
        "suggestion_close_share": close / marks,
        "with_reason_share": sum(bool(one["motifs"] or one["missed"]) for one in found) / marks,
    }
    if any("deep_played" not in one for one in found):
        return shares
    worse = sum(one["deep_suggested"] - one["deep_played"] > _CLOSE for one in found)
    losing = sum(one["deep"] - one["deep_played"] >= 0.05 - 1e-9 for one in found)
    return shares | {
        "suggestion_better_share": worse / marks,
        "loss_confirmed_share": losing / marks,
    }


def times(seconds: Sequence[float]) -> dict[str, float]:
    """Count the reviewed games, and their mean and most processor time."""
    return {
        "games": len(seconds),
        "review_cpu_seconds": sum(seconds) / len(seconds),
        "review_cpu_seconds_most": max(seconds),
    }


if __name__ == "__main__":
    main()

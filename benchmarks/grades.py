"""The marks that simple players see in the reviews of their games.

    python -m benchmarks.grades --games 100 [--nodes 100000] [--seed 9400000]

Each side of a game is a tapper, a child (`benchmarks.matches.simple`), or of level 1 to 3. The
figures are the marks of a player, on average and at most, of how many players more than three are
mistakes or blunders, and how many of all marks have which grade.
"""

import argparse
from collections import Counter
from typing import Final

from benchmarks.matches.simple import Child, Tapper
from benchmarks.result import result_line
from benchmarks.tuning.reviewed import play_kinds
from dvonn import Grade
from dvonn.engine import review
from dvonn.engine.player import EnginePlayer, player_at

_KINDS: Final = ("tapper", "child", "1", "2", "3")
_MANY: Final = 3


def _player(kind: str, seed: int) -> Tapper | EnginePlayer:
    match kind:
        case "tapper":
            return Tapper(seed)
        case "child":
            return Child(seed)
        case _:
            return player_at(int(kind), seed)


def main() -> None:
    """Play, review, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grades")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=100_000, help="of a review, for each move")
    parser.add_argument("--seed", type=int, default=9_400_000, help="of the first game")
    options = parser.parse_args()
    grades, numbers, bad = Counter[Grade](), list[int](), list[int]()
    by_kind: dict[str, list[int]] = {kind: [] for kind in _KINDS}
    for seed in range(options.seed, options.seed + options.games):
        record, kinds = play_kinds(seed, _KINDS, _player)
        marked = review(record, nodes=options.nodes, placements=0).marked
        grades.update(one.grade for one in marked)
        for color, kind in kinds.items():
            own = [one.grade for one in marked if one.color is color]
            numbers.append(len(own))
            bad.append(sum(one is not Grade.INACCURACY for one in own))
            by_kind[kind].append(numbers[-1])
    figures = {
        "marks": sum(numbers) / len(numbers),
        "most": max(numbers),
        "bad": sum(bad) / len(bad),
        "most_bad": max(bad),
        "many": sum(one > _MANY for one in bad) / len(bad),
        **{grade.value: grades[grade] for grade in Grade if grade is not Grade.GOOD},
        **{f"marks_{kind}": sum(of) / len(of) for kind, of in by_kind.items() if of},
    }
    print(result_line("grades", figures))


if __name__ == "__main__":
    main()

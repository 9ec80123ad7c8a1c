"""Of the moves that lose much, the share that reviews mark; true marks; hindsight.

    python -m benchmarks.recall --games 10 [--closer] [--nodes 10000000] [--seed 7700002]
    python -m benchmarks.recall --games 10 --records FOLDER

Games of the engine with itself, or of people, are reviewed as the bot reviews them, at once or
closer. Each move in an open position is searched anew, before and after it, with a part of the
nodes. Where it seems to lose 0.15 or more, it counts if it does so with all of them, too. A mark is
true if its move loses 0.05 or more. The full board is searched likewise: `towards` and `away` count
reviews that are off by more than 0.05, towards the game's result and away from it.

FOLDER holds records in any format that `dvonn.formats` reads, such as boardspace.net's. The seed
chooses among the games that were played to their ends. Files with "bot" in their names are left
out: there the programs of boardspace.net played.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.result import result_line
from benchmarks.tuning.reviewed import play
from dvonn import Color, GameRecord, Grade, Phase, Position, RecordError, position_to_text
from dvonn.engine import review
from dvonn.engine.estimates import finished, win_probability
from dvonn.engine.searcher import Searcher
from dvonn.formats import read_records
from dvonn.review import INACCURACY

_LOSS = 0.15
_OFF = 0.05
_OPEN = 0.04
_PART = 10


@dataclass
class Searched:
    """White's chances to win, by searches with an empty table; each position is searched once."""

    known: dict[tuple[str, int], float] = field(default_factory=dict)

    def white(self, position: Position, nodes: int) -> float:
        """Return White's chance to win."""
        key = position_to_text(position), nodes
        if key not in self.known:
            self.known[key] = _white(position, nodes)
        return self.known[key]

    def loss(self, before: Position, after: Position, nodes: int) -> float:
        """Return the chance to win that a move gave away."""
        fall = self.white(before, nodes) - self.white(after, nodes)
        return fall if before.turn is Color.WHITE else -fall


def _white(position: Position, nodes: int) -> float:
    if position.phase is Phase.OVER:
        return win_probability(finished(position, Color.WHITE), 1)
    found = Searcher(megabytes=64).search(position, nodes=nodes)
    value = found.value if position.turn is Color.WHITE else -found.value
    return 0.5 if found.exact and not value else win_probability(value, len(position.stacks))


def games_in(folder: Path) -> Iterator[GameRecord]:
    """Yield the games of a folder that people played to their ends, in the order of the names."""
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        if "bot" in file.name.lower():
            continue
        try:
            records = read_records(file.read_text(encoding="utf-8", errors="replace"))
        except RecordError:
            continue
        yield from (one for one in records if one.positions()[-1].phase is Phase.OVER)


def looked_at(record: GameRecord, nodes: int, *, closer: bool) -> tuple[int, int, int, int, float]:
    """Return a game's moves that lose much, those of them that are marked, its marks, true ones.

    The last figure is the hindsight: above 0 where the full board is told as too good for who won.
    """
    positions, searched = record.positions(), Searched()
    lost = found = marks = true = 0
    plies = review(record, placements=0, closer=closer).plies
    for one in plies:
        before, after = positions[one.ply - 1 : one.ply + 1]
        known, is_marked = one.before.win_probability, one.grade is not Grade.GOOD
        if one.before.exact or not _OPEN < known < 1 - _OPEN or len(before.legal_moves()) < 2:
            continue
        seems = searched.loss(before, after, nodes // _PART) >= _LOSS
        if seems or is_marked:
            loss = searched.loss(before, after, nodes)
            marks, true = marks + is_marked, true + (is_marked and loss >= INACCURACY)
            if seems and loss >= _LOSS:
                lost, found = lost + 1, found + is_marked
    lead = positions[-1].score(Color.WHITE) - positions[-1].score(Color.BLACK)
    full = searched.white(positions[plies[0].ply - 1], nodes)
    off = plies[0].before.win_probability - full
    return lost, found, marks, true, off * ((lead > 0) - (lead < 0))


def main() -> None:
    """Play, review, search, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=10_000_000)
    parser.add_argument("--closer", action="store_true", help="review as in idle hours")
    parser.add_argument("--levels", type=int, nargs="+", default=[3, 5, 7, 8, 10])
    parser.add_argument("--seed", type=int, default=7_700_002, help="of the first game")
    parser.add_argument("--records", type=Path, help="a folder of games to take instead")
    options = parser.parse_args()
    if options.records is None:
        seeds = range(options.seed, options.seed + options.games)
        records = [play(seed, options.levels)[0] for seed in seeds]
    else:
        records = random.Random(options.seed).sample([*games_in(options.records)], options.games)
    figures_of_all = [looked_at(one, options.nodes, closer=options.closer) for one in records]
    lost, found, marks, true, off = zip(*figures_of_all, strict=True)
    figures = {
        "lost": sum(lost),
        "found": sum(found),
        "marks": sum(marks),
        "true": sum(true),
        "towards": sum(one > _OFF for one in off),
        "away": sum(one < -_OFF for one in off),
    }
    print(result_line("recall", figures | {"recall": sum(found) / max(sum(lost), 1)}))


if __name__ == "__main__":
    main()

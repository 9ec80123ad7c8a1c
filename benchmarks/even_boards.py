"""Fairness of the even boards: White's chances and scores, by independent searches.

    python -m benchmarks.even_boards [--boards 1000] [--others 200] [--nodes 4000000]
        [--games 1000] [--levels 3 8] [--picture docs/fairness.svg]

A search with many nodes and an empty table values even boards, spread over all of them, and
unselected balanced boards. Then two players of the same level play one game on each board. Limits
are numbers of nodes, so that each figure is the same on every machine.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean, pstdev
from typing import Final

from benchmarks.result import result_line
from dvonn import Color, Position, fairness
from dvonn.engine.estimates import win_probability
from dvonn.engine.matches.statistics import estimate
from dvonn.engine.player import player_at
from dvonn.engine.searcher import Searcher
from dvonn.even_boards import even_seeds, even_start

_UNSEEN: Final = 1_000_000
"""The first seed of the unselected balanced boards."""
_BAR: Final = 0.05
"""Width of a histogram bar, as a winning chance."""
_FAR: Final = 0.1
"""Distance from one half beyond which a chance counts as uneven."""


def _board(seed: int) -> Position:
    return Position.initial().after(*even_start(seed))


def spread(boards: int) -> list[int]:
    """Return evenly spaced seeds from the list of all even boards."""
    seeds = even_seeds()
    return [seeds[number * len(seeds) // boards] for number in range(boards)]


def unselected_seeds() -> Iterator[int]:
    """Yield the seeds of balanced boards in ascending order."""
    seed = _UNSEEN
    while True:
        if fairness(_board(seed)).is_balanced:
            yield seed
        seed += 1


def chances(seeds: Sequence[int], nodes: int) -> list[float]:
    """Return White's chance on each board."""
    searcher, probabilities = Searcher(), []
    for seed in seeds:
        board = _board(seed)
        searcher.clear()
        probabilities.append(
            win_probability(searcher.search(board, nodes=nodes).value, len(board.stacks))
        )
    return probabilities


def score(seed: int, level: int) -> float:
    """Return White's score in a self-play game of a level: 1, 0.5 or 0."""
    position = _board(seed)
    player = player_at(level, seed)
    while position.turn is not None:
        position = position.play(player.choose(position))
    margin = position.score(Color.WHITE) - position.score(Color.BLACK)
    return 0.5 + 0.5 * ((margin > 0) - (margin < 0))


def picture(even: Sequence[float], other: Sequence[float]) -> str:
    """Return an SVG histogram of White's chances on both kinds of boards."""
    bars, kinds = round(1 / _BAR), (even, other)
    counts = [Counter(min(int(number / _BAR), bars - 1) for number in kind) for kind in kinds]
    shares = [
        {bar: boards / len(kind) for bar, boards in sorted(count.items())}
        for count, kind in zip(counts, kinds, strict=True)
    ]
    tallest = max(max(share.values()) for share in shares)
    parts = []
    for share, colour, shift in zip(shares, ("#c0392b", "#8a8f98"), (0, 13), strict=True):
        for bar, part in share.items():
            height = 180 * part / tallest
            place = f'x="{30 + 27 * bar + shift}" y="{200 - height:.1f}" height="{height:.1f}"'
            parts.append(f'<rect {place} width="12" fill="{colour}"/>')
    for bar in range(0, bars + 1, 2):
        label = f'<text x="{30 + 27 * bar}" y="218" text-anchor="middle">{bar * 5}%</text>'
        parts.append(label)
    for y, colour, name in ((20, "#c0392b", "even boards"), (40, "#8a8f98", "balanced boards")):
        parts.append(f'<rect x="30" y="{y - 11}" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="48" y="{y}">{name}</text>')
    inside = "\n".join(parts)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 245" font-family="sans-serif" '
        f'font-size="13" fill="#444">\n<rect width="600" height="245" fill="#fff"/>\n{inside}\n'
        '<text x="300" y="238" text-anchor="middle">White’s chance to win</text>\n</svg>\n'
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the searches and games, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.even_boards")
    parser.add_argument("--boards", type=int, default=1_000, help="even ones to value")
    parser.add_argument("--others", type=int, default=200, help="balanced ones to value")
    parser.add_argument("--nodes", type=int, default=4_000_000, help="for each board")
    parser.add_argument("--games", type=int, default=1_000, help="of each level")
    parser.add_argument("--levels", type=int, nargs="*", default=[3, 8])
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args(arguments)

    even = chances(spread(options.boards), options.nodes)
    other = chances(list(islice(unselected_seeds(), options.others)), options.nodes)
    figures: dict[str, float] = {"boards": options.boards, "known": len(even_seeds())}
    valued = [(name, kind) for name, kind in (("even", even), ("balanced", other)) if kind]
    for name, kind in valued:
        figures |= {f"{name}_mean": fmean(kind), f"{name}_deviation": pstdev(kind)}
        figures[f"{name}_outside_40_60_ratio"] = fmean(abs(number - 0.5) > _FAR for number in kind)
    for level in options.levels:
        white = estimate([score(seed, level) for seed in spread(options.games)])
        figures |= {f"level_{level}_white": white.score, f"level_{level}_error": white.error}
    if options.picture is not None:
        options.picture.write_text(picture(even, other), encoding="utf-8")
    print(result_line("even_boards", figures))


if __name__ == "__main__":
    main()

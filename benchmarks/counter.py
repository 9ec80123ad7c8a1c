"""Measure how often a reason that names the opponent's reply is the real reason.

    python -m benchmarks.counter --games 20 --seed 1
    python -m benchmarks.counter --games 20 --seed 1 --records FOLDER

It reviews games between low levels, or a random sample of the finished games in a folder of
records. For each mark whose reason names the opponent's reply, it searches the position after the
move again, and forbids all replies that take the same stack or move the same stack away. The reason
holds if the loss is then at most half as large. `held_ratio` is the share of such reasons that
hold, and `single_ratio` is the share that hold if only the named reply is forbidden. `told_ratio`
is the share of marks with any reason.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.result import result_line
from dvonn import Color, GameRecord, Phase, PlyReview, Position, RecordError
from dvonn.engine import review
from dvonn.engine.estimates import finished, win_probability
from dvonn.engine.player import player_at
from dvonn.engine.searcher import Searcher
from dvonn.formats import read_records
from dvonn.reviews.reasons import reasons_of
from dvonn.reviews.review import ProvenReason
from dvonn.starts import balanced_start

_HALF: Final = 0.5
_CLOSELY: Final = 6
"""Number of the best replies that share half of the nodes."""


def marks(game: GameRecord) -> Iterator[tuple[Position, PlyReview]]:
    """Yield the marked moves of a game with the positions before them."""
    boards = game.positions()
    for ply in review(game, placements=0).marked:
        yield boards[ply.ply - 1], ply


def gives_back(
    searcher: Searcher, position: Position, ply: PlyReview, reason: ProvenReason, nodes: int
) -> tuple[float, float]:
    """Return the shares of the loss regained without the named reply, and without any like it.

    Args:
        searcher: Searches the replies. Its table is cleared first.
        position: The position before the move.
        ply: The review of the move.
        reason: The reason, which names the reply.
        nodes: Number of positions to search.
    """
    after = position.play(ply.played)
    replies = after.legal_moves()
    searcher.clear()
    chances = {
        reply: _chance(searcher, after.play(reply), ply.color, nodes // 2 // len(replies))
        for reply in replies
    }
    for reply in sorted(replies, key=chances.__getitem__)[:_CLOSELY]:
        chances[reply] = _chance(searcher, after.play(reply), ply.color, nodes // 2 // _CLOSELY)
    least = min(chances.values())
    single, alike = (
        min((chances[reply] for reply in replies if reply not in forbidden), default=1.0)
        for forbidden in ({reason.line[-1]}, reason.replies_alike(replies))
    )
    return (single - least) / ply.loss, (alike - least) / ply.loss


def _chance(searcher: Searcher, position: Position, color: Color, nodes: int) -> float:
    if position.phase is Phase.OVER:
        return win_probability(finished(position, color), 1)
    value = searcher.search(position, nodes=max(nodes, 1)).value
    return win_probability(value if position.turn is color else -value, len(position.stacks))


def main(arguments: Sequence[str] | None = None) -> None:
    """Review games, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counter")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", type=int, nargs="+", default=(2, 3, 4, 5, 6))
    parser.add_argument("--records", type=Path, help="a folder of records, instead of the levels")
    parser.add_argument("--nodes", type=int, default=1_500_000)
    options = parser.parse_args(arguments)
    games = (
        recorded(options.records, options.seed)
        if options.records
        else (played(seed, options.levels) for seed in range(options.seed, 1 << 30))
    )
    searcher, reason_count, marked_count = Searcher(megabytes=64), 0, 0
    backs = list[tuple[float, float]]()
    for game in islice(games, options.games):
        for position, ply in marks(game):
            reason = next(iter(reasons_of(position, ply)), None)
            marked_count, reason_count = marked_count + 1, reason_count + (reason is not None)
            if reason is not None and reason.names_reply:
                backs.append(gives_back(searcher, position, ply, reason, options.nodes))
    single, alike = (sum(back[kind] >= _HALF for back in backs) for kind in range(2))
    figures = {
        "marks": marked_count,
        "told_ratio": reason_count / max(marked_count, 1),
        "named": len(backs),
        "held_ratio": alike / max(len(backs), 1),
        "single_ratio": single / max(len(backs), 1),
    }
    print(result_line("counter", figures))


def recorded(folder: Path, seed: int) -> Iterator[GameRecord]:
    """Yield the games of a folder that people played to the end, in random order."""
    files = sorted(file for file in folder.iterdir() if "bot" not in file.name.lower())
    for file in random.Random(seed).sample(files, len(files)):
        try:
            records = read_records(file.read_text(encoding="utf-8", errors="replace"))
        except RecordError:
            continue
        yield from (game for game in records if game.positions()[-1].phase is Phase.OVER)


def played(seed: int, levels: Sequence[int]) -> GameRecord:
    """Return a game between two random levels on a balanced board."""
    rng = random.Random(seed)
    moves = [*balanced_start(seed)]
    position = Position.initial().after(*moves)
    players = {color: player_at(rng.choice(levels), rng.getrandbits(30)) for color in Color}
    while position.turn is not None:
        moves.append(players[position.turn].choose(position))
        position = position.play(moves[-1])
    return GameRecord(tuple(moves), {})


if __name__ == "__main__":
    main()

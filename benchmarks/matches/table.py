r"""A table of engines, each against each, with Elo and its errors.

    python -m benchmarks.matches.table --games 40 --starts balanced \
        "engine=uci[nodes 2000]:python -m dvonn.engine uci" \
        "level_4=python -m dvonn.engine play --level 4 --seed {seed}" \
        "baseline=python -m dvonn.engine baseline --seed {seed}"

Each start is played twice, with both colours. With `--sprt 0.5 0.55` a match ends as soon as the
test decides. The first engine has 0 Elo; the others' differences to it are those under which the
results are likeliest, and the errors are half the 95% intervals (see `calibration`). An engine that
never lost, or never won, has no Elo: half a game more is counted each way, so that it gets one.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.matches.calibration import Pair, fit
from benchmarks.matches.options import command_of, match_of, match_parser
from benchmarks.matches.settings import results
from benchmarks.result import result_line

_Z_95 = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One engine of a table.

    Attributes:
        name: what it is called.
        elo: its difference to the first engine.
        error: half the 95% interval of that.
        games: how many it has played.
        points: those it has made.
    """

    name: str
    elo: float
    error: float
    games: int
    points: float

    def __str__(self) -> str:
        score = f"{self.points:g}/{self.games}"
        return f"{self.name:<20} {self.elo:>+7.0f} ± {self.error:>4.0f}  {score:>9}"


def rows(
    names: Sequence[str], matches: Sequence[tuple[int, int, Sequence[float]]]
) -> list[TableRow]:
    """Return the table, the strongest first.

    Args:
        names: of the engines.
        matches: two engines by their numbers, and the first's scores of pairs of games, 0 to 1.
    """
    pairs = [Pair(one, other, 2 * score) for one, other, scores in matches for score in scores]
    doubts = [Pair(one, other, 1.0) for one, other, _ in matches]
    found = fit([*pairs, *doubts], (0, 0.0))
    return sorted(
        (
            TableRow(
                name=name,
                elo=found[number][0],
                error=_Z_95 * found[number][1],
                games=2 * sum(number in {pair.one, pair.other} for pair in pairs),
                points=sum(pair.points for pair in pairs if pair.one == number)
                + sum(2 - pair.points for pair in pairs if pair.other == number),
            )
            for number, name in enumerate(names)
        ),
        key=lambda row: -row.elo,
    )


def main(arguments: Sequence[str] | None = None) -> list[TableRow]:
    """Play all matches, print the table and the RESULT line, and return the table."""
    prog = "python -m benchmarks.matches.table"
    parser = match_parser(prog, __doc__, games=40, starts="balanced")
    parser.add_argument("engines", type=command_of, nargs="+", metavar="NAME=COMMAND")
    options = parser.parse_args(arguments)

    matches = []
    with results(options) as write:
        for one, other in combinations(range(len(options.engines)), 2):
            match = match_of(options, options.engines[one], options.engines[other], write)
            asyncio.run(match.play(options.jobs))
            matches.append((one, other, match.pairs))
            write({"one": match.one.name, "other": match.other.name, "result": match.figures()})
    table = rows([engine.name for engine in options.engines], matches)
    print("\n".join(map(str, table)))
    figures: dict[str, float] = {"games": sum(row.games for row in table) // 2}
    for row in table:
        figures |= {f"{row.name}_elo": row.elo, f"{row.name}_error_elo": row.error}
    print(result_line("table", figures))
    return table


if __name__ == "__main__":
    main()

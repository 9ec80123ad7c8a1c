"""The adapter between the machine player and the protocol of `dvonn.engine.uci`."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from dvonn import Color, Move, Phase, Position
from dvonn.engine.analysis import analyse, line_from
from dvonn.engine.estimates import expected_margin, finished, win_probability
from dvonn.engine.memory import WIN
from dvonn.engine.placement import choose_placement
from dvonn.engine.player import FULL_SAMPLES, EnginePlayer
from dvonn.engine.results import Line
from dvonn.engine.searcher import Searcher, SearchResult
from dvonn.engine.uci import MOST_SEED, UciInfo, UciLimits, UciOption
from dvonn.machine import LEVELS


class _SearchRequest:
    """A requested search, with the function that reports its results."""

    def __init__(
        self, position: Position, limits: UciLimits, report: Callable[[UciInfo], None]
    ) -> None:
        self.position = position
        self.limits = limits
        self._report = report
        self._begun = time.monotonic()

    def report(self, rank: int, result: SearchResult, moves: tuple[Move, ...]) -> None:
        """Report a line. The best line has rank 1."""
        is_proven = result.exact or abs(result.value) >= WIN
        margin = expected_margin(result.value)
        chance = win_probability(result.value, len(self.position.stacks))
        self._report(
            UciInfo(
                depth=result.depth,
                nodes=result.nodes,
                time_ms=round(1000 * (time.monotonic() - self._begun)),
                multipv=rank,
                score=None if is_proven else result.value,
                proven=round(margin) if is_proven else None,
                chance=0.5 if is_proven and not margin else chance,
                margin=margin,
                moves=tuple(map(str, moves)),
            )
        )


class EngineThinker:
    """The engine, with a hash table that is reused from move to move."""

    name: str = "dvonn"
    options: Mapping[str, UciOption] = {
        "Hash": UciOption(default=16, least=1, most=1024),
        "Level": UciOption(default=0, least=0, most=len(LEVELS)),
        "MultiPV": UciOption(default=1, least=1, most=97),
        "Seed": UciOption(default=0, least=0, most=MOST_SEED),
        "Threads": UciOption(default=1, least=1, most=64),
    }

    def __init__(self) -> None:
        self._values = {name: option.default for name, option in self.options.items()}
        self._stopped = False
        self.new_game()

    def set(self, name: str, value: int) -> None:
        self._values[name] = value
        self.new_game()

    def new_game(self) -> None:
        """Clear the table."""
        values = self._values
        self._player = EnginePlayer(level=values["Level"] or None, seed=values["Seed"])
        self._rng = random.Random(values["Seed"])  # noqa: S311 - no secrets
        self._searcher = Searcher(values["Hash"], threads=values["Threads"], as_measured=False)

    def think(
        self, position: Position, limits: UciLimits, report: Callable[[UciInfo], None]
    ) -> Move:
        self._stopped = False
        if self._values["Level"]:
            return self._player.choose(position, limits.seconds)
        if position.phase is Phase.PLACEMENT:
            return self._place(position, min(limits.nodes or FULL_SAMPLES, FULL_SAMPLES), report)
        request = _SearchRequest(position, limits, report)
        if self._values["MultiPV"] > 1:
            return self._search_lines(request)
        return self._search(request)

    def stop(self) -> None:
        self._stopped = True
        self._player.stop()
        self._searcher.stop()

    def _place(self, position: Position, samples: int, report: Callable[[UciInfo], None]) -> Move:
        """Report the player's chosen move first, then the other most valuable points."""
        chosen = choose_placement(position, self._rng, samples=samples)
        analysis = analyse(position, nodes=samples, lines=len(position.legal_moves()))
        lines = sorted(analysis.lines, key=lambda line: line.moves[0] is not chosen)
        best = lines[0]
        for rank, line in enumerate(lines[: self._values["MultiPV"]], start=1):
            # The choice comes from more samples, so no other point may seem better.
            chance = min(line.win_probability, best.win_probability)
            capped = line.replace(win_probability=chance, margin=min(line.margin, best.margin))
            report(_placed(rank, capped, analysis.nodes))
        return chosen

    def _search(self, request: _SearchRequest) -> Move:
        """Search for the best move, and report it after each depth."""
        searcher, position, limits = self._searcher, request.position, request.limits
        counts = limits.nodes if self._values["Threads"] == 1 else None

        def report(partial: SearchResult) -> None:
            request.report(1, partial, line_from(searcher, position, partial.move))
            if limits.nodes is not None and partial.nodes >= limits.nodes:
                searcher.stop()  # several threads update the count only occasionally

        result = searcher.search(
            position, nodes=counts, seconds=limits.seconds, depth=limits.depth, on_depth=report
        )
        report(result)
        return result.move

    def _search_lines(self, request: _SearchRequest) -> Move:
        """Search all moves to the same depth, and report the best lines after each depth."""
        moves = list(request.position.legal_moves())
        best, nodes = moves[0], 0
        for depth in range(1, (request.limits.depth or len(request.position.stacks)) + 1):
            results: dict[Move, SearchResult] = {}
            for move in moves:
                spent = request.limits.nodes is not None and nodes >= request.limits.nodes
                if self._stopped or (spent and depth > 1):
                    return best
                results[move] = self._value(request.position, move, depth)
                nodes += results[move].nodes
            if self._stopped:
                return best
            moves.sort(key=lambda move: results[move].value, reverse=True)
            best = moves[0]
            for rank, move in enumerate(moves[: self._values["MultiPV"]], start=1):
                line = line_from(self._searcher, request.position, move)
                request.report(rank, replace(results[move], nodes=nodes), line)
        return best

    def _value(self, position: Position, move: Move, depth: int) -> SearchResult:
        """Return the value of a move to its player, searched to a depth that includes the move."""
        mover, after = position.turn, position.play(move)
        if mover is None or after.phase is Phase.OVER:
            value = finished(after, mover or Color.WHITE)
            return SearchResult(move, value, depth, 1, exact=True)
        result = self._searcher.search(after, depth=max(depth - 1, 1))
        value = result.value if after.turn is mover else -result.value
        return SearchResult(move, value, depth, result.nodes, exact=False)


def _placed(rank: int, line: Line, nodes: int) -> UciInfo:
    return UciInfo(
        nodes=nodes,
        multipv=rank,
        chance=line.win_probability,
        margin=line.margin,
        moves=tuple(map(str, line.moves)),
    )

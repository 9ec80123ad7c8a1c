"""Run all benchmarks, and write the first table of docs/measurements.md.

    python -m benchmarks.summary [NAMES ...] [--small]

It runs the benchmarks of `BENCHES`, or only the named ones, one after another. It keeps their
RESULT lines with the date in benchmarks/measured.txt, and writes the table from that file. Run it
on an idle machine, as root because of `limits`: it takes about ten minutes on two cores. If a
benchmark fails, its earlier line stays, and the exit status is 1.

With `--small`, each benchmark runs at a small size, and nothing is written. That shows whether all
of them work.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = ROOT / "benchmarks" / "measured.txt"
PAGE: Final = ROOT / "docs" / "measurements.md"
HEAD: Final = "| What | Command | Figure | Aim | Met | Date |\n|---|---|---|---|---|---|\n"

_RESULT: Final = re.compile(r"RESULT bench=(\w+) (.+)")
_LINE: Final = re.compile(rf"(\d{{4}}-\d\d-\d\d) {_RESULT.pattern}")
_SECTION: Final = re.compile(re.escape(HEAD) + r".*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_BUSY: Final = 1.0
"""Load average above which times are longer than on an idle machine."""
_UNITS: Final = {"ms": "ms", "s": "s", "mib": "MiB", "kib": "KiB", "percent": "%"}
"""Units by the last part of a figure's name. Rates, such as `plies_per_s`, have none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of a benchmark, and its aim.

    Attributes:
        what: Description of the figure.
        name: Its name in the RESULT line.
        most: The aim, if the figure should be at most that.
        least: The aim, if the figure should be at least that.
    """

    what: str
    name: str
    most: float | None = None
    least: float | None = None

    def meets(self, value: float) -> bool:
        """Return True if a value meets the aim."""
        return (self.most is None or value <= self.most) and (
            self.least is None or value >= self.least
        )

    def with_unit(self, value: float) -> str:
        """Return a value for readers, with three digits and its unit."""
        number = f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:.3g}"
        measure = self.name.rstrip("0123456789_").rpartition("_")[2]
        unit = None if "_per_" in self.name else _UNITS.get(measure)
        return f"{number} {unit}".replace(" %", "%") if unit else number

    @property
    def aim(self) -> str:
        """The aim for readers, or empty."""
        if self.most is not None:
            return f"at most {self.with_unit(self.most)}"
        return "" if self.least is None else f"at least {self.with_unit(self.least)}"


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark with its arguments, and the figures that the table shows.

    Attributes:
        arguments: Its name and arguments, as after `./run bench`.
        small: Its arguments for a short trial, without the name.
        rows: The rows of its figures.
    """

    arguments: str
    small: str
    rows: tuple[Row, ...]

    @property
    def name(self) -> str:
        """The name of the module, and of the RESULT line."""
        return self.arguments.split()[0]


BENCHES: Final = (
    Bench(
        "turn --rounds 2",
        "--rounds 1",
        (
            Row("A typed turn, until its board", "turn_ms"),
            Row("A typed turn beyond the floor, compared with a minimal bot", "ours_ratio", most=1),
            Row("A typed turn: processor time", "cpu_ms", most=10),
            Row(
                "A turn by buttons beyond the floor, compared with that bot",
                "click_ratio",
                most=1.5,
            ),
            Row(
                "A turn by `/move` beyond the floor, compared with that bot",
                "slash_ratio",
                most=1.5,
            ),
        ),
    ),
    Bench(
        "load --games 50 --seconds 20",
        "--games 50 --seconds 4 --rate 5 --settles 2",
        (
            Row("A typed turn at 25 a second: 99th percentile", "seen_p99_ms_50"),
            Row("A minimal bot's answer at 25 a second: 99th percentile", "bare_p99_ms"),
        ),
    ),
    Bench(
        "walk",
        "--moves 2",
        (
            Row("Source files involved in a typed turn", "typed_files", most=58),
            Row("Source files involved in a turn by buttons", "clicked_files", most=60),
            Row("Functions involved in a typed turn", "typed_functions", most=300),
            Row("Functions involved in a turn by buttons", "clicked_functions", most=310),
        ),
    ),
    Bench(
        "render",
        "--rounds 1",
        (
            Row("A picture, compared with its encoding by Pillow", "ratio", most=0.25),
            Row("The largest picture of a game", "max_kib", most=76),
        ),
    ),
    Bench(
        "animate --rounds 3",
        "--rounds 1",
        (Row("An animation of a game", "kib", most=600),),
    ),
    Bench(
        "rules",
        "--games 2 --rounds 1",
        (
            Row("Moves per second by the rules", "plies_per_s"),
            Row("The rules, compared with a simple implementation", "ratio", least=10),
        ),
    ),
    Bench(
        "batch",
        "--size 64 --rounds 1",
        (Row("Steps per second of `dvonn.batch`", "steps_per_s", least=1_000_000),),
    ),
    Bench(
        "engine --rounds 2",
        "--rounds 1",
        (
            Row("Positions per second of the engine", "nodes_per_s"),
            Row("The engine, compared with a search in plain Python", "ratio"),
            Row("The engine's first move in a new process", "warm_start_s"),
            Row("The engine's first move, with its compilation", "cold_start_s"),
            Row("Memory of the engine process", "warm_worker_mib", most=200),
        ),
    ),
    Bench(
        "finished --games 100000 --running 1000 --starts 2 --turns 100",
        "--games 500 --running 40 --starts 1 --turns 4",
        (
            Row("A start with 100,000 finished games", "ready_s"),
            Row(
                "A start with 100,000 finished games, compared with 100",
                "ready_ratio",
                most=2,
            ),
            Row(
                "A start and a first move with 100,000, compared with 100",
                "played_ratio",
                most=2,
            ),
            Row(
                "A turn with 100,000 finished games, compared with 100",
                "turn_ratio",
                most=1.2,
            ),
        ),
    ),
    Bench(
        "limits",
        "--idle 2",
        (
            Row("Startup: processor time", "start_cpu_s", most=1.2),
            Row("The bot's memory after a game", "rss_mib", most=130),
            Row("The bot's peak memory during a game, with cached files", "most_mib", most=256),
            Row("Share of a core that an idle bot uses", "idle_percent", most=1),
        ),
    ),
    Bench(
        "first_run",
        "",
        (
            Row("`./run` in a fresh clone, until its page opens", "page_s", most=60),
            Row("From *Play the machine* to the board", "board_s", most=2),
        ),
    ),
    Bench(
        "structure",
        "",
        (
            Row("Lines of `bot`", "bot_lines", most=48_000),
            Row("Lines of `bot/play` without its modules for 0.1.0", "play_lines", most=18_000),
            Row("Packages that the bot needs without extras", "dependencies", most=13),
            Row("Extension points with one user", "seams_with_one_implementor", most=8),
            Row("Lines that mention other processes", "process_lines", most=220),
            Row("Files that mention other processes", "process_files", most=40),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of a RESULT line, by name, and the day of the measurement."""

    day: date
    figures: Mapping[str, float]


def read_results(text: str) -> dict[str, Result]:
    """Return the results of dated RESULT lines, by the names of their benchmarks."""
    results = {}
    for day, name, pairs in _LINE.findall(text):
        numbers = (pair.split("=") for pair in pairs.split())
        figures = {key: float(value) for key, value in numbers}
        results[name] = Result(date.fromisoformat(day), figures)
    return results


def table(results: Mapping[str, Result]) -> str:
    """Return the table of all rows."""
    lines = []
    for bench in BENCHES:
        for row in bench.rows:
            command = f"`./run bench {bench.arguments}`" if row is bench.rows[0] else ""
            result = results.get(bench.name)
            if result is None or row.name not in result.figures:
                cells = ["not measured", row.aim, "", ""]
            else:
                value = result.figures[row.name]
                is_met = row.meets(value)
                met = "" if not row.aim else "yes" if is_met else "**no**"
                cells = [row.with_unit(value), row.aim, met, str(result.day)]
            lines.append(f"| {' | '.join([row.what, command, *cells])} |\n")
    return f"{HEAD}{''.join(lines)}\n"


def with_table(page: str, results: Mapping[str, Result]) -> str:
    """Return the page with a new table."""
    return _SECTION.sub(lambda _: table(results), page, count=1)


def run(bench: Bench, arguments: str) -> str | None:
    """Run a benchmark, and show its output. Return its RESULT line, or None if it failed."""
    print(f"\n$ ./run bench {bench.name} {arguments}", flush=True)
    settings = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", f"benchmarks.{bench.name}", *arguments.split()]
    line = None
    with subprocess.Popen(
        command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        for printed in process.stdout or ():
            print(printed, end="", flush=True)
            if _RESULT.match(printed):
                line = printed.strip()
    return line if process.returncode == 0 else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and write the table. Return 1 if a benchmark failed."""
    parser = argparse.ArgumentParser(prog="./run bench summary")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these benchmarks")
    parser.add_argument("--small", action="store_true", help="try them, and write nothing")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - {bench.name for bench in BENCHES}:
        parser.error(f"the summary has no {', '.join(sorted(unknown))}")
    if hasattr(os, "getloadavg") and (load := os.getloadavg()[0]) > _BUSY:
        print(f"This machine is busy (load {load:.1f}), so times will be too long.")
    benches = [bench for bench in BENCHES if bench.name in options.names or not options.names]
    lines = {} if options.small else dict(_kept_lines())
    failed = []
    for bench in benches:
        line = run(bench, bench.small if options.small else bench.arguments.partition(" ")[2])
        if line is None:
            failed.append(bench.name)
        else:
            lines[bench.name] = f"{datetime.now(UTC).date()} {line}"
    text = "".join(f"{lines[bench.name]}\n" for bench in BENCHES if bench.name in lines)
    print(f"\n{table(read_results(text))}")
    if not options.small:
        KEPT.write_text(text, encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_table(page, read_results(text)), encoding="utf-8")
    if failed:
        print(f"These benchmarks failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


def _kept_lines() -> Iterator[tuple[str, str]]:
    for match in _LINE.finditer(KEPT.read_text(encoding="utf-8")):
        yield match[2], match[0]


if __name__ == "__main__":
    sys.exit(main())

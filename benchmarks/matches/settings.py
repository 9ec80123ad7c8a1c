"""Result files with one JSON object per line. The first has versions, machine and options."""

import argparse
import datetime as dt
import json
import platform
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
"""Folder for raw results, which Git ignores."""


def add_out(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the option `--out`. By default the file is named after the current time, in `RESULTS`."""
    file = RESULTS / f"{dt.datetime.now(dt.UTC):%Y-%m-%d-%H%M%S}-{name}.jsonl"
    parser.add_argument("--out", type=Path, default=file, help="the file of results")


@contextmanager
def results(options: argparse.Namespace) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Open the file of results, write its first line, and yield a function that appends a line."""
    with options.out.open("w", encoding="utf-8", buffering=1) as out:

        def write(line: Mapping[str, object]) -> None:
            out.write(json.dumps(line) + "\n")

        write(settings(options))
        yield write


def settings(options: argparse.Namespace) -> dict[str, object]:
    """Return the versions, the machine and the options, for the first line of a result file."""
    return {
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "commit": _output("git", "describe", "--always", "--dirty", "--abbrev=12"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()} {_processor()}",
        **{
            name: _as_toml_value(value)
            for name, value in vars(options).items()
            if value is not None
        },
    }


def _as_toml_value(value: object) -> object:
    if isinstance(value, list):
        return [_as_toml_value(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def _output(*words: str) -> str:
    return subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.processor()

"""What a result was measured with: versions, machine, options."""

import argparse
import datetime as dt
import platform
import subprocess
from dataclasses import asdict
from pathlib import Path

from dvonn.engine.matches.program import Command

ROOT = Path(__file__).parents[2]


def settings(options: argparse.Namespace) -> dict[str, object]:
    """What a match is played with."""
    return {
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "commit": _output("git", "describe", "--always", "--dirty", "--abbrev=12"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()} {_processor()}",
        **{name: _written(value) for name, value in vars(options).items() if value is not None},
    }


def _written(value: object) -> object:
    if isinstance(value, Command):
        return asdict(value)
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

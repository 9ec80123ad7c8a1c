"""Tests for the platforms that the wheel `dvonn` names, and that CI tests it on them."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
JOBS: dict[str, Any] = yaml.safe_load(
    (ROOT / ".github/workflows/library.yml").read_text(encoding="utf-8")
)["jobs"]
RUN = "deploy/anywhere.py"


def commands(job: str) -> str:
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_the_installed_package_passes_the_test_data() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / RUN],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ": 11 games, 703697 lines of play, 6 formats, 5310 puzzles\n" in done.stdout


def test_each_python_that_the_wheel_names_is_tried_on_each_system() -> None:
    project = tomllib.loads((ROOT / "dvonn/pyproject.toml").read_text("utf-8"))["project"]
    named = [
        text.rpartition(" ")[2]
        for text in project["classifiers"]
        if text.startswith("Programming Language :: Python :: 3.")
    ]
    matrix = JOBS["installed"]["strategy"]["matrix"]
    assert matrix == {
        "system": ["macos", "ubuntu", "windows"],
        "python": [*named, "pypy3.11"],
    }
    assert project["requires-python"] == f">={named[0]}"
    assert "Programming Language :: Python :: Implementation :: PyPy" in project["classifiers"]


def test_it_is_tried_with_nothing_else_installed() -> None:
    for job in ("installed", "musl"):
        assert "pip install --no-index --find-links dist dvonn[lessons]" in commands(job)
        assert f"python -I {RUN}" in commands(job)
        assert JOBS[job]["needs"] == "wheel"
    assert "python:3.13-alpine" in commands("musl")
    assert "node deploy/pyodide.mjs" in commands("pyodide")
    assert RUN in (ROOT / "deploy/pyodide.mjs").read_text("utf-8")


def test_large_dependencies_are_installed_only_if_their_lock_changes() -> None:
    assert "--require-hashes --no-deps --only-binary :all: -r locks/nightly.txt" in commands(
        "learners"
    )
    assert "./run test tests/gym" in commands("learners")

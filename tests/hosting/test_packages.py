"""Tests for the built packages in empty environments, with each Python of this machine."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.once import made_once

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "docs" / "programs"
NEEDS = {
    "batch": ("numba",),
    "learn": ("gymnasium", "pettingzoo"),
    "mcts": ("pyspiel",),
    "planes": ("numpy",),
}
"""Modules of others that a program needs."""
ADDRESS = "https://example.org/owner/dvonn-bot"
PYTHONS = [
    line.rpartition(" ")[2]
    for line in tomllib.loads((ROOT / "dvonn/pyproject.toml").read_text("utf-8"))["project"][
        "classifiers"
    ]
    if re.search(r":: 3\.\d+$", line)
]

pytestmark = pytest.mark.thorough("packages are built, and installed in environments of their own")


def call(*command: str | Path, folder: Path, **environment: str) -> str:
    """Run a command that must succeed, and return its output."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=kept | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def python_of(version: str) -> Path | None:
    """Return a Python of a version, if this machine has one."""
    known = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for command in (sys.executable, shutil.which(f"python{version}"), *map(str, known)):
        if command:
            told = [command, "-c", "import ensurepip, sys; print('%d.%d' % sys.version_info[:2])"]
            done = subprocess.run(told, capture_output=True, text=True, check=False)
            if done.stdout.strip() == version:
                return Path(command)
    return None


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheels and source archives of all packages, as a release builds them."""

    def build(folder: Path) -> None:
        tree, dist = folder / "tree", folder / "dist"
        listed = call("git", "ls-files", folder=ROOT).splitlines()
        for name in listed:
            if (ROOT / name).is_file():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, tree / name)
        call(sys.executable, "deploy/project_urls.py", ADDRESS, folder=tree)
        for package in (".", "dvonn", "dvonn_lessons"):
            hatchling = (sys.executable, "-m", "hatchling", "build", "--directory", dist)
            call(*hatchling, folder=tree / package)

    return made_once(tmp_path_factory, "packages of a release", build) / "dist"


def test_an_index_would_take_them(built: Path) -> None:
    told = call(sys.executable, "deploy/packages.py", built, folder=ROOT)
    assert len(re.findall(r": ok \(\d+ bytes\)", told)) == len(list(built.iterdir())) == 6
    small = next(built.glob("dvonn-*.whl")).stat().st_size
    assert small <= 256_000
    (built.parent / "worse").mkdir(exist_ok=True)
    worse = built.parent / "worse" / "dvonn-1.0.tar.gz"
    shutil.copy(next(built.glob("dvonn-*.tar.gz")), worse)
    done = subprocess.run(
        [sys.executable, ROOT / "deploy/packages.py", worse.parent],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1


@pytest.mark.parametrize("version", PYTHONS)
def test_each_python_installs_them_and_runs_the_programs(
    built: Path, version: str, tmp_path: Path
) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"this machine has no Python {version}; CI has")
    call(python, "-m", "venv", tmp_path / "venv", folder=tmp_path)
    ours = tmp_path / "venv" / "bin" / "python"
    install = (ours, "-m", "pip", "install", "--no-index", "--find-links", built)
    call(*install, "dvonn[lessons]", folder=tmp_path)
    assert "formats, 5" in call(ours, "-I", ROOT / "deploy/anywhere.py", folder=tmp_path)
    shutil.copytree(ROOT / "docs" / "data", tmp_path / "docs" / "data")
    shutil.copy(ROOT / "docs" / "game.txt", tmp_path / "docs")
    for program in sorted(PROGRAMS.glob("*.py")):
        if program.stem not in NEEDS:
            call(ours, program, folder=tmp_path, BROWSER="true")


@pytest.mark.parametrize("name", NEEDS)
def test_the_programs_that_need_extras_run_from_the_wheels(
    built: Path, name: str, tmp_path: Path
) -> None:
    for module in NEEDS[name]:
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    call(sys.executable, "-m", "venv", tmp_path / "venv", folder=tmp_path)
    ours = tmp_path / "venv" / "bin" / "python"
    install = (ours, "-m", "pip", "install", "--no-index", "--find-links", built)
    call(*install, "dvonn", folder=tmp_path)
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    borrowed = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    (packages / "others.pth").write_text("\n".join(sorted(borrowed)), encoding="utf-8")
    place = "import dvonn; print(dvonn.__file__)"
    assert call(ours, "-c", place, folder=tmp_path).startswith(str(packages))
    assert call(ours, PROGRAMS / f"{name}.py", folder=tmp_path)

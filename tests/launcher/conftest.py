"""A checkout in miniature: the real `run`, empty locks, and a bot that reports."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dotenv
import pytest

from tests.once import made_once

PROJECT = Path(__file__).resolve().parents[2]
TOKEN = "a-token"
"""Any token. `check` needs one before it installs anything."""

# The locks are empty, so there are no build tools. Each project brings its own backend.
PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "{name}"
version = "1"
"""

BACKEND = """\
import os, tomllib, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    project = tomllib.load(open("pyproject.toml", "rb"))["project"]["name"]
    about = f"{project}-1.dist-info/"
    files = {
        f"{project}.pth": os.getcwd(),
        f"{about}METADATA": f"Metadata-Version: 2.1\\nName: {project}\\nVersion: 1\\n",
        f"{about}WHEEL": "Wheel-Version: 1.0\\nTag: py3-none-any\\n",
    }
    record = "".join(f"{path},,\\n" for path in files) + f"{about}RECORD,,\\n"
    with zipfile.ZipFile(os.path.join(folder, f"{project}-1-py3-none-any.whl"), "w") as wheel:
        for path, text in {**files, f"{about}RECORD": record}.items():
            wheel.writestr(path, text)
    return f"{project}-1-py3-none-any.whl"
"""

BOT = """\
import json, os, signal, sys

print(json.dumps({
    "file": __file__,
    "pid": os.getpid(),
    "arguments": sys.argv[1:],
    "folder": os.getcwd(),
    "prefix": sys.prefix,
}), flush=True)
if "wait" in sys.argv:
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
    print("waiting", flush=True)
    signal.pause()
"""


@dataclass(frozen=True)
class Checkout:
    """A folder with `run` in it, and the way to call it."""

    root: Path

    def run(
        self, *arguments: str, folder: Path | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `run` with these arguments, and only these variables besides the machine's own."""
        return subprocess.run(
            self.command(*arguments),
            cwd=folder or self.root,
            env=machine_environment() | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, str(self.root / "run"), *arguments]

    def report(self, done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
        """Return the bot's report."""
        assert done.returncode == 0, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        return report


def machine_environment() -> dict[str, str]:
    """Return the machine's variables without the bot's own, such as a developer's token."""
    return {name: value for name, value in os.environ.items() if name != "DISCORD_TOKEN"}


def make_checkout(root: Path) -> Checkout:
    (root / "locks").mkdir(parents=True)
    for lock in (PROJECT / "locks").iterdir():
        (root / "locks" / lock.name).write_text("", encoding="utf-8")
    for place, name in ((".", "little"), ("dvonn", "smaller"), ("dvonn_lessons", "beside")):
        folder = root / place
        folder.mkdir(exist_ok=True)
        about = PYPROJECT.format(name=name)
        (folder / "pyproject.toml").write_text(about, encoding="utf-8")
        (folder / "backend.py").write_text(BACKEND, encoding="utf-8")
    (root / "bot" / "base").mkdir(parents=True)
    for package in (root / "bot", root / "bot" / "base"):
        (package / "__init__.py").touch()
    (root / "bot" / "__main__.py").write_text(BOT, encoding="utf-8")
    # The settings are read by the bot's own code, with the library that its lock would install.
    shutil.copy(PROJECT / "bot" / "base" / "environment.py", root / "bot" / "base")
    shutil.copytree(Path(dotenv.__file__).parent, root / "dotenv")
    (root / "demo").mkdir()
    (root / "demo" / "__init__.py").touch()
    (root / "demo" / "local.py").write_text(BOT, encoding="utf-8")
    shutil.copy(PROJECT / "run", root / "run")
    return Checkout(root)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A checkout as after a clone, with a space in its path."""
    return make_checkout(tmp_path / "a fresh clone")


PRETENDED_TESTS = """\
import os, sys
print(sys.argv[1:], *({"PYTHONDONTWRITEBYTECODE"} & os.environ.keys()))
"""
"""A `pytest` that prints its arguments, and whether its processes must compile bytecode."""


def _set_up(root: Path) -> None:
    """A checkout with its environment, as the first start and the first test leave it."""
    made = make_checkout(root)
    to_run = made.run("check", DISCORD_TOKEN=TOKEN)
    assert to_run.returncode == 0, to_run.stderr
    first, making, *_ = to_run.stderr.splitlines()
    assert first == "run: the first start takes about a minute, later ones a moment"
    assert making.startswith("run: 1 of 7: creating the environment .venv with Python")
    pretended = root / "pytest.py"
    pretended.write_text(PRETENDED_TESTS, encoding="utf-8")
    to_test = made.run("test")
    assert to_test.returncode == 0, to_test.stderr
    pretended.unlink()


def copied(original: Path, copy: Path) -> Checkout:
    """A copy of a checkout whose environment looks as if it was made there."""
    shutil.copytree(original, copy, symlinks=True)
    state = copy / ".venv" / "set-up.json"
    text = state.read_text(encoding="utf-8")
    state.write_text(text.replace(str(original), str(copy)), encoding="utf-8")
    return Checkout(copy)


@pytest.fixture(scope="module")
def ready_checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout with an environment that tests don't change.

    Making one takes longer than all its tests, so each worker has a copy.
    """
    original = made_once(tmp_path_factory, "a checkout that is set up", _set_up)
    return copied(original, tmp_path_factory.mktemp("launcher") / "set up")

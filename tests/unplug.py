"""Try the bot without a feature: `python -m tests.unplug NAME`, or `--all`, or `--bare`.

In a copy of the tree a feature's folder is removed, with its lines in `bot/composition.py`, its
tests, and all features that need it. Its tables stay known, because they have people's data. In the
copy, types are checked, the bot starts next to the local Discord, plays a whole game and answers
/help, and the bot's remaining tests are run. `--quick` leaves these out. Benchmarks and tests that
import the feature are removed, too. Tests of many features (`tests.e2e`, `tests.fuzz`,
`tests.soak`, `tests.operations`) or of another part that are removed are printed.
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.rooms import ROOMS, ROOT, features, package

_PROJECT: Final = ROOT / "pyproject.toml"
_COPIED: Final = (
    *tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["tool"]["mypy"]["files"],
    *(_PROJECT.name, ".env.example"),
    *(path.name for path in ROOT.glob("*.md")),
)
_BOOT: Final = "tests/e2e/test_bare.py::test_a_game_is_played_with_the_features_that_there_are"
_PYTEST: Final = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
_LEFT: Final = (
    *(f"tests/{room}" for room in ROOMS),
    "--ignore=tests/bot/composition/test_released.py",
    "--ignore=tests/bot/composition/test_transcript.py",
)
"""The tests that run without the feature.

Released and transcribed data include it, and `tests.e2e` takes an hour.
"""


def needs(root: Path) -> dict[str, set[str]]:
    """Return the features that each feature needs, according to its feature.py."""
    found = {}
    for name, folder in features(root).items():
        text = (folder / "feature.py").read_text(encoding="utf-8")
        said = re.search(r"needs=\(([^)]*)\)", text)
        found[name] = set(re.findall(r'"(\w+)"', said[1])) if said else set()
    return found


def with_those_above(name: str, needed: Mapping[str, set[str]]) -> set[str]:
    """Return a feature and all that need it."""
    gone: set[str] = set()
    more = {name}
    while more:
        gone |= more
        more = {one for one, below in needed.items() if below & gone} - gone
    return gone


def copied(folder: Path) -> Path:
    """Copy the tree, without generated files."""
    skipped = shutil.ignore_patterns("__pycache__", "output", ".*cache", "*.sqlite3*")
    for name in _COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=skipped)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def composed_without(text: str, parts: str, tables: str = "") -> str:
    """Return the composition without the lines of a feature, perhaps with its tables."""
    imports = re.compile(rf"^from {re.escape(parts)}\.feature import (.*)\n", re.MULTILINE)
    declared = [name for names in imports.findall(text) for name in re.findall(r"\w+", names)]
    lines = re.compile(rf"^    (?:\w+=)?(?:{'|'.join(declared)}),\n", re.MULTILINE)
    return lines.sub("", imports.sub(tables, text))


def take_out(root: Path, gone: Iterable[str]) -> list[str]:
    """Remove features from a tree. Return the files that were removed because they import one."""
    names = set(gone)
    composition = root / "bot" / "composition.py"
    text = composition.read_text(encoding="utf-8")
    for name in names:
        kept, parts = _tables(root, name), package(name)
        for file in (root / parts.replace(".", "/")).rglob("*"):
            if file.is_file() and file not in kept:
                file.unlink()
        tables = "".join(f"import {parts}.{file.stem}\n" for file in kept if _has_tables(file))
        text = composed_without(text, parts, tables)
        for tests in (f"tests/{parts.replace('.', '/')}", f"tests/e2e/features/{name}"):
            shutil.rmtree(root / tests, ignore_errors=True)
        (root / f"tests/e2e/features/test_{name}.py").unlink(missing_ok=True)
    composition.write_text(text, encoding="utf-8")
    project = root / "pyproject.toml"
    told = project.read_text(encoding="utf-8")
    project.write_text(
        re.sub(
            rf'"(?:{"|".join(re.escape(package(name)) for name in names)})\.[^"]*",? ?', "", told
        ),
        encoding="utf-8",
    )
    return list(_joined(root, names))


def _tables(root: Path, name: str) -> set[Path]:
    """Find a feature's tables, which stay known, with their imports from it."""
    folder, kept = root / package(name).replace(".", "/"), set[Path]()
    more = {file for file in (folder / "schema.py", folder / "store.py") if _has_tables(file)}
    while more:
        kept |= more
        parts = {
            part
            for file in more
            for part in _imported(file)
            if part.startswith(f"{package(name)}.")
        }
        more = {root / f"{part.replace('.', '/')}.py" for part in parts} - kept
        more = {file for file in more if file.exists()}
    return kept and kept | {file.parent / "__init__.py" for file in kept}


def _has_tables(file: Path) -> bool:
    return file.exists() and re.search(r"\bTable\(\n", file.read_text(encoding="utf-8")) is not None


def _joined(root: Path, gone: set[str]) -> Iterator[str]:
    """Delete files that import a missing module, and files that import those."""
    missing = [package(name) for name in gone]
    missing += [f"tests.{package(name)}" for name in gone]
    missing += [f"tests.e2e.features.{name}" for name in gone]
    files = [file for top in ("tests", "benchmarks") for file in sorted((root / top).rglob("*.py"))]
    imports = {file: set(_imported(file)) for file in files}
    goes_on = True
    while goes_on:
        goes_on = False
        for file, modules in list(imports.items()):
            if any(_is_gone(root, module, missing) for module in modules):
                del imports[file]
                file.unlink()
                missing.append(".".join(file.relative_to(root).with_suffix("").parts))
                goes_on = True
                yield file.relative_to(root).as_posix()


def _is_gone(root: Path, module: str, missing: Iterable[str]) -> bool:
    """Return True if a module or name is missing. Tables of a feature stay."""
    if not any(f"{module}.".startswith(f"{name}.") for name in missing):
        return False
    path = root / module.replace(".", "/")
    return not any(item.with_suffix(".py").is_file() for item in (path, path.parent))


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def _run(root: Path, what: str, *command: str) -> bool:
    """Run something in a copy, and print its output if it fails."""
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, *command], cwd=root, env=env, capture_output=True, text=True, check=False
    )
    print(f"  {what}: {'ok' if done.returncode == 0 else 'FAILED'}", flush=True)
    if done.returncode != 0:
        print(done.stdout[-6_000:], done.stderr[-2_000:], flush=True)
    return done.returncode == 0


def unplug(gone: set[str], *, quick: bool) -> bool:
    """Check the bot without features. Return True if everything works."""
    print(f"without {', '.join(sorted(gone))}", flush=True)
    with TemporaryDirectory(prefix="dvonn-unplug-") as folder:
        Path(folder).chmod(0o755)  # some tests run as a user with few permissions
        root = copied(Path(folder))
        for item in take_out(root, gone):
            print(f"  joins them: {item}", flush=True)
        well = _run(root, "catalogues", "docs/catalogues.py", "update")
        cache = str(ROOT / ".mypy_cache" / "unplug")
        well &= _run(root, "types", "-m", "mypy", "--cache-dir", cache)
        well &= _run(root, "boots and plays", *_PYTEST, "--thorough", _BOOT)
        if not quick:
            well &= _run(root, "tests", *_PYTEST, "-n", "2", *_LEFT)
    return well


def main(arguments: list[str]) -> int:
    needed = needs(ROOT)
    parser = argparse.ArgumentParser(prog="python -m tests.unplug")
    parser.add_argument("names", nargs="*", choices=[[], *needed], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="each feature, one after the other")
    parser.add_argument("--bare", action="store_true", help="all features at once")
    parser.add_argument("--quick", action="store_true", help="only types and boot")
    asked = parser.parse_args(arguments)
    wanted = [with_those_above(name, needed) for name in (needed if asked.all else asked.names)]
    if asked.bare:
        wanted.append(set(needed))
    if not wanted:
        parser.error("name a feature, or say --all or --bare")
    wells = [unplug(item, quick=asked.quick) for item in wanted]
    return int(not all(wells))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

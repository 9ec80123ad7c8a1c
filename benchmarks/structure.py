"""Size of the bot's code, and its extension points.

    python -m benchmarks.structure

Lines are all lines of the files that git knows.
"""

import ast
import re
import subprocess
import tomllib
from collections import defaultdict
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from benchmarks.result import result_line

ROOT: Final = Path(__file__).resolve().parents[1]
ROOMS: Final = ("bot", "school", "club")
"""Packages of the bot."""


@cache
def files(*patterns: str) -> tuple[Path, ...]:
    """Return the files that git knows, by patterns."""
    command = ["git", "ls-files", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return tuple(ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file())


@cache
def text(path: Path) -> str:
    """Return a file's text."""
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(text(path))


def sources(*folders: str) -> tuple[Path, ...]:
    """Return the modules of some folders."""
    return files(*(f"{folder}/*.py" for folder in folders))


_FOR_0_1_0: Final = "compat_0_1_0.py"


def lines(*folders: str) -> int:
    """Count the lines of the modules of some folders.

    Modules for 0.1.0 are left out, because they have a date of removal.
    """
    paths = (path for path in sources(*folders) if path.name != _FOR_0_1_0)
    return sum(text(path).count("\n") for path in paths)


OFFERED: Final = frozenset({"GameHook", "ClientService", "TypedHandler"})
"""Base classes with methods that features override."""


def implementors() -> dict[str, set[str]]:
    """Return the folders of the parts that use each extension point, by extension point.

    A seam is a place in which a part of the bot may add something to parts below it: a field of
    `Feature` except its name and needs, an extension point, or a method of the classes `OFFERED`.
    A part that uses a seam several times counts once. The game itself is a part, too.
    """
    parts_by_point: dict[str, set[str]] = defaultdict(set)
    methods = {
        f"{node.name}.{method.name}"
        for path in sources("bot/play")
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and node.name in OFFERED
        for method in node.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for path in sources(*ROOMS):
        part = path.parent.relative_to(ROOT).as_posix()
        for node in ast.walk(tree(path)):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=point), attr="extended_by")):
                    parts_by_point[point].add(part)
                case ast.Call(func=ast.Name(id="Feature"), keywords=keywords):
                    for field in keywords:
                        if field.arg not in {"name", "needs"}:
                            parts_by_point[f"Feature.{field.arg}"].add(part)
                case ast.ClassDef(bases=[ast.Name(id=base)], body=body) if base in OFFERED:
                    names = [getattr(member, "name", "") for member in body]
                    for seam in {f"{base}.{name}" for name in names} & methods:
                        parts_by_point[seam].add(part)
    return parts_by_point


def is_type_lookup(node: ast.AST) -> bool:
    """Return True for a call such as `cases.get(Analyst)`, with a class that may be absent."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Name(id=name)]):
            return name[:1].isupper() and not name.isupper()
    return False


def type_lookups() -> int:
    """Count the places that look up a part by its type at run time, because it may be absent."""
    nodes = chain.from_iterable(ast.walk(tree(path)) for path in sources(*ROOMS))
    return sum(map(is_type_lookup, nodes))


PROCESSES: Final = re.compile(
    r"\b_?leas(?:e|ed|es|ing)\b|other_process|second_?bot|taken_over"
    r"|\b(?:other|another|one|this|each|same|several|all) process(?:es)?\b|\bprocesses\b"
    r"|(?-i:\w_elsewhere\b|\belsewhere(?=:| =))",
    re.IGNORECASE,
)
"""Pattern of words about leases and other processes of the bot."""
WORKERS: Final = ROOT / "bot" / "features" / "machine" / "opponent"
"""The folder about the machine's worker processes, which are not processes of the bot."""


def lines_about_processes() -> list[tuple[Path, int]]:
    """Return the lines about leases or other processes of the bot, except in migrations.

    Comments and docstrings count as code does. "Elsewhere" counts only as a name in code. In texts
    it usually means another channel or space.
    """
    return [
        (path, number)
        for path in sources(*ROOMS)
        if "migrations" not in path.parts and WORKERS not in path.parents
        for number, line in enumerate(text(path).splitlines(), start=1)
        if PROCESSES.search(line)
    ]


def places_in_libraries() -> int:
    """Count the private or patched library members that `connection/README.md` lists."""
    return len(re.findall(r"^\| `discord\.", text(ROOT / "bot/connection/README.md"), re.MULTILINE))


def dependencies() -> int:
    """Count the third-party packages that the bot needs without its extras."""
    project = tomllib.loads(text(ROOT / "pyproject.toml"))
    return sum(not item.startswith("dvonn") for item in project["project"]["dependencies"])


def main() -> None:
    """Measure, and print the RESULT line."""
    seams, processes = implementors(), lines_about_processes()
    figures = {
        "bot_lines": lines("bot"),
        "play_lines": lines("bot/play"),
        "seams": len(seams),
        "seams_with_one_implementor": sum(len(parts) == 1 for parts in seams.values()),
        "type_lookups": type_lookups(),
        "dependencies": dependencies(),
        "places_in_libraries": places_in_libraries(),
        "process_lines": len(processes),
        "process_files": len({path for path, _ in processes}),
    }
    print(result_line("structure", figures))


if __name__ == "__main__":
    main()

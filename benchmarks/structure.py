"""Size of the code, and dependencies between its parts.

    python -m benchmarks.structure

Lines are all lines of the files that git knows. A pair is one file that imports another. The kernel
is all of `bot` but its features and what joins them.
"""

import ast
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from benchmarks.result import result_line

ROOT: Final = Path(__file__).resolve().parents[1]
KERNEL: Final = frozenset({"base", "database", "connection", "play"})
ASKING: Final = frozenset({"How", "What", "When", "Where", "Whether", "Which", "Who", "Why"})
ROOMS: Final = ("bot", "school", "club")
"""Packages of the bot."""
PROCESSES: Final = re.compile(
    r"\b_?leas(?:e|ed|es|ing)\b|elsewhere|processes|other_process"
    r"|\b(?:other|another|one|this|each|same) process\b|second_?bot|taken_over|AlreadyDone",
    re.IGNORECASE,
)
"""What speaks of leases, of other processes, or of what another one has done first."""
PRODUCT: Final = (*ROOMS, "renderer", "dvonn")


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
    """Return a module as Python parses it."""
    return ast.parse(text(path))


def sources(*folders: str) -> tuple[Path, ...]:
    """Return the modules of some folders."""
    return files(*(f"{folder}/*.py" for folder in folders))


def lines(*folders: str) -> int:
    """Count the lines of the modules of some folders."""
    return sum(text(path).count("\n") for path in sources(*folders))


def name_of(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports() -> Iterator[tuple[str, str]]:
    """Yield which module of the bot's packages imports which other one."""
    known = {name_of(path) for path in sources(*ROOMS)}
    for path in sources(*ROOMS):
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for one in node.names:
                inner = f"{node.module}.{one.name}"
                target = inner if inner in known else node.module
                if target in known and target not in ROOMS:
                    yield name_of(path), target


def folder(module: str) -> str:
    """Return the folder of a module. Each feature counts as a folder."""
    parts = module.split(".")
    if parts[0] == "bot":
        return ".".join(parts[1:3]) if parts[1] == "features" else parts[1]
    return ".".join(("features", *parts[:2]))


def circle(edges: set[tuple[str, str]]) -> int:
    """Count the folders that reach themselves by imports."""
    onward: dict[str, set[str]] = defaultdict(set)
    for one, other in edges:
        onward[one].add(other)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        queue = list(onward[start])
        while queue:
            if (one := queue.pop()) not in seen:
                seen.add(one)
                queue += onward[one]
        return seen

    return sum(one in reached(one) for one in list(onward))


def functions() -> list[int]:
    """Return the lengths of all functions of the product in lines, in order."""
    nodes = chain.from_iterable(ast.walk(tree(path)) for path in sources(*PRODUCT))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in nodes
        if isinstance(node, kinds)
    )


def docstrings() -> list[str]:
    """Return the docstrings of the product."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = chain.from_iterable(ast.walk(tree(path)) for path in sources(*PRODUCT))
    found = (ast.get_docstring(node) for node in nodes if isinstance(node, kinds))
    return [one for one in found if one]


def import_lines() -> int:
    """Count the lines of imports in the bot's packages."""
    nodes = chain.from_iterable(ast.walk(tree(path)) for path in sources(*ROOMS))
    kinds = (ast.Import, ast.ImportFrom)
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in nodes
        if isinstance(node, kinds)
    )


def joining_lines() -> int:
    """Count the lines that only join: packages' faces, features' `feature.py`, the composition."""
    faces = [path for path in sources(*ROOMS) if path.name in {"__init__.py", "feature.py"}]
    return sum(text(path).count("\n") for path in [*faces, ROOT / "bot" / "composition.py"])


def speaking_of_processes() -> Counter[Path]:
    """Count the lines of each module that speak of leases or of other processes of the bot."""
    found: Counter[Path] = Counter()
    for path in sources(*ROOMS):
        if "migrations" not in path.parts:
            found[path] = sum(map(bool, map(PROCESSES.search, text(path).splitlines())))
    return +found


def implementors() -> Counter[str]:
    """Count the features that use each field of `Feature`, and each extension point."""
    found: Counter[str] = Counter()
    for path in sources(*ROOMS):
        if path.name != "feature.py":
            continue
        calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
        names = {
            f"Feature.{keyword.arg}"
            for call in calls
            if isinstance(call.func, ast.Name) and call.func.id == "Feature"
            for keyword in call.keywords
        }
        names |= {
            ast.unparse(call.func.value)
            for call in calls
            if isinstance(call.func, ast.Attribute) and call.func.attr == "extended_by"
        }
        found.update(names - {"Feature.name", "Feature.needs"})
    return found


def library_places() -> int:
    """Count the private and patched places of libraries, as `connection/README.md` lists them."""
    return len(re.findall(r"^\| `discord\.", text(ROOT / "bot/connection/README.md"), re.MULTILINE))


def main() -> None:
    """Measure, and print one line."""
    pairs = set(imports())
    between = {(folder(one), folder(other)) for one, other in pairs} - {("bot", "bot")}
    up = [
        (one, other)
        for one, other in pairs
        if folder(one) in KERNEL and folder(other).startswith("features.")
    ]
    beside = [
        (one, other)
        for one, other in pairs
        if folder(one) != folder(other)
        and folder(one).startswith("features.")
        and folder(other).startswith("features.")
    ]
    lengths, docs = functions(), docstrings()
    processes, seams = speaking_of_processes(), implementors()
    figures = {
        "bot_lines": lines("bot"),
        "play_lines": lines("bot/play"),
        "school_lines": lines("school"),
        "club_lines": lines("club"),
        "product_lines": lines(*PRODUCT),
        "tests_lines": lines("tests"),
        "import_lines": import_lines(),
        "joining_lines": joining_lines(),
        "folders_in_a_circle": circle({pair for pair in between if pair[0] != pair[1]}),
        "kernel_feature_pairs": len(up),
        "feature_pairs": len(beside),
        "places_of_features": len(seams),
        "places_with_one_feature": sum(count == 1 for count in seams.values()),
        "private_library_places": library_places(),
        "process_lines": processes.total(),
        "process_files": len(processes),
        "longest_file": max(text(path).count("\n") for path in sources(*PRODUCT)),
        "function_p90_lines": lengths[len(lengths) * 9 // 10],
        "docstrings": len(docs),
        "asking_docstrings": sum(one.split()[0] in ASKING for one in docs),
        "document_words": sum(len(text(path).split()) for path in files("*.md")),
        "architecture_words": len(text(ROOT / "ARCHITECTURE.md").split()),
    }
    print(result_line("structure", figures))


if __name__ == "__main__":
    main()

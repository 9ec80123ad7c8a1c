"""Make the website of the package `dvonn` from its docstrings, as files for any web host.

    .venv/bin/python docs/make_site.py FOLDER

needs Zensical and mkdocstrings, whose versions are in locks/site.txt. The texts of the pages are in
the code: in the tutorial and the programs of this folder, and in the docstrings of the modules.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
MODULES: Final = {
    "The game": (
        *("Position", "Phase", "Move", "Color", "Piece", "PIECE_COUNTS", "POINTS", "Point"),
        *("COLUMNS", "ROWS", "DIRECTIONS", "column_row", "point_at", "neighbours", "distance"),
    ),
    "Errors": (
        *("DvonnError", "IllegalMoveError", "Reason", "NotationError", "NotationProblem"),
        *("PositionError", "PositionProblem", "UnknownColorError", "UnknownPointError"),
        *("RecordError", "RecordProblem", "DiagramError", "DiagramProblem", "LinkError"),
        *("LinkProblem", "PositionTextError", "PositionTextProblem"),
    ),
    "Texts": (
        *("parse_point", "position_from_text", "position_to_text"),
        *("parse_move", "parse_moves", "format_move", "Coordinates", "from_diagram", "to_diagram"),
        *("GameRecord", "Node", "formats", "link", "svg"),
    ),
    "Numbers": ("actions", "arrays", "batch", "hashing", "symmetries", "perft", "simulation"),
    "Boards": ("starts", "even_boards", "puzzles"),
    "The engine": (
        *("engine", "machine", "reviews", "reviews.review", "engine.uci", "engine.client"),
        *("engine.conformance", "engine.matches.command", "engine.jsonlines", "engine.selfplay"),
    ),
    "Learning": (
        *("gym", "gym.dvonn_v0", "gym.solo", "gym.vector", "gym.players", "gym.openspiel"),
    ),
}
"""The modules and names of each page, by their names in the package."""

_EXAMPLE: Final = re.compile(r'^( *)>>> .*\n(?:(?! *"""| *$).*\n)*', re.MULTILINE)

_CONFIG: Final = """\
[project]
site_name = "dvonn"
docs_dir = "pages"
site_dir = "site"
nav = {nav}
[project.plugins.mkdocstrings.handlers.python]
paths = ["."]
[project.plugins.mkdocstrings.handlers.python.options]
docstring_style = "google"
show_source = false
show_if_no_docstring = false
show_root_heading = true
show_root_full_path = true
show_signature_annotations = true
separate_signature = true
members_order = "source"
heading_level = 2
[project.markdown_extensions.pymdownx.superfences]
[project.markdown_extensions.pymdownx.highlight]
[project.markdown_extensions.tables]
"""


def pages() -> dict[str, str]:
    """Return the Markdown of each page, by its title."""
    readme = (ROOT / "dvonn" / "README.md").read_text(encoding="utf-8")
    programs = sorted((ROOT / "docs" / "programs").glob("*.py"))
    return {
        "dvonn": readme,
        "Tutorial": markdown_of((ROOT / "docs" / "tutorial.py").read_text(encoding="utf-8")),
        "Programs": "# Programs\n\n" + "\n".join(map(_program, programs)),
        **{title: _reference(title, names) for title, names in MODULES.items()},
    }


def markdown_of(program: str) -> str:
    """Return a program as Markdown: its unindented comments as text, and the rest as code."""
    doc, _, rest = program.removeprefix('"""').partition('"""\n')
    title, _, introduction = doc.partition("\n")
    parts = [f"# {title}", introduction.strip()]
    for block in re.split(r"\n{2,}(?=# )", rest.strip()):
        lines = block.split("\n")
        words = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
        parts.append("\n".join(line[1:].removeprefix(" ") for line in lines[:words]))
        if code := "\n".join(lines[words:]).strip():
            parts.append(f"```python\n{code}\n```")
    return "\n\n".join(filter(None, parts)) + "\n"


def fenced(source: str) -> str:
    """Return a module with its examples in code fences. Markdown would treat them as quotations."""
    return _EXAMPLE.sub(r"\1```pycon\n\g<0>\1```\n", source)


def _program(path: Path) -> str:
    return f"## {path.stem}\n\n```python\n{path.read_text(encoding='utf-8')}```\n"


def _reference(title: str, names: Sequence[str]) -> str:
    parts = [f"# {title}"]
    parts += [f"::: dvonn.{name}" for name in names]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pages, and return the exit status of the HTML generator."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder.resolve()
    with tempfile.TemporaryDirectory() as build:
        source = Path(build) / "pages"
        source.mkdir()
        names = {}
        for number, (title, text) in enumerate(pages().items()):
            names[title] = f"{title.lower().replace(' ', '-')}.md" if number else "index.md"
            (source / names[title]).write_text(text, encoding="utf-8")
        nav = ", ".join(f'{{"{title}" = "{name}"}}' for title, name in names.items())
        for path in (ROOT / "dvonn").rglob("*.py"):
            copy = Path(build) / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(fenced(path.read_text(encoding="utf-8")), encoding="utf-8")
        config = _CONFIG.format(nav=f"[{nav}]")
        (Path(build) / "zensical.toml").write_text(config, encoding="utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--clean"]
        status = subprocess.run(command, cwd=build, check=False).returncode  # noqa: S603 - ours
        if not status:
            shutil.copytree(Path(build) / "site", folder, dirs_exist_ok=True)
        return status


if __name__ == "__main__":
    sys.exit(main())

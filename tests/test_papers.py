"""Tests for the documents: their examples run, and their links, settings and names exist."""

import ast
import doctest
import os
import re
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import discord
import pytest
from discord.app_commands import Command, ContextMenu, Group
from dotenv import dotenv_values

import bot
from bot.base.config import Settings, load_settings
from bot.base.languages import reader_for
from bot.client.command_tree import command_tree
from bot.play.handlers.interactions import ServicesClient
from club.ratings.model import LEVELS
from demo.local import HOST, PORT
from dvonn import GameRecord
from dvonn.machine import VERSION
from dvonn_lessons.primer import HANDBOOK
from tests.renderer.conftest import PIXEL_TOLERANCE, SHARE_TOLERANCE
from tests.renderer.seeing import picture, side_by_side

ROOT = Path(__file__).resolve().parents[1]
PAPERS = [
    path
    for name in ("*.md", "docs/*.md", "docs/data/*.md", "dvonn/*.md", "dvonn_lessons/*.md")
    for path in sorted(ROOT.glob(name))
]


def read_page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["README.md", "dvonn/README.md", "dvonn_lessons/README.md", "docs/pictures.md"]
)
def test_the_readmes_example_runs(name: str) -> None:
    failures, attempted = doctest.testfile(str(ROOT / name), module_relative=False)

    assert attempted > 3
    assert failures == 0


def test_the_viewer_makes_an_animation_and_a_page(tmp_path: Path) -> None:
    text = read_page("docs/pictures.md")
    program = re.search(r"^```python\n(import.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert program is not None
    assert len(program[1].splitlines()) <= 15
    (tmp_path / "viewer.py").write_text(program[1], encoding="utf-8")
    (tmp_path / "game.txt").write_text(read_page("docs/game.txt"), encoding="utf-8")

    subprocess.run(
        [sys.executable, "viewer.py", "game.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )

    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF89a")
    assert "Ann – Bob" in (tmp_path / "game.html").read_text(encoding="utf-8")


def test_the_readme_stays_short_and_its_first_screen_has_the_commands() -> None:
    lines = read_page("README.md").splitlines()

    assert len(lines) <= 120
    first_screen = "\n".join(lines[:22])
    assert lines[0] == "# dvonn-bot"
    assert re.fullmatch(r"!\[.{40,}\]\(docs/start\.png\)", lines[2])
    assert f"http://{HOST}:{PORT}/" in first_screen
    assert "\n./run  " in first_screen
    assert "./run demo" in first_screen
    assert "./run test" in first_screen


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: str(paper.relative_to(ROOT)))
def test_every_link_within_the_project_leads_to_a_file_and_a_heading(paper: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", paper.read_text(encoding="utf-8"))

    for target in targets:
        if "://" not in target:
            name, _, anchor = target.partition("#")
            named = paper.parent / name if name else paper
            assert named.exists(), target
            assert not anchor or anchor in _anchors(named), target


@cache
def _anchors(paper: Path) -> set[str]:
    """Return the headings of a document, as GitHub writes them in links."""
    headings = re.findall(r"^#+ (.+)$", paper.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_nothing_claims_to_be_on_a_package_index() -> None:
    for paper in PAPERS:
        named = re.findall(r"pip install (?:--?[\w-]+ )*(\S+)", paper.read_text(encoding="utf-8"))
        assert all(item.lstrip("'\"").startswith((".", "/")) for item in named), (paper.name, named)


def test_the_papers_name_only_commands_that_the_launcher_has() -> None:
    shown = subprocess.run(
        [sys.executable, str(ROOT / "run"), "--help"], capture_output=True, text=True, check=True
    ).stdout
    known = set(re.findall(r"^  \./run ([a-z]+)", shown, re.MULTILINE))

    text = "\n".join(paper.read_text(encoding="utf-8") for paper in PAPERS)
    named = set(re.findall(r"(?:^|`)\./run ([a-z]+)", text, re.MULTILINE))
    assert {"demo", "test", "check"} <= named
    assert named <= known


def test_the_example_of_the_settings_names_each_with_its_default() -> None:
    text = read_page(".env.example")
    shown = dict(re.findall(r"^# ([A-Z_]+)=(.*)$", text, re.MULTILINE))

    fields = Settings.model_fields
    required = {name.upper() for name, field in fields.items() if field.is_required()}
    optional = {
        name.upper(): str(field.default)
        for name, field in fields.items()
        if not field.is_required()
    }
    assert shown == optional
    assert set(dotenv_values(ROOT / ".env.example")) == required


def test_the_example_settings_suffice_once_a_token_is_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    filled = re.sub(r"^# (?=[A-Z_]+=)", "", read_page(".env.example"), flags=re.MULTILINE)
    filled = filled.replace("DISCORD_TOKEN=", "DISCORD_TOKEN=a.b.c")
    (tmp_path / ".env").write_text(filled, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    settings = load_settings()

    assert settings.discord_token.get_secret_value() == "a.b.c"
    for name, field in Settings.model_fields.items():
        assert field.is_required() or getattr(settings, name) == field.default


async def test_every_command_and_option_is_described() -> None:
    tree = command_tree(ServicesClient(intents=discord.Intents.none()))
    paper = read_page("docs/commands.md")
    sections = dict(re.findall(r"^### (.+)\n((?:(?!^#).*\n)+)", paper, re.MULTILINE))

    commands = [command for command in tree.get_commands() if not isinstance(command, ContextMenu)]
    assert len(commands) >= 6
    described = [name for heading in sections for name in re.findall(r"`/([a-z]+)`", heading)]
    assert sorted(described) == sorted(command.name for command in commands)
    for command in commands:
        (text,) = (text for heading, text in sections.items() if f"`/{command.name}`" in heading)
        for name in named_in(command):
            # The options that /challenge shares with /play are described once.
            places = (text, sections["`/play`"]) if command.name == "challenge" else (text,)
            assert any(re.search(rf"[`*]{name}[`*]", place) for place in places), (
                command.name,
                name,
            )


def named_in(command: Command[Any, ..., Any] | Group) -> set[str]:
    """Return the names of a command's options, including those of its subcommands."""
    if isinstance(command, Command):
        return {str(parameter.display_name) for parameter in command.parameters}
    inner = [item for item in command.walk_commands() if isinstance(item, Command)]
    names = {item.qualified_name.removeprefix(f"{command.name} ") for item in inner}
    return names.union(*(named_in(item) for item in inner))


def test_the_readme_names_only_commands_that_there_are() -> None:
    described = set(re.findall(r"`/([a-z]+)`", read_page("docs/commands.md")))

    named = set(re.findall(r"`/([a-z]+)[^`]*`", read_page("README.md")))
    assert {"play", "challenge", "learn", "help"} <= named <= described


def test_the_example_game_is_a_record_that_the_library_writes() -> None:
    text = read_page("docs/game.txt")

    assert GameRecord.from_text(text).to_text() == text


def test_the_readmes_board_is_drawn_as_boards_are_drawn_today() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_pictures.py"))
    shown = picture((ROOT / "docs" / "board.png").read_bytes())

    _, share = side_by_side(shown, picture(script["board"]()), PIXEL_TOLERANCE)

    assert share <= SHARE_TOLERANCE, "draw it again: .venv/bin/python docs/make_pictures.py"


def test_the_handbook_is_written_as_pages_with_pictures(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_handbook.py"))
    script["write"](tmp_path, reader_for("it"))
    page = (tmp_path / "handbook.it.md").read_text(encoding="utf-8")
    shown = re.findall(r"^!\[[^\]]+\]\((\w+)\.it\.png\)$", page, re.MULTILINE)
    assert shown == list(HANDBOOK)
    assert all(picture((tmp_path / f"{word}.it.png").read_bytes()) for word in shown)
    assert "## Sacrificio" in page.splitlines()


@pytest.mark.parametrize("name", ["start.png", "sandbox.png"])
def test_the_readmes_pictures_of_the_page_are_light_and_wide(name: str) -> None:
    shown = (ROOT / "docs" / name).read_bytes()

    assert len(shown) <= 250_000
    assert picture(shown).width >= 1000


def test_the_ratings_of_the_levels_match_the_model() -> None:
    rows = {
        name: [int(number) for number in numbers.split()]
        for name, numbers in re.findall(
            r"^    (\w+) +([\d ]+)$", read_page("docs/ratings.md"), re.MULTILINE
        )
    }
    measured = LEVELS[VERSION]
    assert rows == {
        "level": list(range(1, len(measured) + 1)),
        "rating": [round(rating) for rating, _ in measured],
        "error": [round(error) for _, error in measured],
    }


def test_the_changelog_has_this_version() -> None:
    released = bot.__version__.removesuffix(".dev0") == bot.__version__
    assert (f"## [{bot.__version__}] - " in read_page("CHANGELOG.md")) is released


def test_the_architecture_names_every_folder_of_the_tree() -> None:
    drawn = re.search(r"## Overview\n+```\n(.*?)```", read_page("ARCHITECTURE.md"), re.DOTALL)
    assert drawn is not None
    named, top = set(), ""
    for indent, name in re.findall(r"^( {0,2})([a-z_]+)/? {2,}\S", drawn[1], re.MULTILINE):
        top = top if indent else name
        named.add(f"{top}/{name}" if indent else name)
    made = {line.rstrip("/") for line in read_page(".gitignore").splitlines()}
    tops = {path.name for path in ROOT.glob("[!.]*/") if path.is_dir() and path.name not in made}
    rooms = {
        f"{top}/{path.parent.name}"
        for top in ("bot", "school", "club", "dvonn")
        for path in ROOT.glob(f"{top}/*/*.py")
    }
    assert named - {"bot/__main__"} == tops | rooms


DRAWING = re.compile(r"(?i)(?<![a-z])(draws?|drew|drawn|drawing|drawer)(?![a-z])")
TIES = {"draw", "drawn", "is_draw", "is_drawn", "DRAW", "DRAWN", "Draw", "Drawn"}
"""The names of a tie. `Draw` is also Pillow's."""


@pytest.mark.parametrize("room", ["bot", "school", "club", "dvonn", "renderer"])
def test_a_draw_is_a_tie_in_all_names(room: str) -> None:
    for path in (ROOT / room).rglob("*.py"):
        assert not DRAWING.search(path.stem), path.name
        if not DRAWING.search(text := path.read_text(encoding="utf-8")):
            continue  # parsing all of them takes a second
        nodes = ast.walk(ast.parse(text))
        names = {
            getattr(node, kind, "") for node in nodes for kind in ("id", "name", "attr", "arg")
        }
        found = {name for name in names if isinstance(name, str) and DRAWING.search(name)}
        assert found <= TIES, path.name


def test_no_merge_was_committed_half_done() -> None:
    """Git leaves such lines in a file with conflicting changes."""
    mark = re.compile(rb"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in ROOT.iterdir():
        if folder.is_dir() and (folder.name[0] != "." or folder.name in {".ci", ".github"}):
            files += (path for path in folder.rglob("*") if path.is_file())
    written = [path for path in files if path.suffix not in {".png", ".pyc"}]
    assert len(written) > 1_000
    assert [str(path.relative_to(ROOT)) for path in written if mark.search(path.read_bytes())] == []

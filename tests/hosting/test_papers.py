"""Tests for the documents for hosts: settings, messages, permissions, tables, versions."""

import ast
import re
import runpy
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import discord
import pytest
import yaml
from sqlalchemy import make_url

from bot.base.config import Settings, load_settings, load_worker_settings
from bot.base.errors import StartError
from bot.composition import FEATURE_SET
from bot.connection.permissions import NEEDED, TO_OPEN_THREADS, to_play
from bot.connection.session import read_application, use_api
from bot.database.opening import create_engine, migrate
from bot.database.schema import is_written_by_people, metadata
from bot.operations.check import check
from sandbox import Sandbox
from tests import rooms

ROOT = Path(__file__).resolve().parents[2]
LOUD = {"warning", "error", "exception", "critical"}


def read_page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove the settings of this machine, and any .env."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def test_every_setting_is_explained_with_its_default() -> None:
    rows = re.findall(
        r"^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$", read_page("hosting.md"), re.MULTILINE
    )
    shown = {name: default.strip("`") for name, default, _ in rows}

    assert shown == {
        name.upper(): "none, needed" if field.is_required() else str(field.default) or "none"
        for name, field in Settings.model_fields.items()
    }
    told = {name: words for name, _, words in rows}
    for name, field in Settings.model_fields.items():
        choices = getattr(field.annotation, "__members__", {})
        for choice in choices.values():
            assert f"`{choice}`" in told[name.upper()]


async def test_checks_output_matches_the_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    async with Sandbox(bot_name="DVONN") as world:
        monkeypatch.setenv("DISCORD_TOKEN", world.token)
        monkeypatch.setattr("discord.http.Route.BASE", discord.http.Route.BASE)  # restored later
        use_api(world.api_url)
        monkeypatch.setattr(
            "bot.features.machine.startup.machine_is_installed", lambda: True
        )  # as most hosts have it
        assert await check(load_settings(), FEATURE_SET.checks) == 0
    printed = capsys.readouterr().out.replace(str(world.application.id), "123456789012345678")
    printed = printed.replace(str(tmp_path), "/home/you/dvonn-bot")

    assert f"\n```\n{printed}```\n" in read_page("hosting.md")


def test_the_paper_names_every_permission_and_their_number() -> None:
    played = {*to_play(discord.ChannelType.text).values(), *TO_OPEN_THREADS.values()}
    names = {*played, "Add Reactions", "Create Events"}

    asked = " ".join(read_page("hosting.md").split())
    told = asked.partition(f"`{NEEDED.value}`, which are ")[2].partition(". ")[0]
    assert set(re.split(", and |, ", told)) == names
    table = read_page("troubleshooting.md").partition("| Missing |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| ([A-Z][\w ]+) \|", table, re.MULTILINE)) == names


def entries() -> list[str]:
    """Return the messages that docs/troubleshooting.md explains. … stands for anything."""
    text = read_page("troubleshooting.md")
    heads = re.findall(r"^- ((?:`[^`]+`\s*(?:,|or|and|$)?\s*)+)", text, re.MULTILINE)
    return [" ".join(phrase.split()) for head in heads for phrase in re.findall(r"`([^`]+)`", head)]


def matches(entry: str, line: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, entry.split("…"))), line) is not None


@cache
def written_in_the_code() -> tuple[str, ...]:
    """Return every text in the bot, launcher and engine cache, with … for placeholders."""
    files = [*rooms.sources(), ROOT / "run", ROOT / "dvonn/engine/cache.py"]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return tuple(text for node in nodes if (text := _text(node)) is not None)


def _text(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return re.sub(r"\{\w*\}|%s", "…", text)
        case ast.JoinedStr(values=values):
            return "".join(_text(value) or "…" for value in values)
        case ast.Call(func=ast.Name(id="ConfigError"), args=[setting, problem]):
            return f"{_text(setting) or '…'} {_text(problem) or '…'}"
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return f"{_text(left) or '…'}{_text(right) or '…'}"
        case _:
            return None


def loud_lines() -> Iterator[str]:
    """Return the warnings and errors that the bot logs, in all rooms."""
    for file in rooms.sources():
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="_log"), attr=level),
                    args=[ast.Constant(value=str(text)), *_],
                ) if level in LOUD:
                    yield text


def test_every_warning_of_the_log_is_explained() -> None:
    lines = list(loud_lines())

    assert len(lines) > 10
    assert [line for line in lines if line not in entries()] == []


WRONG_SETTINGS = [
    {},
    {"DISCORD_TOKEN": "two words"},
    {"DISCORD_TOKEN": "'x'"},
    {"DISCORD_TOKEN": "a\nb"},
    {"DATABSE_URL": "x"},
    {"DATABASE_URL": "sqlite://d.sqlite3"},
    {"DATABASE_URL": "sqlite://"},
    {"DATABASE_URL": "sqlite:///d?x=1"},
    {"DATABASE_URL": "postgresql://u:p@ss@h/d"},
    {"DATABASE_URL": "postgresql://h:99999/d"},
    {"DISCORD_API_URL": "https://u:p@h"},
    {"METRICS_HOST": "a/b"},
    {"HTTPS_PROXY": "socks5://h:1"},
    {"DATABASE_URL": "dvonn"},
    {"DATABASE_URL": "mysql://host/name"},
    {"MESSAGE_CONTENT": "perhaps"},
    {"LOG_LEVEL": "loud"},
    {"LOG_FORMAT": "xml"},
    {"DISCORD_API_URL": "discord.com"},
    {"METRICS_PORT": "high"},
    {"MACHINE": "perhaps"},
    {"MACHINE": "queue"},
    {"MACHINE_SEARCHES": "0"},
    {"REQUESTS_PER_SECOND": "-1"},
    {"SHARDS": "2/2"},
    {"SHARDS": "0/2"},
    {"MACHINE": "queue"},
    {"REQUESTS_PER_SECOND": "many"},
    {"KEEP_PLAYERS": "0"},
]


def refused_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the message about each wrong setting."""
    for wrong in WRONG_SETTINGS:
        with monkeypatch.context() as patch:
            for name, value in ({"DISCORD_TOKEN": "x"} | wrong if wrong else {}).items():
                patch.setenv(name, value)
            with pytest.raises(StartError) as refused:
                load_settings()
            yield str(refused.value)
    with monkeypatch.context() as patch:
        patch.setenv("DATABASE_URL", "sqlite:///dvonn.sqlite3")
        with pytest.raises(StartError) as refused:
            load_worker_settings()
        yield str(refused.value)
        patch.setattr("bot.base.config.queue_is_installed", lambda: False)
        patch.setenv("DATABASE_URL", "postgresql://localhost/dvonn")
        patch.setenv("DISCORD_TOKEN", "x")
        patch.setenv("MACHINE", "queue")
        for load in (load_settings, load_worker_settings):
            with pytest.raises(StartError) as refused:
                load()
            yield str(refused.value)


async def refused_databases(folder: Path) -> list[str]:
    """Yield the messages about databases that the bot can't use."""
    (folder / "notes.sqlite3").write_text("no database " * 100)
    cut_short = folder / "damaged.sqlite3"
    with closing(sqlite3.connect(cut_short)) as connection:
        connection.execute("CREATE TABLE things AS SELECT randomblob(100000)")
    cut_short.write_bytes(cut_short.read_bytes()[:50_000])
    closed = "127.0.0.1:1"
    said = []
    for address in (
        "sqlite+aiosqlite:////nowhere/dvonn.sqlite3",
        "sqlite+aiosqlite:////",
        f"sqlite+aiosqlite:///{folder}/notes.sqlite3",
        f"sqlite+aiosqlite:///{cut_short}",
        f"postgresql+asyncpg://{closed}/dvonn",
    ):
        engine = create_engine(make_url(address))
        with pytest.raises(StartError) as refused:
            await migrate(engine)
        await engine.dispose()
        said.append(str(refused.value))
    return said


async def refused_logins(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Yield the messages if Discord refuses the bot."""
    monkeypatch.setattr("discord.http.Route.BASE", discord.http.Route.BASE)  # restored later
    said = []
    async with Sandbox() as world:
        use_api(world.api_url)
        with pytest.raises(StartError) as refused:
            await read_application("wrong")
        said.append(str(refused.value))
    with pytest.raises(StartError) as refused:
        await read_application("wrong")
    return [*said, str(refused.value)]


@pytest.mark.thorough("each refusal is made, which have tests of their own; of words alone")
async def test_every_reason_not_to_start_is_explained_in_the_same_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = [
        *refused_settings(monkeypatch),
        *await refused_databases(tmp_path),
        *await refused_logins(monkeypatch),
    ]

    assert [line for line in said if not any(matches(entry, line) for entry in entries())] == []
    # Every explained text is printed by the code. The part after a database's colon is the
    # database's.
    templates = [text for text in written_in_the_code() if text.strip("… ")]
    foreign = "DATABASE_URL (…) cannot be used: attempt to write a readonly database"
    unsaid = [
        entry
        for entry in entries()
        if not any(matches(entry, line) for line in said)
        and not any(_occurs(entry, text) for text in templates)
    ]
    assert unsaid == [foreign]


def _occurs(entry: str, template: str) -> bool:
    """Return True if a text in the code prints an entry, perhaps among more lines."""
    pattern = r".*".join(map(re.escape, entry.strip("…").split("…")))
    return re.search(pattern, template) is not None


def test_the_privacy_page_names_every_table_once() -> None:
    table = read_page("privacy.md").partition("| Data |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", table)

    assert sorted(named) == sorted(["alembic_version", *metadata.tables])


def test_the_list_of_columns_marks_users() -> None:
    """The privacy page refers to it."""
    listed = runpy.run_path(str(ROOT / "docs" / "make_tables.py"))["column_list"]()

    assert "\nblocks: player_id*, blocked_id*\n" in listed
    assert re.findall(r"^(\w+): ", listed, re.MULTILINE) == sorted(metadata.tables)


def test_only_numbers_times_and_single_words_are_kept() -> None:
    longest = {
        f"{table.name}.{column.name}": column.type.length
        for table in metadata.tables.values()
        for column in table.columns
        if hasattr(column.type, "length") and not is_written_by_people(column)
    }

    assert longest
    # A person's name or a message's text would need more. Longer columns are made by the bot.
    assert {name: length for name, length in longest.items() if length is None or length > 9} == {
        "challenges.clock": 60,  # "3d+1d/3d~Europe/Berlin"
        "challenges.position": 90,  # the stacks, to play on from there
        "games.clock": 60,
        "games.board": 160,  # the board
        "guild_settings.clock": 60,
        "tournaments.clock": 60,
        "studies.start": 24,  # a checksum of the stacks
        "acts.kind": 32,  # "block"
        "games.outcome": 11,  # "resignation"
        "events.kind": 20,  # "takeback"
        "deliveries.kind": 20,  # "reminder"
        "deliveries.key": 80,  # numbers: a reminder's game, turn and level
        "plans.spaces": 200,  # names of spaces
        "reviews.engine": 40,  # "0.1.0"
        "players.zone": 40,  # one of the tz database
        "players.remind_at": 20,  # "half day hour"
        "players.language": 12,  # "pt-BR"
        "players.theme": 20,  # "slate"
        "guild_settings.language": 12,
        "guild_settings.theme": 20,
        "channel_settings.language": 12,
        "channel_settings.theme": 20,
        "deletions.person": 64,  # a checksum
        "lessons.step": 20,  # "surrounded"
        "given_puzzles.puzzle": 24,  # the id of one of our puzzles
        "daily_settings.zone": 40,
        "daily_puzzles.day": 10,  # "2026-11-22"
        "daily_answers.day": 10,
    }


def test_the_privacy_page_lists_the_texts_that_people_write() -> None:
    columns = [column for table in metadata.tables.values() for column in table.columns]
    page = " ".join(read_page("privacy.md").split())
    listed = page.partition("The only texts that it stores are ")[2].partition(". ")[0]

    texts = re.split(", and |, ", listed)
    assert len(texts) == sum(map(is_written_by_people, columns)), "list each in docs/privacy.md"


def test_the_supported_pythons_are_those_that_ci_tests() -> None:
    project, game = (
        tomllib.loads((ROOT / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for name in ("", "dvonn")
    )
    ci = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    tested = ci["jobs"]["check"]["strategy"]["matrix"]["python"]
    elsewhere = ci["jobs"]["portable"]["strategy"]["matrix"]
    words = " ".join(read_page("SUPPORT.md").split())

    oldest = project["requires-python"].removeprefix(">=")
    assert tested[0] == oldest
    assert f"**Versions of Python**: {oldest} and newer." in words
    listed = f"{', '.join(tested[:-1])} and {tested[-1]}"
    assert f"Every change is tested with {listed} on Linux." in words
    assert elsewhere == {"system": ["macos", "windows"], "python": [oldest, tested[-1]]}
    assert "On macOS and Windows, the game, its pictures, the machine player" in words
    assert f"are tested with {oldest} and {tested[-1]}." in words
    assert f"Python {oldest} or newer" in read_page("hosting.md")
    for row in (project, game):
        assert row["requires-python"] == f">={oldest}"
        named = [words.rpartition(" ")[2] for words in row["classifiers"] if ":: 3." in words]
        assert named == tested


TO_BE_MADE = (
    "bot/base/locales/LANGUAGE/",
    "bot/database/migrations/versions/NUMBER_",
    "bot/features/score/",
)
"""Beginnings of paths that the pages show how to add."""


def test_files_that_the_papers_name_exist() -> None:
    for path in sorted((ROOT / "docs").glob("*.md")):
        for named in re.findall(
            r"(?<![\w/.-])((?:deploy|docs|bot|locks)/[\w./@-]+\w)", path.read_text("utf-8")
        ):
            assert named.startswith(TO_BE_MADE) or (ROOT / named).exists(), (path.name, named)

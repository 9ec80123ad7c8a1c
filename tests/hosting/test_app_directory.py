"""Tests for the texts and pictures for Discord's App Directory."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import discord
import pytest
from PIL import Image

from bot.base.languages import languages, reader_for
from bot.client.command_tree import command_tree
from bot.connection.permissions import TO_OPEN_THREADS, to_play
from bot.play.handlers.interactions import ServicesClient

ROOT: Final = Path(__file__).resolve().parents[2]
TEXTS: Final = tomllib.loads((ROOT / "deploy/app_directory.toml").read_text(encoding="utf-8"))
LANGUAGES: Final = {locale.partition("-")[0]: locale for locale in languages()}
MOST: Final = {"summary": 200, "description": 400, "overview": 2_000, "install": 2_000}
"""Maximum number of characters. Discord names none for the overview."""


def command_names(locale: str) -> dict[str, str]:
    """Return the English names of all commands, by their names in a language."""
    tree = command_tree(ServicesClient(intents=discord.Intents.none()))
    reader = reader_for(locale)
    names = [command.name for command in tree.get_commands()]
    return {reader.pgettext("command", name): name for name in names}


def test_there_are_texts_in_each_language_of_the_bot() -> None:
    assert set(TEXTS) == {"tags", *LANGUAGES}
    assert all(set(TEXTS[language]) == set(MOST) for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_are_as_short_as_discord_asks(language: str) -> None:
    for name, most in MOST.items():
        text = TEXTS[language][name]
        assert 0 < len(text) <= most, name
        assert text == text.strip()
    assert "\n" not in TEXTS[language]["summary"]


def test_the_tags_are_as_discord_asks() -> None:
    tags = TEXTS["tags"]
    assert 1 <= len(tags) == len(set(tags)) <= 5
    assert all(0 < len(tag) <= 20 for tag in tags)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_name_commands_as_people_see_them(language: str) -> None:
    names = command_names(LANGUAGES[language])
    for name in MOST:
        named, english = (
            re.findall(r"`/([^`\s]+)`", TEXTS[each][name]) for each in (language, "en")
        )
        assert [names[command] for command in named] == english, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_name_each_permission(language: str) -> None:
    reader = reader_for(LANGUAGES[language])
    needed = {*to_play(discord.ChannelType.text).values(), *TO_OPEN_THREADS.values()}
    for permission in sorted(needed):
        assert f"*{reader.gettext(permission)}*" in TEXTS[language]["install"], permission


def test_the_page_states_the_limits() -> None:
    page = (ROOT / "docs/app-directory.md").read_text(encoding="utf-8")
    for name in ("summary", "description"):
        assert re.search(
            rf"^\| `{name}\.txt` \|.*\| {MOST[name]} characters \|$", page, re.MULTILINE
        )
    assert "| 5 tags of 20 characters |" in page


@pytest.mark.thorough("a bot plays for each picture, and Chromium photographs it")
def test_the_script_writes_the_texts_and_five_pictures(tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="Playwright is not installed")
    from tests.page.browser import find_chromium  # noqa: PLC0415 - without Playwright it fails

    if find_chromium() is None:
        pytest.skip("there is no Chromium here")
    script = [sys.executable, "docs/make_listing.py", str(tmp_path), "fr"]
    subprocess.run(script, cwd=ROOT, check=True)
    pictures = sorted((tmp_path / "fr").glob("*.png"))
    assert [picture.name[0] for picture in pictures] == list("12345")
    for picture in pictures:
        with Image.open(picture) as opened:
            assert opened.size == (1920, 1080)
    assert (tmp_path / "fr" / "summary.txt").read_text("utf-8").strip() == TEXTS["fr"]["summary"]

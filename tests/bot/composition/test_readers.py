"""Tests that every text is made for its reader: no English in other languages."""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from discord import AppCommandType, Intents
from PIL import Image

from bot.base.errors import InputError, PlayError
from bot.base.languages import IN_ENGLISH, Reader, reader_for
from bot.client.command_tree import command_tree
from bot.connection.command_registration import Translator
from bot.connection.posts import CONTENT_LIMIT, FormWords, Option, Post
from bot.play.handlers.interactions import ServicesClient
from bot.play.model.refusals import NotKept
from bot.play.words.boards import board_view
from bot.play.words.notices import play_on_answer
from bot.play.words.pictures import Picture, look_of
from renderer import DEFAULT, WOOD, render
from tests import rooms
from tests.bot.composition.catalogues import in_messages, sentence, template, write_catalogue
from tests.bot.composition.example_texts import (
    EXAMPLE_TEXTS,
    functions_with_texts,
    is_of_words,
    refusals,
)
from tests.bot.composition.pseudo import SPOKEN_BY_NOBODY, Pseudo, accented, plain_words, texts
from tests.bot.play.example_texts import GAME
from tests.bot.replayed import play, started

CATALOGUE = Pseudo()
"""A catalogue that remembers every requested sentence."""


@cache
def pseudo_texts(name: str) -> object:
    """Return a function's texts for a reader of the pseudo-language."""
    return EXAMPLE_TEXTS[name](Reader(SPOKEN_BY_NOBODY, CATALOGUE))


def speakers() -> set[str]:
    """The functions that make texts and are used by other modules."""
    return {
        name
        for name, made in functions_with_texts().items()
        if "reader" in (given := inspect.signature(made).parameters)
        and not {"error", "_"} & given.keys()  # the texts of refusals come from one function
    }


def test_every_function_that_makes_words_is_run_here() -> None:
    assert speakers() <= set(EXAMPLE_TEXTS)


@pytest.mark.later(
    "all that can be said is said, 5 s; a release's catalogue is compared with the sources"
)
@pytest.mark.parametrize("name", sorted(EXAMPLE_TEXTS))
def test_nothing_stays_english_in_other_languages(name: str) -> None:
    for text in texts(pseudo_texts(name)):
        assert plain_words(text) == [], text
        assert "{" not in text


@pytest.mark.later(
    "all that can be said is said, 5 s; a release's catalogue is compared with the sources"
)
@pytest.mark.parametrize(
    "name",
    sorted(
        {"clock_choices", "legal_moves", "picker", "profile_shown", "replay"} & set(EXAMPLE_TEXTS)
    ),
)
def test_composed_texts_have_french_spaces(name: str) -> None:
    for text in texts(EXAMPLE_TEXTS[name](reader_for("fr"))):
        assert not re.search(r"[^\s\N{NARROW NO-BREAK SPACE}]:(?=\s|$)", text), text


_CONTEXT = re.compile(r"^(?:chance|choice|move|piece) ")


@pytest.mark.later(
    "all that can be said is said, 5 s; a release's catalogue is compared with the sources"
)
def test_every_sentence_of_the_sources_is_covered_above() -> None:
    for name in EXAMPLE_TEXTS:
        pseudo_texts(name)
    choices = {_CONTEXT.sub("", item) for item in CATALOGUE.asked}
    assert {form for message in in_messages() for form in forms(message.id)} <= choices


def forms(words: object) -> list[str]:
    return [words] if isinstance(words, str) else [str(word) for word in words]  # type: ignore[attr-defined]


def kinds(error: type[PlayError]) -> Iterator[type[PlayError]]:
    yield error
    for subclass in error.__subclasses__():
        yield from kinds(subclass)


def test_every_refusal_is_covered_above() -> None:
    errors = {kind for kind in kinds(PlayError) if kind.__module__.split(".")[0] in rooms.ROOMS}
    assert errors - {type(error) for error in refusals()} == {PlayError, InputError, NotKept}


@pytest.mark.later(
    "all that can be said is said, 5 s; a release's catalogue is compared with the sources"
)
def test_stored_lines_are_listed_one_below_the_other() -> None:
    _, lines = texts(pseudo_texts("plan_kept"))
    assert [line[:2] for line in lines.splitlines()[1:]] == ["1.", "2.", "3."]


@pytest.mark.later(
    "all that can be said is said, 5 s; a release's catalogue is compared with the sources"
)
@pytest.mark.parametrize("name", sorted(EXAMPLE_TEXTS))
def test_longer_languages_stay_within_discords_limits(name: str) -> None:
    faults = [fault for item in each(pseudo_texts(name)) for fault in too_long(item)]
    assert faults == []


def each(what: object) -> Iterator[object]:
    """Return the single posts, options and texts."""
    if isinstance(what, list | tuple):
        for item in what:
            yield from each(item)
    else:
        yield what


def too_long(what: object) -> Iterator[str]:
    """Return the faults for which Discord would refuse a post, option, form or text."""
    lengths: list[tuple[str | None, int]] = []
    match what:
        case Post():
            lengths = [(what.content, CONTENT_LIMIT)]
            lengths += [(button.label, 80) for button in what.buttons]
            lengths += [(picture.alt_text, 1_024) for picture in what.pictures]
            beside = [what.footnote, *(section.text for section in what.sections)]
            lengths.append((what.content + "".join(beside), 2 * CONTENT_LIMIT))
            if what.file is not None:
                lengths.append((what.file.alt_text, 1_024))
            for select in what.selects:
                lengths.append((select.placeholder, 150))
                yield from (fault for option in select.options for fault in too_long(option))
        case Option():
            lengths = [(what.label, 100), (what.description, 100)]
        case FormWords():
            lengths = [(what.title, 45), (what.label, 45), (what.placeholder, 100)]
        case str():
            lengths = [(what, CONTENT_LIMIT)]
    yield from (text for text, limit in lengths if text is not None and len(text) > limit)


def test_words_that_are_too_long_for_a_picture_are_cut() -> None:
    class Wordy(NullTranslations):
        def gettext(self, message: str) -> str:
            return message * 9

    post = board_view(Reader(SPOKEN_BY_NOBODY, Wordy()), play(started(), *GAME[:60])[0])
    assert post.picture is not None
    assert len(post.picture.alt_text) == 1_024
    assert post.picture.alt_text.endswith("…")


def test_readers_of_missing_languages_get_english(tmp_path: Path) -> None:
    write_catalogue(tmp_path, "pt_BR", sentence("OK, play on."), lambda _: "Feito.")
    write_catalogue(tmp_path, "de", sentence("OK, play on."), lambda _: "Getan.")
    heard = {
        locale: play_on_answer(reader_for(locale, tmp_path)).content
        for locale in ("pt-BR", "de", "de-AT", "en-GB", "fr", "../de", "")
    }
    assert heard == {
        "pt-BR": "Feito.",
        "de": "Getan.",
        "de-AT": "Getan.",
        "en-GB": "OK, play on.",
        "fr": "OK, play on.",
        "../de": "OK, play on.",
        "": "OK, play on.",
    }


@pytest.fixture
def catalogues(tmp_path: Path) -> Path:
    """A folder with one more language: a Greek catalogue that only adds accents."""
    write_catalogue(tmp_path, "el", template(), accented)
    return tmp_path


@pytest.mark.later("each command in a language of accents; the catalogues show it with real ones")
async def test_one_file_makes_the_commands_speak_another_language(catalogues: Path) -> None:
    tree, translator = command_tree(ServicesClient(intents=Intents.none())), Translator(catalogues)
    payloads = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    named = list(parts(payloads))
    assert len(named) > 80
    for part in named:
        name = part["name_localizations"]["el"]
        assert plain_words(name) == []
        in_a_menu = {AppCommandType.message.value, AppCommandType.user.value}
        # An option's type differs from a command's. Menus have neither options nor a description.
        plain = "value" in part or (part["type"] in in_a_menu and "description" not in part)
        assert plain or (re.fullmatch(r"[-_'\w]{1,32}", name) and name == name.lower())
        if "description" in part:
            assert plain_words(part["description_localizations"]["el"]) == []
    assert all(set(part["name_localizations"]) == {"el"} for part in named)


async def test_invalid_translations_stay_english(tmp_path: Path) -> None:
    write_catalogue(tmp_path, "el", template(), lambda text: f"{text} " * 12)
    tree, translator = command_tree(ServicesClient(intents=Intents.none())), Translator(tmp_path)
    for command in tree.get_commands():
        for part in parts([await command.get_translated_payload(tree, translator)]):
            assert part.get("name_localizations", {}) == {} or "value" in part
            told = (*part.get("description_localizations", {}).values(),)
            assert all(len(text) <= 100 for text in told)


def parts(payloads: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return commands, subcommands, options and choices."""
    for part in payloads:
        yield part
        yield from parts([*part.get("options", []), *part.get("choices", [])])


@pytest.mark.later(
    "all that can be said is said, 5 s; a release's catalogue is compared with the sources"
)
def test_all_that_is_written_in_the_sources_goes_through_the_reader() -> None:
    sentence = re.compile(r"[A-Z][a-z]+ [a-z]+|[a-z]+ [a-z]+ [a-z]+")
    for path in sorted(source for source in rooms.sources() if is_of_words(source)):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        excused = {id(doc) for node in ast.walk(tree) for doc in told_or_docs(node)}
        left = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in excused
            and sentence.search(node.value)
        ]
        assert left == [], path.name


def told_or_docs(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the strings in calls of gettext, and docstrings."""
    if isinstance(node, ast.Expr):
        yield node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from node.args if node.func.attr in {"gettext", "ngettext", "pgettext"} else ()


# Looks


def test_pictures_still_look_the_same() -> None:
    assert look_of(IN_ENGLISH) == DEFAULT


def test_a_picture_has_its_readers_theme_and_language() -> None:
    theme = replace(WOOD, canvas=(200, 180, 150))
    picture = board_view(Reader(SPOKEN_BY_NOBODY, Pseudo(), theme), started()).picture
    assert isinstance(picture, Picture)
    assert picture.look.theme is theme
    assert plain_words(picture.look.words.agreed) == []
    image = Image.open(
        BytesIO(render(picture.position, coordinates=picture.coordinates, look=picture.look))
    )
    assert image.convert("RGB").getpixel((0, 0)) == theme.canvas

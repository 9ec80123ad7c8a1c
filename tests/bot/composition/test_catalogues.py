"""Tests for the catalogues: complete, well-formed, and within Discord's lengths."""

import re
import shutil
import sys
from collections.abc import Iterator
from datetime import timedelta
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, write_po
from discord import AppCommandType, Intents, Locale

import dvonn
from bot.base import formats
from bot.base.languages import (
    CATALOGUES,
    IN_ENGLISH,
    Reader,
    _formats,
    catalogues,
    read_catalogue,
    read_languages,
    reader_for,
)
from bot.base.spelling import move_among_courtesies
from bot.client.command_tree import command_tree
from bot.connection.command_registration import Translator
from bot.people.words.setup import settings
from bot.play.handlers.interactions import ServicesClient
from bot.play.model.terms import GuildRules
from bot.play.words.notices import play_on_answer
from bot.play.words.pictures import diagram
from dvonn import Coordinates, Position
from tests.bot.composition.catalogues import SCRIPT, sentence, template, write_catalogue
from tests.bot.composition.example_texts import EXAMPLE_TEXTS
from tests.bot.composition.test_readers import each, parts, too_long

ROOT = Path(__file__).resolve().parents[3]
LANGUAGES = sorted(catalogues())
UNITS = [timedelta(**{unit: 2}) for unit in ("days", "hours", "minutes", "seconds")]
_LINE = re.compile(r"\*\*Languages:\*\* English.*")
_NAMED = re.compile(r"\w+ \(`(\w+)`(, in part)?\)")
PROMISED = dict(_NAMED.findall(_LINE.findall((ROOT / "README.md").read_text(encoding="utf-8"))[0]))
"""The languages in the README, with its notes on incomplete ones."""


def catalogue_in(language: str) -> Catalog:
    made: Catalog = SCRIPT["read"](catalogues()[language])
    return made


def test_the_readme_names_each_language() -> None:
    assert sorted(PROMISED) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_well_formed_and_a_release_as_complete_as_the_readme_says(
    language: str,
) -> None:
    """Between releases a sentence may be untranslated. `docs/catalogues.py` reports it."""
    assert SCRIPT["faults"](catalogue_in(language), template()) == []
    if is_release(dvonn.__version__):
        lacking = SCRIPT["missing"](catalogue_in(language), template())
        assert bool(PROMISED[language]) is bool(lacking)


def is_release(version: str) -> bool:
    return "dev" not in version


def test_missing_translations_are_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing translation is not an error. It is listed for each language."""
    catalogue = catalogue_in("de")
    del catalogue["OK, play on."]
    assert "OK, play on." in SCRIPT["missing"](catalogue, template())
    assert SCRIPT["faults"](catalogue, template()) == []
    monkeypatch.setitem(SCRIPT["main"].__globals__, "template", template)  # it takes seconds
    assert SCRIPT["main"](["check"]) == 0
    told = re.search(r"^de: \d+ of (\d+) missing, 0 wrong$", capsys.readouterr().out, re.MULTILINE)
    assert told is not None
    assert int(told[1]) == len(template())
    assert is_release("0.2.0")
    assert not is_release("0.2.0.dev0")


@pytest.mark.parametrize(
    "language",
    [
        "de",  # it has the longest words
        *(
            pytest.param(
                language, marks=pytest.mark.thorough("another language, with shorter words")
            )
            for language in LANGUAGES
            if language != "de"
        ),
    ],
)
def test_no_text_in_any_language_is_too_long_for_discord(language: str) -> None:
    who = reader_for(language.replace("_", "-"))
    assert who is not IN_ENGLISH
    faults = {name: list(_too_long(says(who))) for name, says in EXAMPLE_TEXTS.items()}
    assert {name: fault for name, fault in faults.items() if fault} == {}


def _too_long(said: object) -> list[str]:
    return [fault for item in each(said) for fault in too_long(item)]


async def test_discord_takes_the_commands_of_each_language() -> None:
    payloads = await commands(CATALOGUES)
    assert {language: list(refused(language, CATALOGUES, payloads)) for language in LANGUAGES} == {
        language: [] for language in LANGUAGES
    }


def refused(language: str, folder: Path, payloads: list[dict[str, Any]]) -> Iterator[str]:
    """Yield texts of commands that stay English, and names used twice in one command."""
    catalogue = read_catalogue(catalogues(folder)[language])
    slash = [part for part in payloads if part["type"] == AppCommandType.chat_input.value]
    for locale in locales_of(language, folder):
        yield from _doubles(slash, locale)
        yield from _untold(payloads, locale, catalogue)


def locales_of(language: str, folder: Path = CATALOGUES) -> list[str]:
    """Return the Discord locales that use a catalogue. Spanish has two."""
    catalogue = read_catalogue(catalogues(folder)[language])
    return [
        locale.value for locale in Locale if reader_for(locale.value, folder).catalogue is catalogue
    ]


async def commands(folder: Path) -> list[dict[str, Any]]:
    """Return all commands as they are registered with Discord."""
    tree, translator = command_tree(ServicesClient(intents=Intents.none())), Translator(folder)
    return [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]


def _untold(
    payloads: list[dict[str, Any]], locale: str, catalogue: GNUTranslations
) -> Iterator[str]:
    for part in parts(payloads):
        for what, contexts in (("name", ("command", "option", None)), ("description", (None,))):
            if (
                "value" in part
                or what not in part
                or locale in part.get(f"{what}_localizations", {})
            ):
                continue
            if any(_translated(catalogue, part[what], context) for context in contexts):
                yield part[what]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_one_that_discord_has(language: str) -> None:
    assert locales_of(language)


async def test_one_catalogue_serves_both_spanish_locales() -> None:
    assert sorted(locales_of("es")) == ["es-419", "es-ES"]
    (play,) = (command for command in await commands(CATALOGUES) if command["name"] == "play")
    names = play["name_localizations"]
    assert (names["es-ES"], names["es-419"], "es" in names) == ("jugar", "jugar", False)
    for locale in ("es-ES", "es-419"):
        assert play_on_answer(reader_for(locale)).content == "OK, a seguir jugando."


def _translated(catalogue: GNUTranslations, words: str, context: str | None) -> bool:
    said = catalogue.gettext(words) if context is None else catalogue.pgettext(context, words)
    return said != words and (context is not None or " " in words)


def _doubles(siblings: list[dict[str, Any]], locale: str) -> Iterator[str]:
    names = [part.get("name_localizations", {}).get(locale, part["name"]) for part in siblings]
    yield from sorted({name for name in names if names.count(name) > 1})
    for part in siblings:
        yield from _doubles(part.get("options", []), locale)


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_a_typed_move_command_is_read_by_the_name_that_it_has_there(language: str) -> None:
    path = catalogues().get(language)
    translate = NullTranslations() if path is None else read_catalogue(path)
    command, option = (translate.pgettext(kind, "move") for kind in ("command", "option"))
    for text in (f"/{command} d2-d4", f"/{command} {option}: d2-d4", f"/{command} {option}:d2-d4"):
        assert str(move_among_courtesies(text, Coordinates.STANDARD)) == "d2-d4"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_servers_language_uses_the_clients_command_names(language: str) -> None:
    who = reader_for(language.replace("_", "-"))
    group, command = (who.pgettext("command", name) for name in ("setup", "limit"))
    told = settings(who, GuildRules()).content
    assert f"- **/{group} {command}**: " in told


def test_a_diagram_shows_whose_turn_it_is_in_its_readers_language() -> None:
    told = diagram(reader_for("de"), Position.initial(), Coordinates.STANDARD)
    assert told.endswith("\nWeiß setzt\n```")


def test_a_diagram_explains_ambiguous_letters() -> None:
    labels = "a     b     c     d     e     f     g     h     i"
    for language, letters in (("es", "W = Blancas, B = Negras, R = Rojo"), ("en", labels)):
        who = reader_for(language)
        *_, below, _turn, _ = diagram(who, Position.initial(), Coordinates.STANDARD).splitlines()
        assert below.split() == letters.split()


# Wrong translations are found


def faulty(
    one: str | tuple[str, str], said: str | tuple[str, ...], *, locale: str = "de", **more: Any
) -> list[str]:
    """Return the faults found in a catalogue with a single translation."""
    everything, catalogue = Catalog(), Catalog(locale=locale)
    everything.add(one, context=more.get("context"))
    catalogue.add(one, said, **more)
    found: list[str] = SCRIPT["faults"](catalogue, everything)
    return found


@pytest.mark.parametrize(
    ("one", "said"),
    [
        ("{player} wins.", "Jemand gewinnt."),
        ("{player} wins.", "{spieler} gewinnt."),
        ("{player} wins.", "{player gewinnt."),
        ("wins ", "gewinnt"),
        ("**Turns**: on", "*Züge*: an"),
        ("✓ {move}", "{move}"),
        ("one\ntwo", "eins zwei"),
        (("{count} day", "{count} days"), ("{count} Tag", "{zahl} Tage")),
        (("{count} day", "{count} days"), ("{count} Tag",)),
        ("/resign ends it.", "/aufgeben beendet das."),
        ("Press *Play me* now.", "Drücke *Spiel mit mir*, jetzt."),
    ],
)
def test_a_translation_that_would_fail_is_found(
    one: str | tuple[str, str], said: str | tuple[str, ...]
) -> None:
    assert faulty(one, said) != []
    assert SCRIPT["missing"](Catalog(locale="de"), sentence("a")) == ["a"]


@pytest.mark.parametrize(
    ("locale", "bad", "good"),
    [
        ("de", "then d4-e4", "dann d4-e4"),
        ("es", "¿Jugáis?", "¿Juegas?"),
        ("fr", "Bravo !", "Bravo\u202f!"),
    ],
)
def test_unused_translations_are_found(locale: str, bad: str, good: str) -> None:
    assert faulty("Well played!", bad, locale=locale) != []
    assert faulty("Well played!", good, locale=locale) == []


def test_a_good_translation_has_no_faults() -> None:
    assert faulty("{player} wins {more}–{fewer}.", "{more}:{fewer} gewinnt {player}.") == []
    assert faulty(("{count} day", "{count} days"), ("ein Tag", "{count} Tage")) == []
    assert faulty("`{place}` places, `{move}` moves.", "`{place}` setzt, `{move}` zieht.") == []


def test_sentences_use_the_translated_names_of_buttons_and_commands() -> None:
    said, catalogue = Catalog(), Catalog(locale="de")
    for name, translated, kind in (
        ("Play me", "Spiel mit mir", None),
        ("Board {number}", "Brett {number}", None),
        ("resign", "aufgeben", "command"),
    ):
        said.add(name, context=kind)
        catalogue.add(name, translated, context=kind)
    for words, good, bad in (
        ("Press *Play me* to play against me.", "Drücke *Spiel mit mir*.", "Drücke *Play me*."),
        (
            "It's too late to call this game off. You can /resign or offer a /draw.",
            "Zu spät: /aufgeben oder /draw.",
            "Zu spät: /resign oder /draw.",
        ),
        (
            "Press *Board 1*, *Board 2* or *Board 3* under the newest picture.",
            "Drücke *Brett 1*, *Brett 2* oder *Brett 3*.",
            "Drücke *Brett 1*, *Brett 2* oder *Board 3*.",
        ),
    ):
        said.add(words)
        catalogue.add(words, good)
        assert SCRIPT["faults"](catalogue, said) == []
        catalogue[words].string = bad
        assert SCRIPT["faults"](catalogue, said) != []
        catalogue.delete(words)


def test_unused_and_fuzzy_translations_are_found() -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("a", "b")
    catalogue.add("c", "d", flags={"fuzzy"})
    said = Catalog()
    said.add("c")
    assert SCRIPT["faults"](catalogue, said) == ["a: no such sentence in the sources"]
    assert SCRIPT["missing"](catalogue, said) == ["c"]


async def test_a_name_that_discord_would_refuse_is_found(tmp_path: Path) -> None:
    shouted = {"resign": "AUFGEBEN", "undo": "draw", "draw": "draw"}
    write_catalogue(tmp_path, "de", template(), lambda words: shouted.get(words, words))
    assert list(refused("de", tmp_path, await commands(tmp_path))) == ["draw", "resign"]


# Reading


def read_again(path: Path) -> GNUTranslations:
    """Read a catalogue as another process does. What this process has cached of others stays."""
    return read_catalogue.__wrapped__(path)


def test_a_catalogue_is_parsed_again_only_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = write_catalogue(tmp_path, "de", sentence("yes"), lambda _: "ja")
    kept = path.parent / "__pycache__"
    for words in ("ja", "doch"):
        path.write_text(path.read_text().replace("ja", words))
        for _ in range(2):
            assert read_again(path).gettext("yes") == words
            (made,) = kept.iterdir()
    made.write_bytes(read_catalogue_of(tmp_path / "other", "nein"))
    assert read_again(path).gettext("yes") == "nein"  # the cached result is read
    shutil.rmtree(kept)
    kept.write_text("no folder can be here")
    assert read_again(path).gettext("yes") == "doch"


def read_catalogue_of(folder: Path, words: str) -> bytes:
    path = write_catalogue(folder, "de", sentence("yes"), lambda _: words)
    read_catalogue(path)
    (made,) = (path.parent / "__pycache__").iterdir()
    return made.read_bytes()


def test_doubtful_translations_are_not_used_and_malformed_ones_not_read(tmp_path: Path) -> None:
    path = write_catalogue(tmp_path, "de", sentence("yes"), lambda _: "ja")
    catalogue = SCRIPT["read"](path)
    catalogue["yes"].flags.add("fuzzy")
    with path.open("wb") as file:
        write_po(file, catalogue)
    assert read_catalogue(path).gettext("yes") == "yes"
    path.write_text('msgid "yes"\nwords')
    with pytest.raises(PoFileError):
        read_again(path)


def test_all_languages_are_loaded_before_they_are_needed(tmp_path: Path) -> None:
    write_catalogue(tmp_path, "pt_BR", sentence("yes"), lambda _: "sim")
    _formats.cache_clear()
    read_languages(tmp_path)
    assert _formats.cache_info().misses == 1, "the English ones only"
    before = reader_for.cache_info().misses
    assert reader_for("pt-BR", tmp_path).gettext("yes") == "sim"
    assert reader_for.cache_info().misses == before


# Numbers, lists and dates


def test_durations_and_lists_are_as_each_language_has_them() -> None:
    german, italian, unknown = Reader("de-AT"), Reader("it"), Reader("../x")
    length = timedelta(days=2, hours=5, minutes=9)
    assert formats.approximate_duration(german, length) == "2 Tage, 5 Stunden"
    assert formats.approximate_duration(italian, length) == "2 giorni e 5 ore"
    assert formats.approximate_duration(unknown, length) == "2 days, 5 hours"
    told = {
        locale.value: formats.approximate_duration(Reader(locale.value), length)
        for locale in Locale
    }
    assert told["es-ES"] == told["es-419"] == "2 días y 5 horas"
    assert all("2" in words and "5" in words for words in told.values())
    assert formats.duration(german, timedelta(seconds=5000)) == "5000 Sekunden"
    for locale in ("it", "de", "fr", "es-ES", "nl", "pt-BR", "ja"):
        words = [formats.duration(Reader(locale), unit) for unit in UNITS]
        assert not [word for word in words if "duration" in word]
    assert formats.and_list(german, "abc") == "a, b und c"
    assert formats.or_list(italian, "abc") == "a, b o c"
    assert formats.percent_text(german, 38) == "38\N{NO-BREAK SPACE}%"
    assert formats.number_text(german, 20_000) == "20.000"
    assert play_on_answer(unknown).content == "OK, play on."


# The script


@pytest.mark.thorough("the translators' script, which no bot runs")
def test_a_language_is_created_translated_and_updated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_begin", "_update", "_check"):
        monkeypatch.setitem(SCRIPT[name].__globals__, "CATALOGUES", tmp_path)
        monkeypatch.setitem(SCRIPT[name].__globals__, "catalogues", lambda: catalogues(tmp_path))
    assert SCRIPT["main"](["new", "de"]) == 0
    path = catalogues(tmp_path)["de"]
    begun = path.read_text(encoding="utf-8")
    assert "nplurals=2" in begun
    assert "bot/play/words/notices.py" in begun
    said = "OK, play on."
    translated = begun.replace(f'msgid "{said}"\nmsgstr ""', f'msgid "{said}"\nmsgstr "Weiter!"')
    path.write_text(translated, encoding="utf-8")
    assert SCRIPT["main"](["update"]) == 0
    assert path.read_text(encoding="utf-8") == translated
    path.write_text(translated.replace(said, "OK, just play on."), encoding="utf-8")
    assert SCRIPT["main"](["check"]) == 1  # no such sentence exists
    assert SCRIPT["main"](["update"]) == 0
    updated = SCRIPT["read"](path)
    assert (updated[said].string, updated[said].fuzzy) == ("Weiter!", True)
    assert SCRIPT["main"](["check"]) == 0
    assert SCRIPT["main"]([]) == 2

"""Tests for guessing the language of a direct message."""

import pytest

from bot.base.language_guess import language_of
from bot.base.languages import languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hi, what is this?", "en"),
        ("can we play a game?", "en"),
        ("hint, please", "en"),
        ("Hallo, wie geht das?", "de"),
        ("ich möchte spielen", "de"),
        ("regeln", "de"),
        ("Salut ! On joue ?", "fr"),
        ("qu'est-ce que c'est", "fr"),
        ("c’est quoi les règles", "fr"),
        ("ciao, come si gioca?", "it"),
        ("aiuto", "it"),
        ("¡Hola! ¿Jugamos una partida?", "es"),
        ("no lo entiendo, ayuda por favor", "es"),
        ("hoi, ik wil een potje spelen", "nl"),
        ("hoe werkt het", "nl"),
    ],
)
def test_the_language_of_a_message_is_guessed(text: str, language: str) -> None:
    assert language_of(text) == language
    assert language in languages()


@pytest.mark.parametrize("text", ["", "d2-d4", "😀", "ok", "hallo", "hint", "partie", "lol 42"])
def test_unclear_texts_have_no_language(text: str) -> None:
    assert language_of(text) is None


def test_a_long_text_is_read_from_its_start() -> None:
    assert language_of("ich bin da " + "the " * 10_000) == "en"
    assert language_of("ich " * 200 + "the " * 10_000) == "de"

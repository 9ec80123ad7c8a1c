"""A translated catalogue for tests in which every sentence is changed in the same way."""

import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

SCRIPT = runpy.run_path(str(Path(__file__).resolve().parents[3] / "docs" / "catalogues.py"))
"""The translators' script, by its names."""


@cache
def template() -> Catalog:
    """The complete template for translators. It takes seconds to extract from all sources."""
    made: Catalog = SCRIPT["template"]()
    return made


@cache
def in_messages() -> tuple[Message, ...]:
    """Part of the template: the sentences."""
    return tuple(SCRIPT["in_messages"]())


def write_catalogue(
    folder: Path, language: str, said: Catalog, translate: Callable[[str], str]
) -> Path:
    """Write a catalogue of a language to a folder. Return its path."""
    made = Catalog(locale=language)
    for item in said:
        if item.id:
            texts = [item.id] if isinstance(item.id, str) else [str(text) for text in item.id]
            forms = [translate(text) for text in texts]
            string: Any = forms[0] if isinstance(item.id, str) else tuple(forms)
            made.add(item.id, string, context=item.context)
    path = folder / language / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, made)
    return path


def sentence(words: str) -> Catalog:
    """Return a template with a single sentence."""
    made = Catalog()
    made.add(words)
    return made

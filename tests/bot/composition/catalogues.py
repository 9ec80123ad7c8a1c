"""A translated catalogue for tests, in which every sentence is changed in the same way."""

import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

SCRIPT = runpy.run_path(str(Path(__file__).resolve().parents[3] / "docs" / "catalogues.py"))
"""What translators work with, by its names."""


@cache
def template() -> Catalog:
    """All that translators are given: to read all sources for it takes seconds."""
    made: Catalog = SCRIPT["template"]()
    return made


@cache
def in_messages() -> tuple[Message, ...]:
    """A part of it: the sentences."""
    return tuple(SCRIPT["in_messages"]())


def write_catalogue(
    folder: Path, language: str, said: Catalog, translate: Callable[[str], str]
) -> Path:
    """Make a folder's catalogue of a language. Returns where it is."""
    made = Catalog(locale=language)
    for one in said:
        if one.id:
            texts = [one.id] if isinstance(one.id, str) else [str(text) for text in one.id]
            forms = [translate(text) for text in texts]
            string: Any = forms[0] if isinstance(one.id, str) else tuple(forms)
            made.add(one.id, string, context=one.context)
    path = folder / language / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, made)
    return path


def sentence(words: str) -> Catalog:
    """What there is to translate if a single sentence is all."""
    made = Catalog()
    made.add(words)
    return made

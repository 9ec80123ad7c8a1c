"""Create, update and check the catalogues of all languages.

.venv/bin/python docs/catalogues.py new LANGUAGE   creates one, such as pt_BR
.venv/bin/python docs/catalogues.py update         updates all and keeps translations
.venv/bin/python docs/catalogues.py check          lists missing and wrong entries

`check` also reports the problems that tests/bot/composition/test_catalogues.py finds. See
docs/languages.md.
"""

import re
import string
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Final

import discord
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po
from discord import app_commands

from bot.base.languages import CATALOGUES, catalogues
from bot.client.command_tree import command_tree
from bot.connection.permissions import TO_OPEN_THREADS, to_play
from bot.people.handlers.setup_options import MODERATOR_PERMISSION
from bot.play.handlers.interactions import ServicesClient
from renderer import ENGLISH, PerColor, Words

_ROOT: Final = Path(__file__).resolve().parents[1]
_SOURCES: Final = ("bot", "school", "club")
_CALLS: Final[dict[str, Any]] = {"gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}

_A_NAME: Final = "at most 32 lowercase letters without spaces"
_NOTE: Final = {
    "picture": "text in pictures, and in descriptions of pictures for people who can't see them",
    "permission": "name of a permission, as in Discord's settings",
    "menu": "entry in the menu of a message, at most 32 characters",
    "description": "description of a command or option, at most 100 characters",
    "command": f"name of a command, {_A_NAME}",
    "option": f"name of an option, {_A_NAME}",
    "choice": "value of an option, at most 100 characters",
}
"""Notes for translators about texts whose source does not explain them."""
_MARKS: Final = re.compile(r"\*\*|```|[`\n✓✗○🎯💡✂⏱⏮⏭◀▶🔎]|^### ")
"""Marks that a translation keeps: bold text, line breaks, headings and icons."""
_QUOTED: Final = re.compile(r"(?<!\*)\*([^*{}]+)\*(?!\*)|`([^`]+)`")
"""Quoted names of buttons, options and choices, which have translations of their own."""
_NEVER: Final = {
    "es": re.compile(r"\b(?:vosotr[oa]s|vuestr[oa]s?|ustedes|os|\w+[áé]is)\b", re.IGNORECASE),
    "fr": re.compile(r" [:;!?]"),
}
"""Patterns that a translation must not contain.

In Spanish, words that are used only in Spain or only in Latin America. In French, an ordinary space
before a punctuation mark, because the mark could then begin a line.
"""
_TYPED: Final = re.compile(r"\b(if|then|else|next free)\b")
"""English words that people type in their own language."""
_COMMAND: Final = re.compile(r"(?<![\w/<])/([a-z]+)(?: ([a-z]+))?")


def template() -> Catalog:
    """Return the catalogue of all sentences for readers, each once."""
    catalogue = Catalog(project="dvonn-bot", fuzzy=False)
    for add in (in_messages, _in_pictures, _of_permissions, _of_commands):
        for message in add():
            catalogue.add(
                message.id,
                locations=message.locations,
                auto_comments=message.auto_comments,
                context=message.context,
            )
    return catalogue


def in_messages() -> Iterator[Message]:
    """Yield all sentences in the sources of the bot."""
    for path in sorted(path for room in _SOURCES for path in (_ROOT / room).rglob("*.py")):
        place = path.relative_to(_ROOT).as_posix()
        sentences = extract_from_file("python", path, _CALLS, comment_tags=("Translators:",))
        for line, words, comments, context in sentences:
            yield Message(words, locations=[(place, line)], auto_comments=comments, context=context)


def _in_pictures() -> Iterator[Message]:
    for field in fields(Words):
        words: str | PerColor = getattr(ENGLISH, field.name)
        if hasattr(Words, f"player_{field.name}"):
            continue  # the same words about a color
        texts = (words,) if isinstance(words, str) else (words.white, words.black)
        yield from (Message(text, auto_comments=[_NOTE["picture"]]) for text in texts)


def _of_permissions() -> Iterator[Message]:
    for name in (*{**to_play(None), **TO_OPEN_THREADS}.values(), MODERATOR_PERMISSION):
        yield Message(name, auto_comments=[_NOTE["permission"]])


def _of_commands() -> Iterator[Message]:
    for command in command_tree(ServicesClient(intents=discord.Intents.none())).get_commands():
        if isinstance(command, app_commands.ContextMenu):
            yield Message(command.name, auto_comments=[_NOTE["menu"]])
        else:
            yield from _of_command(command)


def _of_command(
    command: app_commands.Command[Any, Any, Any] | app_commands.Group,
) -> Iterator[Message]:
    yield _named("command", command.name)
    yield _described(f"/{command.qualified_name}", command.description)
    if isinstance(command, app_commands.Group):
        for inner in command.commands:
            yield from _of_command(inner)
        return
    for option in command.parameters:
        yield _named("option", option.display_name)
        place = f"/{command.qualified_name} {option.display_name}"
        yield _described(place, str(option.description))
        for choice in option.choices:
            if choice.name.islower() and " " not in choice.name:  # others are composed for readers
                yield _named("choice", choice.name)


def _named(context: str, name: str) -> Message:
    return Message(name, context=context, auto_comments=[_NOTE[context]])


def _described(name: str, words: str) -> Message:
    return Message(words, auto_comments=[f"{name}: {_NOTE['description']}"])


# A translation


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name, abort_invalid=True)


def _write(catalogue: Catalog, path: Path) -> None:
    for message in catalogue:
        message.flags -= {"python-format"}  # Babel mistakes a percent sign for a format
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, ignore_obsolete=True, include_lineno=False)


def missing(catalogue: Catalog, original: Catalog) -> list[str]:
    """List the untranslated sentences of the template: fuzzy translations aren't used."""
    return [
        str(message.id)
        for message in original
        if message.id and not _is_done(catalogue.get(_first(message.id), message.context))
    ]


def _is_done(message: Message | None) -> bool:
    return message is not None and not message.fuzzy and all(_forms(message.string))


def faults(catalogue: Catalog, original: Catalog) -> list[str]:
    """List the faults of translations, and the translations of sentences that no longer exist."""
    problems = [
        f"{_first(message.id)}: {error}" for message, bad in catalogue.check() for error in bad
    ]
    for entry in catalogue:
        if not entry.id or not any(_forms(entry.string)):
            continue
        message = original.get(_first(entry.id), entry.context)
        if message is None or message.id != entry.id:
            problems.append(f"{_first(entry.id)}: no such sentence in the sources")
        elif not entry.fuzzy:
            problems += [f"{_first(entry.id)}: {fault}" for fault in _faults(entry, catalogue)]
    return problems


def _faults(entry: Message, catalogue: Catalog) -> Iterator[str]:
    """Yield the faults of one translation."""
    originals = _forms(entry.id)
    gaps = [_gaps(text) for text in originals]
    needed, allowed = set.intersection(*gaps), set.union(*gaps)
    *_, last = translations = _forms(entry.string)
    for text in translations:
        try:
            filled = _gaps(text)
        except ValueError as error:
            yield f"unbalanced braces ({error}) in {text!r}"
            continue
        spared = 0 if text == last else 1  # "one day" has no number
        if not filled <= allowed or len(needed - filled) > spared:
            yield f"other placeholders than {sorted(allowed)} in {text!r}"
        first = originals[0]
        if (text[:1].isspace(), text[-1:].isspace()) != (first[:1].isspace(), first[-1:].isspace()):
            yield f"other spaces around {text!r}"
        for never in (_TYPED, _NEVER.get(str(catalogue.locale_identifier))):
            if never and (amiss := never.search(text)):
                yield f"{amiss[0]!r} in {text!r}"
        if Counter(_MARKS.findall(text)) != Counter(_MARKS.findall(first)):
            yield f"other marks than {_MARKS.findall(first)} in {text!r}"
        for name in _names(originals[-1], catalogue):
            if name not in text:
                yield f"{name} is missing in {text!r}"


def _names(original: str, catalogue: Catalog) -> Iterator[str]:
    """Yield the translated names of buttons, options and commands that a sentence mentions."""
    for match in _QUOTED.finditer(original):
        name, mark = match[1] or match[2], match[0][0]
        yield f"{mark}{_called(name, catalogue)}{mark}"
    for match in _COMMAND.finditer(original):
        command = _called(match[1], catalogue, "command")
        inner = "" if match[2] is None else _called(match[2], catalogue, "command")
        is_inner = inner and (inner != match[2] or catalogue.get(match[2], "command") is not None)
        yield f"/{command} {inner}" if is_inner else f"/{command}"


def _called(name: str, catalogue: Catalog, *contexts: str) -> str:
    """Return the translation of a name, or the English name if there is none."""
    for context in contexts or (None, "button", "option", "choice"):
        message = catalogue.get(name, context)
        if message is not None and _is_done(message):
            return _forms(message.string)[0]
    words, _, number = name.rpartition(" ")
    if words and number.isdecimal():  # one of several, such as *Board 2*
        return _called(f"{words} {{number}}", catalogue, *contexts).replace("{number}", number)
    return name


def _gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _forms(texts: object) -> list[str]:
    """Return a sentence, or its forms for several numbers."""
    return [texts] if isinstance(texts, str) else [str(text) for text in texts or ()]  # type: ignore[attr-defined]


def _first(words: object) -> str:
    return _forms(words)[0]


# The commands


def _begin(language: str) -> int:
    path = CATALOGUES / language / "LC_MESSAGES" / "messages.po"
    catalogue = Catalog(
        locale=language, project="dvonn-bot", fuzzy=False, creation_date=datetime.now(UTC)
    )
    catalogue.update(template(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.header_comment = f"# {language} translations of dvonn-bot. See docs/languages.md."
    _write(catalogue, path)
    return 0


def _update() -> int:
    for path in catalogues().values():
        catalogue = read(path)
        catalogue.update(template(), update_creation_date=False)
        _write(catalogue, path)
    return 0


def _check() -> int:
    original, status = template(), 0
    for language, path in catalogues().items():
        catalogue = read(path)
        wrong, lacking = faults(catalogue, original), missing(catalogue, original)
        counts = f"{len(lacking)} of {len(original)} missing, {len(wrong)} wrong"
        sys.stdout.write(f"{language}: {counts}\n")
        sys.stdout.writelines(f"  {line!r}\n" for line in chain(wrong, lacking))
        status = status or int(bool(wrong))
    return status


def main(arguments: Sequence[str]) -> int:
    """Run a command, and return the exit status."""
    match arguments:
        case ["new", language]:
            return _begin(language)
        case ["update"]:
            return _update()
        case ["check"]:
            return _check()
        case _:
            sys.stderr.write(__doc__ or "")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

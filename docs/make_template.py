"""Prints all that the bot says as a template for translators (see extending.md).

.venv/bin/python docs/make_template.py > messages.pot
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple

import discord
from discord import app_commands

from bot.edge.commands import command_tree
from bot.edge.desk import DeskClient
from bot.edge.permissions import TO_OPEN_THREADS, to_play
from renderer import ENGLISH, PerColor, Words

_BOT: Final = Path(__file__).resolve().parents[1] / "bot"
_WORDS: Final = (_BOT / "messages", _BOT / "edge" / "commands")
_TURNS: Final = ("White to place", "Black to place", "White to move", "Black to move", "Game over")
_MODERATING: Final = "Manage Channels"
_HEADER: Final = r"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"""


class Sentence(NamedTuple):
    """What is translated as a whole."""

    one: str
    many: str | None = None
    """How it is for several, where a number decides."""
    context: str | None = None
    """What a single word is the name of."""


def sentences() -> list[Sentence]:
    """Everything that readers are told, each sentence once."""
    found: dict[tuple[str, str | None], Sentence] = {}
    for said in (*in_messages(), *_in_pictures(), *_of_permissions(), *_of_commands()):
        known = found.setdefault((said.one, said.context), said)
        if known.many is None:
            found[said.one, said.context] = said
    return list(found.values())


def in_messages() -> Iterator[Sentence]:
    """What stands in bot/messages, and beside the commands."""
    for path in sorted(one for room in _WORDS for one in room.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                texts = [one.value for one in node.args if isinstance(one, ast.Constant)]
                if node.func.attr == "gettext" and texts:
                    yield Sentence(str(texts[0]))
                elif node.func.attr == "ngettext":
                    yield Sentence(str(texts[0]), str(texts[1]))


def _in_pictures() -> Iterator[Sentence]:
    for field in fields(Words):
        words: str | PerColor = getattr(ENGLISH, field.name)
        said = (words,) if isinstance(words, str) else (words.white, words.black)
        yield from map(Sentence, said)
    yield from map(Sentence, _TURNS)


def _of_permissions() -> Iterator[Sentence]:
    names = {**to_play(None), **TO_OPEN_THREADS}.values()
    yield from map(Sentence, (*names, _MODERATING))


def _of_commands() -> Iterator[Sentence]:
    tree = command_tree(DeskClient(intents=discord.Intents.none()))
    for command in tree.get_commands():
        if isinstance(command, app_commands.ContextMenu):
            yield Sentence(command.name)
        else:
            yield from _of_command(command)


def _of_command(
    command: app_commands.Command[Any, Any, Any] | app_commands.Group,
) -> Iterator[Sentence]:
    yield Sentence(command.name, context="command")
    yield Sentence(command.description)
    if isinstance(command, app_commands.Group):
        for inner in command.commands:
            yield from _of_command(inner)
        return
    for option in command.parameters:
        yield Sentence(option.display_name, context="option")
        yield Sentence(str(option.description))
        for choice in option.choices:
            if " " not in choice.name:  # longer ones are put together for each reader
                yield Sentence(choice.name, context="choice")


def template(said: list[Sentence]) -> str:
    """Sentences as a gettext template."""
    return "\n".join([_HEADER, *map(_entry, said)])


def _entry(said: Sentence) -> str:
    lines = [] if said.context is None else [f"msgctxt {_quoted(said.context)}"]
    lines.append(f"msgid {_quoted(said.one)}")
    if said.many is None:
        return "\n".join([*lines, 'msgstr ""', ""])
    return "\n".join(
        [*lines, f"msgid_plural {_quoted(said.many)}", 'msgstr[0] ""', 'msgstr[1] ""', ""]
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'"{escaped}"'


if __name__ == "__main__":
    sys.stdout.write(template(sentences()))

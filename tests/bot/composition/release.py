"""Record a version's database, commands and buttons for later versions' tests.

    python -m tests.bot.composition.release 1.2.3

It writes tests/data/releases/1.2.3.json: every row of a database in which all kinds of things have
happened, the state of its games by that release's code, its commands, and the ids of its buttons.
docs/releasing.md says when to run it.
"""

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import discord

from bot.base.languages import IN_ENGLISH
from bot.client.command_tree import command_tree
from bot.play.handlers.interactions import ServicesClient
from tests.bot.composition.example_texts import EXAMPLE_TEXTS
from tests.bot.released import FOLDER, make


def commands() -> list[str]:
    """Return the names of all slash commands and menus."""
    tree = command_tree(ServicesClient(intents=discord.Intents.none()))
    return sorted(command.name for command in tree.get_commands())


def ids() -> list[str]:
    """Return the custom ids of all buttons and selects.

    Of ids that differ only in numbers, return one.
    """
    found: dict[str, str] = {}
    for say in EXAMPLE_TEXTS.values():
        for item in _ids_in(say(IN_ENGLISH)):
            found.setdefault(re.sub(r"[a-k][0-9]|[0-9]+", "#", item), item)
    return sorted(found.values())


def _ids_in(said: Any) -> Iterator[str]:
    if isinstance(said, dict):
        said = said.values()
    elif is_dataclass(said):
        if (number := getattr(said, "custom_id", None)) is not None:
            yield number
        said = [getattr(said, field.name) for field in fields(said)]
    elif not isinstance(said, list | tuple):
        return
    for part in said:
        yield from _ids_in(part)


def main(version: str) -> None:
    """Write a database of this version for the tests."""
    release = asyncio.run(make(version)) | {"commands": commands(), "ids": ids()}
    text = json.dumps(release, separators=(",", ":")) + "\n"
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{version}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    (asked,) = sys.argv[1:]
    main(asked)

"""Translate the commands once for all bots of a process, in place of once for each."""

from collections.abc import Callable
from typing import Any, Final

from discord import app_commands

from bot.connection import command_registration as registration

_translate: Final = registration.payload
_known: Final[dict[tuple[object, ...], registration.Commands]] = {}


async def payload(
    tree: app_commands.CommandTree[Any], *, user_installs: bool
) -> registration.Commands:
    """Return what `registration.payload` returns, made at the first call."""
    key = (user_installs, *tree.get_commands())  # each is the same object in all trees
    if key not in _known:
        _known[key] = await _translate(tree, user_installs=user_installs)
    return _known[key]


def put_in_place(put: Callable[[object, str, object], None] = setattr) -> None:
    """Have bots call it. `put` sets the attribute, for a while or for good."""
    put(registration, "payload", payload)

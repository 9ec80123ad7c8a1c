"""Tests for comparing our commands with Discord's: only changes are sent."""

from typing import Any

import pytest

from bot.connection.command_registration import same_commands

OPTION = {"type": 3, "name": "move", "description": "A move", "required": False, "choices": []}
MOVE = {
    "type": 1,
    "name": "move",
    "description": "Make a move",
    "description_localizations": {"de": "Ziehen"},
    "default_member_permissions": 16,
    "nsfw": True,
    "contexts": [0, 1],
    "options": [OPTION],
}
NO_TRANSLATIONS = {"description_localizations": None}


def registered(**changed: Any) -> dict[str, Any]:
    """Return the command as Discord returns it: with its own fields, and without defaults."""
    option = {"type": 3, "name": "move", "description": "A move"}
    own = {"id": "7", "version": "1", "default_member_permissions": "16", "options": [option]}
    return MOVE | own | changed


def test_what_discord_adds_or_leaves_out_is_no_change() -> None:
    assert same_commands([MOVE], [registered()])
    assert same_commands(
        [MOVE | {"description_localizations": {}}], [registered(**NO_TRANSLATIONS)]
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"description": "Play"},
        {"description": None},
        {"nsfw": False},
        {"nsfw": None},
        NO_TRANSLATIONS,
        {"description_localizations": {"de": "Ziehen", "fr": "Jouer"}},
        {"contexts": [0]},
        {"contexts": [0, 2]},
        {"contexts": None},
        {"options": []},
        {"options": [OPTION, OPTION | {"name": "hint"}]},
        {"options": [OPTION | {"required": True}]},
        {"options": [OPTION | {"choices": [{"name": "a1", "value": "a1"}]}]},
        {"options": None},
        {"type": 2},
        {"name": "moves"},
    ],
    ids=str,
)
def test_any_other_difference_is_a_change(changed: dict[str, Any]) -> None:
    assert not same_commands([MOVE], [registered(**changed)])


def test_a_command_too_many_or_too_few_is_a_change() -> None:
    assert not same_commands([MOVE], [registered(), registered(name="undo")])
    assert not same_commands([MOVE, MOVE | {"name": "undo"}], [registered()])
    assert same_commands([], [])

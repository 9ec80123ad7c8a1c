"""Tests for the bot's permissions in a channel, and for the advice about missing ones."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.connection import permissions
from bot.connection.permissions import is_muffled, may_give_permissions, missing, reads, to_play
from tests.bot.connection.received import ELSEWHERE, HOME, THREAD, interaction

Granted = discord.Permissions


@pytest.mark.parametrize(
    ("granted", "is_enough"),
    [
        (Granted(view_channel=True, read_message_history=True), True),
        (Granted(view_channel=True), False),
        (Granted(read_message_history=True), False),
        (Granted(administrator=True), True),
        (Granted.none(), False),
    ],
)
def test_view_and_history_permissions_allow_reading(granted: Granted, *, is_enough: bool) -> None:
    assert reads(granted) is is_enough


@pytest.mark.parametrize(
    ("granted", "may"),
    [
        (Granted(administrator=True), True),
        (Granted(manage_roles=True), True),
        (Granted(manage_channels=True), False),
    ],
)
def test_managing_permissions_allows_granting_them(granted: Granted, *, may: bool) -> None:
    assert may_give_permissions(granted) is may


def test_a_game_needs_other_permissions_in_a_thread() -> None:
    in_channel, in_thread = to_play(discord.ChannelType.text), to_play(permissions.THREADS[0])
    assert {*in_channel} - {*in_thread} == {"send_messages"}
    assert {*in_thread} - {*in_channel} == {"send_messages_in_threads"}
    assert to_play(None) == in_channel
    has_most = Granted(view_channel=True, attach_files=True, read_message_history=True)
    assert missing(has_most, in_channel) == ("Send Messages",)
    assert missing(has_most, in_thread) == ("Send Messages in Threads",)
    assert missing(Granted(administrator=True), in_channel) == ()


def test_people_can_bring_a_bot_that_says_so() -> None:
    told: Any = SimpleNamespace(user_integration_config=object())
    assert permissions.allows_user_install(told)
    told.user_integration_config = None
    assert not permissions.allows_user_install(told)
    assert not permissions.allows_user_install(None)


@pytest.mark.parametrize(
    ("used", "is_direct", "is_guest"),
    [
        (interaction(None, context=1, kind=1), True, False),
        (interaction(None, context=2, kind=1), False, True),
        (interaction(HOME), False, False),
        (interaction(ELSEWHERE), False, True),
        (interaction(ELSEWHERE, by_server=True), False, False),
    ],
    ids=["direct", "between two people", "a member", "a guest", "added but not yet known"],
)
def test_the_bot_is_a_guest_if_a_user_installed_it(
    used: discord.Interaction[Any], *, is_direct: bool, is_guest: bool
) -> None:
    assert permissions.is_direct(used) is is_direct
    assert permissions.is_visiting(used) is is_guest


APPS = {"use_external_apps": True}


@pytest.mark.parametrize(
    ("granted", "kind", "is_heard"),
    [
        (Granted(**APPS, send_messages=True), 0, True),
        (Granted(**APPS, send_messages_in_threads=True), 0, False),
        (Granted(**APPS, send_messages_in_threads=True), THREAD, True),
        (Granted(**APPS, send_messages=True), THREAD, False),
        (Granted(send_messages=True), 0, False),
        (Granted(administrator=True), 0, True),
    ],
)
def test_a_guests_answer_is_public_if_its_user_may_write_and_use_apps(
    granted: Granted, kind: int, *, is_heard: bool
) -> None:
    assert is_muffled(interaction(granted=granted, kind=kind)) is not is_heard


def test_only_a_guest_in_a_server_can_be_muffled() -> None:
    assert not is_muffled(interaction(HOME))
    assert not is_muffled(interaction(None, context=2, kind=1))

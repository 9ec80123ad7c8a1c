"""Tests for moderators' rights: by a role in the server, or by one channel's permissions."""

from typing import Any

import discord
import pytest

from bot.base.ids import ChannelId
from bot.composition import FEATURE_SET
from bot.people.handlers import setup_options
from bot.people.handlers.setup_options import ChosenChannel, Scope, check, check_setup
from bot.play.model.refused_starts import NotAllowed, RolesUnknown
from tests.bot.connection import received
from tests.bot.connection.received import ELSEWHERE, HOME

Granted = discord.Permissions
MODERATOR, ORGANISER = Granted(manage_channels=True), Granted(manage_events=True)


def interaction_by(
    by_role: Granted, in_channel: Granted = MODERATOR, guild: int = HOME
) -> discord.Interaction[Any]:
    """Return a request of a member with permissions by a role and in a channel."""
    at = received.client(by_role.value)
    return received.interaction(guild, granted=in_channel, at=at)


def test_managing_one_channel_allows_only_that_channels_settings() -> None:
    host = interaction_by(Granted.none())
    check(host, Scope.CHANNEL)
    with pytest.raises(NotAllowed) as refused:
        check(host, Scope.SERVER)
    assert refused.value.everywhere


def test_without_permissions_in_a_channel_nothing_is_set_there() -> None:
    muted = interaction_by(MODERATOR, in_channel=Granted(send_messages=True))
    check(muted, Scope.SERVER)
    with pytest.raises(NotAllowed) as refused:
        check(muted, Scope.CHANNEL)
    assert not refused.value.everywhere


def test_an_unknown_server_has_unknown_roles() -> None:
    early = interaction_by(Granted.none(), guild=ELSEWHERE)
    check(early, Scope.CHANNEL)
    with pytest.raises(RolesUnknown):
        check(early, Scope.SERVER)


SETUP: Any = next(command for command in FEATURE_SET.commands if command.name == "setup")


@pytest.mark.parametrize("name", sorted(command.name for command in SETUP.commands))
def test_a_command_of_setup_needs_a_right(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    command = SETUP.get_command(name)
    monkeypatch.setattr(discord.Interaction, "command", command)
    with pytest.raises(NotAllowed):
        check_setup(interaction_by(Granted.none(), in_channel=Granted.none()))
    host = interaction_by(Granted.none())
    if name in {"show", "style", "abort"}:
        check_setup(host)
    else:
        with pytest.raises(NotAllowed):
            check_setup(host)


@pytest.mark.parametrize(
    ("granted", "lacks"),
    [
        (Granted(view_channel=True, send_messages=True), None),
        (Granted(send_messages=True), "View Channel"),
        (Granted(view_channel=True), "Send Messages"),
        (Granted(manage_channels=True), None),
        (Granted(administrator=True), None),
    ],
)
def test_a_chosen_channel_must_be_one_where_the_user_may_write(
    granted: Granted, lacks: str | None
) -> None:
    chosen = ChosenChannel(ChannelId(7), granted)
    if lacks is None:
        assert chosen.checked_id() == 7
        return
    with pytest.raises(NotAllowed) as refused:
        chosen.checked_id()
    assert (refused.value.permission, refused.value.channel) == (lacks, 7)


@pytest.mark.parametrize(
    ("by_role", "manages"),
    [(ORGANISER, True), (Granted(manage_guild=True), True), (MODERATOR, False)],
)
def test_managing_events_in_one_channel_is_not_enough_to_organize(
    by_role: Granted, *, manages: bool
) -> None:
    assert setup_options.manages_events(interaction_by(by_role, in_channel=ORGANISER)) is manages
    assert not setup_options.manages_events(interaction_by(Granted.none(), in_channel=ORGANISER))

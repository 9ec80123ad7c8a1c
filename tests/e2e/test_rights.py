"""Tests for moderators' rights: by a role in the server, or by one channel's permissions."""

from typing import Any

import pytest

from bot.composition import FEATURE_SET
from bot.people.handlers.setup_options import IN_CHANNEL
from sandbox import Channel, InvocationRefused, Permission, Person, payloads
from sandbox.events import Event, Intent
from tests.e2e.conftest import Club, message_of, texts
from tests.e2e.features.tournaments.cups import create

EVERYWHERE = "This changes the whole server, so you need a role with Manage Channels."
OPTIONS: dict[str, dict[str, object]] = {
    "limit": {"games": 1},
    "boards": {"placement": "edit"},
    "reviews": {"games": "off"},
    "defaults": {"rated": False},
    "pause": {"days": 3},
    "block": {"days": 3, "reason": "Too many pings"},
    "puzzle": {"post": "on"},
}
"""Options for the commands about the whole server that need one."""


@pytest.fixture
def room(club: Club) -> Channel:
    """A channel in which Cid has all permissions, as some servers give their members."""
    room = club.guild.create_channel("cids-room")
    hosts = club.guild.create_role("hosts of cids-room")
    club.guild.give_role(club.cid, hosts)
    club.guild.set_permissions(
        room, hosts, allow=Permission.MANAGE_CHANNELS | Permission.MANAGE_EVENTS
    )
    return room


@pytest.fixture
def moderator(club: Club) -> Person:
    return club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)


async def setup_answer(person: Person, where: Channel, what: str, /, **options: object) -> str:
    return texts(await person.slash(where, f"setup {what}", **options))


SETUP: Any = next(command for command in FEATURE_SET.commands if command.name == "setup")
FOR_THE_SERVER = sorted({command.name for command in SETUP.commands} - IN_CHANNEL)


def test_the_rights_are_of_commands_that_there_are() -> None:
    assert {command.name for command in SETUP.commands} > IN_CHANNEL
    declared = {setting.command.name for setting in FEATURE_SET.place_settings}
    assert set(FOR_THE_SERVER) >= declared - IN_CHANNEL


async def test_managing_one_room_allows_no_server_settings(
    club: Club, room: Channel, moderator: Person
) -> None:
    untouched = await setup_answer(moderator, club.channel, "show")
    for what in FOR_THE_SERVER:
        options: dict[str, object] = dict(OPTIONS.get(what, {}))
        if what in ("allow", "forbid"):
            options["channel"] = room
        if what == "puzzle":
            options["channel"] = club.channel
        if what in ("block", "unblock"):
            options["person"] = club.bob
        assert await setup_answer(club.cid, room, what, **options) == EVERYWHERE, what
    assert await setup_answer(moderator, club.channel, "show") == untouched
    with pytest.raises(InvocationRefused):
        await setup_answer(club.cid, club.channel, "show")


async def test_managing_one_room_allows_that_rooms_settings(
    club: Club, room: Channel, moderator: Person
) -> None:
    assert await setup_answer(club.cid, room, "show") == await setup_answer(
        moderator, club.channel, "show"
    )
    table = await club.start_game(room)
    form = message_of(await club.cid.slash(room, "setup style"))
    await club.cid.select(form, ["pergioco"], custom_id="dvonn:style:here:coordinates")
    assert texts(await club.cid.click(form, "The whole server")) == EVERYWHERE
    assert await setup_answer(club.cid, room, "abort") == "Done."
    await table.board(1)


async def test_a_role_counts_in_every_channel(club: Club, moderator: Person) -> None:
    hall = club.guild.create_channel("hall")
    club.guild.set_permissions(hall, moderator, deny=Permission.MANAGE_CHANNELS)
    command = next(
        command
        for command in club.world.application.commands.values()
        if command["name"] == "setup"
    )
    command["default_member_permissions"] = None  # as a server's owner can configure it
    assert "Up to 2 games" in await setup_answer(moderator, hall, "limit", games=2)
    assert await setup_answer(moderator, hall, "abort") == "You need Manage Channels for this."
    assert "Up to 3 games" in await setup_answer(club.guild.owner, hall, "limit", games=3)


async def test_a_chosen_channel_must_be_one_where_the_user_may_write(
    club: Club, moderator: Person
) -> None:
    news = club.guild.create_channel("news")
    posting: dict[str, dict[str, object]] = {
        "puzzle": {"post": "on"},
        "allow": {},
    }

    async def answer_for(what: str, options: dict[str, object]) -> str:
        return await setup_answer(moderator, club.channel, what, channel=news, **options)

    denied = Permission.MANAGE_CHANNELS | Permission.SEND_MESSAGES
    for deny, lacks in (
        (denied, "Send Messages"),
        (denied | Permission.VIEW_CHANNEL, "View Channel"),
    ):
        club.guild.set_permissions(news, moderator, deny=deny)
        for what, options in posting.items():
            assert await answer_for(what, options) == f"You need {lacks} in <#{news.id}> for this."
    shown = await setup_answer(moderator, club.channel, "show")
    assert f"<#{news.id}>" not in shown
    for deny in (Permission.SEND_MESSAGES, Permission.MANAGE_CHANNELS):
        club.guild.set_permissions(news, moderator, deny=deny)
        for what, options in posting.items():
            chosen = await answer_for(what, options)
            assert f"<#{news.id}>" in chosen
            assert "You need" not in chosen
    club.guild.set_permissions(news, moderator, deny=denied)
    forbidden = await setup_answer(moderator, club.channel, "forbid", channel=news)
    assert "You need" not in forbidden, "nothing is posted by that"


async def test_managing_events_in_one_room_is_not_enough_to_organize(
    club: Club, room: Channel
) -> None:
    asked = await create(club.cid, room, name="Cup", format="swiss")
    assert texts(asked).startswith("You can't make tournaments here yet. ")
    organiser = club.guild.add_person("Olga", permissions=Permission.MANAGE_EVENTS)
    made = await create(organiser, room, name="Cup", format="swiss")
    assert "Cup" in texts(made)


async def test_an_unknown_server_has_unknown_roles(club: Club, moderator: Person) -> None:
    guild, state = club.guild.guild, club.world.state
    away = {"id": str(guild.id)}
    state.publish(Event("GUILD_DELETE", away, guild.id, Intent.GUILDS))
    await club.bot.wrote("bot removed from guild")
    refused = await setup_answer(moderator, club.channel, "limit", games=2)
    assert refused == "Discord hasn't told me this server's roles yet. Try again in a moment."
    back = payloads.guild_create(guild, club.world.bot_user)
    state.publish(Event("GUILD_CREATE", back, guild.id, Intent.GUILDS))
    assert "Up to 2 games" in await setup_answer(moderator, club.channel, "limit", games=2)

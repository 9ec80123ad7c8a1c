"""Tests for people's display names, which are stored per server."""

from typing import Any

import discord

from bot.base.ids import GuildId, UserId
from bot.connection.bounded_cache import BoundedCache
from bot.play.readers import NameCache
from bot.play.words.pictures import Seats

STATE = discord.Client(intents=discord.Intents.none())._connection
ANN, BOB, CID = UserId(11), UserId(12), UserId(13)


def user(number: int, name: str) -> discord.User:
    return discord.User(state=STATE, data=_user(number, name))


def member(number: int, name: str, guild: int, nick: str | None = None) -> discord.Member:
    data: Any = {
        "user": _user(number, name),
        "nick": nick,
        "roles": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
    }
    server: Any = {"id": str(guild), "name": "a server"}
    return discord.Member(data=data, guild=discord.Guild(data=server, state=STATE), state=STATE)


def _user(number: int, name: str) -> Any:
    return {"id": str(number), "username": name, "discriminator": "0", "avatar": None}


def seats(guild: int, white: UserId = ANN, black: UserId = BOB) -> Seats:
    return Seats(GuildId(guild), white, black)


def test_names_are_unknown_before_they_are_received() -> None:
    assert seats(1).names(NameCache().name) == ("", "")


def test_each_server_has_its_own_names_with_plain_ones_as_fallback() -> None:
    names = NameCache()
    names.record(member(ANN, "ann", 1, nick="Queen Ann"), user(BOB, "bob"), user(ANN, "ann"))

    assert seats(1).names(names.name) == ("Queen Ann", "bob")
    assert seats(2).names(names.name) == ("ann", "bob")
    assert seats(0, BOB, CID).names(names.name) == ("bob", "")


def test_the_last_received_name_counts() -> None:
    names = NameCache()
    names.record(member(ANN, "ann", 1, nick="Queen Ann"))
    names.record(member(ANN, "ann", 1))

    assert seats(1).names(names.name)[0] == "ann"


def test_the_oldest_of_many_names_are_forgotten() -> None:
    names: BoundedCache[str, int] = BoundedCache(limit=2)
    for name in ("ann", "bob", "ann", "cid"):
        names.put(name, len(name))

    assert [names.get(name) for name in ("ann", "bob", "cid")] == [3, None, 3]

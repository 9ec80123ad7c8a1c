"""Tests that the right language and look are used: a person's, a channel's, or a server's."""

from datetime import UTC, datetime

import discord
import pytest

from bot.base.ids import ChannelId, GuildId, UserId
from bot.connection.channel_requests import Channels
from bot.play.model.preferences import Style
from bot.play.readers import Readers
from dvonn import Coordinates
from tests.bot.connection import received
from tests.bot.table import Table

HOME, HALL, GAME = GuildId(received.HOME), ChannelId(received.HALL), ChannelId(received.GAME)
ANN = UserId(received.ANN)


@pytest.fixture
def readers(table: Table) -> Readers:
    """The readers of a bot in a German server."""
    channels = Channels(received.client(), now=lambda: datetime.now(UTC))
    return Readers(table.store, channels)


async def test_a_channel_uses_its_own_language_or_its_servers_or_discords(
    table: Table, readers: Readers
) -> None:
    async def languages() -> list[str]:
        return [(await readers.for_channel(HOME, where)).locale for where in (HALL, GAME)]

    assert await languages() == ["de", "de"]
    await table.styles.choose_for_server(HOME, Style(language="it"))
    assert await languages() == ["it", "it"]
    await table.styles.choose_for_channel(HOME, HALL, Style(language="fr"))
    assert await languages() == ["fr", "fr"], "a thread is as its channel"
    await table.styles.choose_for_channel(HOME, GAME, Style(language="nl"))
    assert await languages() == ["fr", "nl"]


def pressed(locale: discord.Locale) -> discord.Interaction[discord.Client]:
    """Return an interaction of Ann's, whose client has a given language."""
    made = received.interaction(received.HOME)
    made.locale = locale
    return made


async def test_a_reader_gets_their_chosen_language_or_their_clients(
    table: Table, readers: Readers
) -> None:
    assert (await readers.for_direct_message(ANN)).locale == "en", "nothing is known of them"
    alone = await readers.for_interaction(pressed(discord.Locale.french))
    assert (alone.locale, alone.coordinates) == ("fr", None)
    assert (await readers.for_direct_message(ANN)).locale == "fr", "as their Discord spoke last"
    await table.choices.set_language(ANN, "it")
    await table.choices.set_coordinates(ANN, Coordinates.PERGIOCO)
    alone = await readers.for_interaction(pressed(discord.Locale.french))
    assert (alone.locale, alone.coordinates) == ("it", Coordinates.PERGIOCO)
    assert (await readers.for_direct_message(ANN)).locale == "it"

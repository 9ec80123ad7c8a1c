"""/help, and what it depends on: the channel, the game there, and what the bot may read."""

import math

from discord import app_commands

from bot import __version__
from bot.base.ids import ChannelId, UserId
from bot.base.locales import Reader
from bot.connection.posts import Post
from bot.play.doors.answers import Answer, answering
from bot.play.doors.commands import anywhere, guild_of, lines_of_help
from bot.play.doors.services import Interaction
from bot.play.doors.venues import venue
from bot.play.model.game import Game
from bot.play.model.refusals.playing import NoGameHere
from bot.play.words.help import FIRST_PAGE, STATUS_PAGE, Surroundings, status_page
from bot.play.words.help import help_page as help_page_post
from bot.play.words.troubles import Status


@app_commands.command(name="help", description="How to play here, and the rules with pictures")
@anywhere
async def show_help(interaction: Interaction) -> None:
    """Show the first page to the asker."""
    async with answering(interaction) as answer:
        await answer.privately(await help_page(answer, FIRST_PAGE))


async def help_page(answer: Answer, name: str) -> Post:
    """Return a page of help for the asker and the place."""
    if name == STATUS_PAGE:
        return status_page(answer.reader, await _status(answer.interaction))
    around = await _surroundings(answer.interaction, answer.reader)
    also = lines_of_help(answer.interaction.client.commands, answer.reader, around)
    return help_page_post(answer.reader, name, around, also)


async def _surroundings(interaction: Interaction, reader: Reader) -> Surroundings:
    """Read the state of the place in which help is asked for."""
    client, where = interaction.client, venue(interaction)
    assert client.user is not None  # we are logged in  # noqa: S101
    return Surroundings(
        reader=reader,
        asker=UserId(interaction.user.id),
        bot=UserId(client.user.id),
        game=await _game(interaction, where.channel),
        reads_messages=client.intents.message_content,
        has_machine=client.has_machine,
        slowmode=getattr(interaction.channel, "slowmode_delay", 0) > 0,
        venue=where,
        obstacle=await client.services.servers.obstacle(guild_of(interaction), where),
        command_ids=client.command_ids,
        parts=client.help_parts,
    )


_MILLISECONDS = 1_000


async def _status(interaction: Interaction) -> Status:
    client, guild = interaction.client, guild_of(interaction)
    count = client.shard_count or 1
    shard = (guild >> 22) % count
    return Status(
        version=__version__,
        heartbeat_ms=_milliseconds(dict(client.latencies).get(shard, math.nan)),
        heard_until=await client.services.heard.until(shard, count),
        unsent=await client.services.servers.unsent(guild),
        reads_messages=client.intents.message_content,
        has_machine=client.has_machine,
    )


def _milliseconds(seconds: float) -> int | None:
    """Return a heart beat's time; None before the first one."""
    return round(seconds * _MILLISECONDS) if math.isfinite(seconds) else None


async def _game(interaction: Interaction, channel: ChannelId) -> Game | None:
    try:
        return await interaction.client.services.games.here(channel)
    except NoGameHere:
        return None

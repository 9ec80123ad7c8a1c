"""/status."""

import math

from discord import app_commands

from bot import __version__, messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server, guild_of
from bot.edge.desk import Interaction
from bot.messages import Status

_MILLISECONDS = 1_000


@app_commands.command(description="Show whether all is well with me, to you alone")
@anywhere
@by_server
async def status(interaction: Interaction) -> None:
    """Tell how the bot is."""
    async with answering(interaction) as answer:
        client, guild = interaction.client, guild_of(interaction)
        count = client.shard_count or 1
        shard = (guild >> 22) % count
        store = client.desk.store
        post = messages.status(
            Status(
                version=__version__,
                heartbeat_ms=_milliseconds(dict(client.latencies).get(shard, math.nan)),
                heard_until=await store.listening.heard_until(shard, count),
                unsent=await store.deliveries.unsent_of_guild(guild),
                reads_messages=client.intents.message_content,
                has_machine=client.has_machine,
            )
        )
        await answer.privately(post)


def _milliseconds(seconds: float) -> int | None:
    """A heart beat's time; None before the first one."""
    return round(seconds * _MILLISECONDS) if math.isfinite(seconds) else None

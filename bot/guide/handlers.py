"""Handles /help, and collects its context: the channel, its game, and what the bot may read."""

import math

from discord import app_commands

from bot import __version__
from bot.base.ids import ChannelId, UserId, shard_of
from bot.base.languages import Reader
from bot.connection.posts import Post
from bot.guide.words.help import FIRST_PAGE, FIRST_RULE, STATUS_PAGE, status_page
from bot.guide.words.help import help_page as help_page_post
from bot.guide.words.status import Status
from bot.play.handlers import interactions
from bot.play.model.game import Game
from bot.play.model.refusals import NoGameHere
from bot.play.words.help import HelpContext
from bot.play.words.views import HOW_TO_PLAY_ID
from renderer import LESSONS


@app_commands.command(name="help", description="How to play here, and the rules with pictures")
@interactions.anywhere
async def show_help(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        await answer.send_private(await help_page(answer, FIRST_PAGE))


async def help_page(answer: interactions.Answer, name: str) -> Post:
    if name == STATUS_PAGE:
        return status_page(answer.reader, await _status(answer.interaction))
    context = await _help_context(answer.interaction, answer.reader)
    lines = interactions.help_lines(answer.client.commands, answer.reader, context)
    return help_page_post(answer.reader, name, context, lines)


async def _help_context(interaction: interactions.Interaction, reader: Reader) -> HelpContext:
    client, venue = interaction.client, interactions.venue(interaction)
    assert client.user is not None  # the client is logged in  # noqa: S101
    return HelpContext(
        reader=reader,
        asker=UserId(interaction.user.id),
        bot=UserId(client.user.id),
        game=await _game(interaction, venue.channel),
        reads_messages=client.intents.message_content,
        has_machine=client.services.has_machine,
        slowmode=getattr(interaction.channel, "slowmode_delay", 0) > 0,
        venue=venue,
        obstacle=await client.services.lobby.obstacle(interactions.guild_of(interaction), venue),
        command_ids=client.command_ids,
        parts=client.services.help_parts,
    )


_MILLISECONDS = 1_000


async def _status(interaction: interactions.Interaction) -> Status:
    client, guild = interaction.client, interactions.guild_of(interaction)
    venue = interactions.venue(interaction)
    count = client.shard_count or 1
    shard = shard_of(guild, count)
    return Status(
        version=__version__,
        heartbeat_ms=_milliseconds(dict(client.latencies).get(shard, math.nan)),
        received_until=await client.services.store.listening.received_until(shard, count),
        unsent=await client.services.store.deliveries.unsent_of_guild(guild),
        reads_messages=client.intents.message_content and not venue.visiting,
        lacking=venue.lacking,
        has_machine=client.services.has_machine,
    )


def _milliseconds(seconds: float) -> int | None:
    """Convert a heartbeat's latency, or return None before the first heartbeat."""
    return round(seconds * _MILLISECONDS) if math.isfinite(seconds) else None


async def _game(interaction: interactions.Interaction, channel: ChannelId) -> Game | None:
    try:
        return await interaction.client.services.game_cache.running_in(channel)
    except NoGameHere:
        return None


_PAGES = {"help": FIRST_PAGE, "rules": next(iter(LESSONS))}


class PublicHelpButton(interactions.Component, template=r"dvonn:asked:(?P<page>help|rules)"):
    """Button below a public answer that explains how to play."""

    async def respond(self, answer: interactions.Answer) -> None:
        await answer.send_private(await help_page(answer, _PAGES[self.match["page"]]))


class HelpButton(interactions.Component, template=r"dvonn:help:(?P<page>[a-z]{1,32})"):
    """Back or Next button below a help page."""

    async def respond(self, answer: interactions.Answer) -> None:
        await answer.edit_message(await help_page(answer, self.match["page"]))


class HowToPlayButton(interactions.Component, template=HOW_TO_PLAY_ID):
    """Button below a challenge or a first board that explains how to play.

    Only the user who presses it sees the answer.
    """

    async def respond(self, answer: interactions.Answer) -> None:
        await answer.send_private(await help_page(answer, FIRST_RULE))

"""Subcommands of /setup about a server's people and games, and the log of moderators' actions."""

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import GuildId, UserId
from bot.base.languages import Reader
from bot.people.handlers.setup_options import RoomOption, Scope, check, moderated_server
from bot.people.model import (
    LOG_CHANNEL,
    LONGEST_BLOCK,
    LONGEST_REASON,
    BadBlock,
    BlockProblem,
    ModeratorAction,
)
from bot.people.use_cases.moderation import GAMES_PER_PAGE, Moderation
from bot.people.words import moderation as words
from bot.play.handlers import interactions
from bot.play.model.refused_starts import MissingPermissions
from bot.play.model.terms import GuildRules
from bot.play.use_cases.use_cases import UseCases

_USER, _CHANNEL, _ROLE = 6, 7, 8
"""Discord's option types for a user, a channel and a role."""


def action_of(interaction: interactions.Interaction) -> ModeratorAction:
    """Return the /setup subcommand that a moderator used, with its options as typed."""
    data: Any = interaction.data or {}
    (used, *_) = data.get("options") or [{}]
    action = ModeratorAction(by=UserId(interaction.user.id), command=str(used.get("name", "")))
    for option in used.get("options") or ():
        value = option["value"]
        match option["type"]:
            case type_ if type_ == _USER:
                action = replace(action, player=UserId(int(value)))
                continue
            case type_ if type_ == _CHANNEL:
                value_text = f"<#{value}>"
            case type_ if type_ == _ROLE:
                value_text = f"<@&{value}>"
            case _:
                value_text = discord.utils.escape_markdown(str(value))
        action = replace(action, options=(*action.options, (str(option["name"]), value_text)))
    return action


async def log_action(answer: interactions.Answer, action: ModeratorAction | None = None) -> None:
    """Log a moderator's action, by default the subcommand that they have just used."""
    guild = interactions.guild_of(answer.interaction)
    logged_action = action_of(answer.interaction) if action is None else action
    await answer.services.require(Moderation).log(guild, logged_action)


@app_commands.command(description="Keep someone from starting or joining games here")
@app_commands.describe(
    person="Whom to block; they are told",
    days="For how many days",
    reason="Why, for this person to read",
)
async def block(
    interaction: interactions.Interaction,
    person: discord.User,
    days: app_commands.Range[int, 1, LONGEST_BLOCK],
    reason: app_commands.Range[str, 1, LONGEST_REASON],
) -> None:
    async with interactions.answering(interaction) as answer:
        _, guild = moderated_server(interaction)
        if person.bot:
            raise BadBlock(BlockProblem.BOT)
        channel = interactions.channel_of(interaction)
        server_block = await answer.services.require(Moderation).block(
            guild, channel, UserId(person.id), days, reason, action_of(interaction)
        )
        await answer.send_private(words.blocked_here(answer.reader, server_block))


@app_commands.command(description="Let someone start and join games here again")
@app_commands.describe(person="Who may play here again")
async def unblock(interaction: interactions.Interaction, person: discord.User) -> None:
    async with interactions.answering(interaction) as answer:
        _, guild = moderated_server(interaction)
        user = UserId(person.id)
        await answer.services.require(Moderation).unblock(guild, user, action_of(interaction))
        await answer.send_private(words.unblocked_here(answer.reader, user))


@app_commands.command(description="List the games that are running in this server")
async def games(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        moderated_server(interaction)
        await _show_running(answer, 0)


class RunningGamesButton(interactions.Component, template=r"dvonn:running:(?P<page>[0-9]{1,4})"):
    """Button for another page of a server's running games."""

    async def respond(self, answer: interactions.Answer) -> None:
        check(answer.interaction, Scope.SERVER)
        await _show_running(answer, int(self.match["page"]))


async def _show_running(answer: interactions.Answer, page: int) -> None:
    page_games, total = await answer.services.require(Moderation).running(answer.guild, page)
    await answer.view(words.running_list(answer.reader, page_games, page, total, GAMES_PER_PAGE))


@app_commands.command(description="Choose a channel for a log of what moderators do here")
@app_commands.describe(room="The channel; empty: no log")
@app_commands.rename(room="channel")
async def log(interaction: interactions.Interaction, room: RoomOption | None = None) -> None:
    async with interactions.answering(interaction) as answer:
        servers, guild = moderated_server(interaction)
        channel = None if room is None else room.checked_id()
        if channel is not None and (missing := answer.services.publisher.channels.missing(channel)):
            raise MissingPermissions(missing)
        if channel is None:
            await log_action(answer)  # this is the log's last entry
        await servers.choose_for(guild, LOG_CHANNEL, channel)
        if channel is not None:
            await log_action(answer)
        await answer.send_private(words.log_chosen(answer.reader, channel))


async def _log_line(cases: UseCases, reader: Reader, guild: GuildId, _rules: GuildRules) -> str:
    return words.log_line(reader, await cases.require(Moderation).log_channel(guild))


async def _blocks_line(
    cases: UseCases, reader: Reader, guild: GuildId, _rules: GuildRules
) -> str | None:
    return words.blocks_line(reader, await cases.require(Moderation).blocked(guild))


PLACE_SETTINGS = (
    interactions.PlaceSetting(command=games, rank=4),
    interactions.PlaceSetting(command=block, rank=4, line=_blocks_line),
    interactions.PlaceSetting(command=unblock, rank=4),
    interactions.PlaceSetting(command=log, rank=4, line=_log_line),
)

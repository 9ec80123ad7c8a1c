"""The slash commands."""

from typing import Any, Literal

import discord
from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.desk import DeskClient, Interaction
from bot.edge.places import check_place, threads_possible
from bot.errors import NotAllowed
from bot.ids import ChannelId, GuildId, SourceId, UserId
from bot.store.rows import ChallengeTerms, ColourChoice, Place
from dvonn import Coordinates

AUTOCOMPLETE_LIMIT = 25
GAMES_LISTED = 25

_in_servers = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
_by_server = app_commands.allowed_installs(guilds=True, users=False)


class Commands(app_commands.CommandTree[DeskClient]):
    """The commands; a fault outside their own code is answered too."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer when a command cannot even be begun, as when Discord knows an older form of it."""
        async with answering(interaction):
            raise error


def command_tree(client: DeskClient) -> Commands:
    """All commands of the bot."""
    tree = Commands(client)
    commands: tuple[app_commands.Command[Any, Any, Any], ...] = (
        challenge,
        move,
        board,
        games,
        resign,
        abort,
    )
    for command in commands:
        tree.add_command(command)
    return tree


@app_commands.command(description="Challenge somebody, or anyone, to a game of DVONN")
@app_commands.describe(
    opponent="Whom you challenge. Leave it out to play whoever accepts first",
    colour="The colour that you play. White begins",
    coordinates="How spaces are named: standard a1 to k5, or pergioco e1 to a11",
    where="In this channel, or in a thread of its own",
)
@_in_servers
@_by_server
async def challenge(
    interaction: Interaction,
    opponent: discord.User | None = None,
    colour: Literal["white", "black", "random"] = "random",
    coordinates: Literal["standard", "pergioco"] = "standard",
    where: Literal["here", "thread"] = "here",
) -> None:
    """Challenge somebody, or anyone."""
    async with answering(interaction) as answer:
        place = Place(where)
        check_place(interaction, place)
        row = await interaction.client.desk.games.challenge(
            ChallengeTerms(
                guild=_guild(interaction),
                channel=_channel(interaction),
                challenger=UserId(interaction.user.id),
                opponent=None if opponent is None else UserId(opponent.id),
                colour=ColourChoice(colour),
                coordinates=Coordinates(coordinates),
                place=place,
            ),
            opponent_is_bot=opponent is not None and opponent.bot,
            thread_possible=threads_possible(interaction),
            source=SourceId(interaction.id),
        )
        await answer.publicly(messages.challenge(row))


@app_commands.command(description="Place a piece or move a stack")
@app_commands.describe(move="A free space such as d2, or a move such as d2-d4")
@_in_servers
@_by_server
async def move(interaction: Interaction, move: str) -> None:
    """Place or move in this channel's game."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        update = await desk.games.play(
            _channel(interaction),
            UserId(interaction.user.id),
            move,
            source=SourceId(interaction.id),
        )
        await answer.privately(messages.played(update))
        await desk.publisher.publish(update)


@move.autocomplete("move")
async def _legal_moves(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    legal = await interaction.client.desk.games.legal_here(
        _channel(interaction), UserId(interaction.user.id), typed
    )
    return [app_commands.Choice(name=text, value=text) for text in legal[:AUTOCOMPLETE_LIMIT]]


@app_commands.command(description="Show the board of this channel's game, to you alone")
@_in_servers
@_by_server
async def board(interaction: Interaction) -> None:
    """Show the board."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        post = messages.look(await desk.games.here(_channel(interaction)))
        await answer.privately(post, await desk.publisher.draw(post))


@app_commands.command(description="List your running games in this server")
@_in_servers
@_by_server
async def games(interaction: Interaction) -> None:
    """List the asker's games."""
    async with answering(interaction) as answer:
        desk, user = interaction.client.desk, UserId(interaction.user.id)
        guild = _guild(interaction)
        running = await desk.games.of_player(guild, user)
        listed = [
            (game, await desk.store.outbox.newest_board(game.row.id))
            for game in running[:GAMES_LISTED]
        ]
        await answer.privately(messages.running_games(listed, guild, user))


@app_commands.command(description="Give up this channel's game, after a question")
@_in_servers
@_by_server
async def resign(interaction: Interaction) -> None:
    """Ask whether to resign."""
    async with answering(interaction) as answer:
        game = await interaction.client.desk.games.seated_here(
            _channel(interaction), UserId(interaction.user.id)
        )
        await answer.privately(messages.confirm_resignation(game))


@app_commands.command(description="For moderators: end this channel's game without a result")
@app_commands.default_permissions(manage_channels=True)
@_in_servers
@_by_server
async def abort(interaction: Interaction) -> None:
    """End a game without a result."""
    async with answering(interaction) as answer:
        # A server can show this command to anyone, so the permission is looked at here too.
        if not interaction.permissions.manage_channels:
            raise NotAllowed("Manage Channels")
        desk = interaction.client.desk
        update = await desk.games.abort(
            _channel(interaction), UserId(interaction.user.id), source=SourceId(interaction.id)
        )
        await answer.privately(messages.played(update))
        await desk.publisher.publish(update)


def _channel(interaction: Interaction) -> ChannelId:
    return ChannelId(interaction.channel_id or 0)


def _guild(interaction: Interaction) -> GuildId:
    return GuildId(interaction.guild_id or 0)

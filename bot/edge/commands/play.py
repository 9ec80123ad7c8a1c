"""The commands that change a running game."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server, channel_of, is_moderator
from bot.edge.desk import Interaction
from bot.edge.readers import asker
from bot.model.ids import SourceId, UserId
from bot.model.lists import LONGEST
from bot.model.refusals import PlayError

AUTOCOMPLETE_LIMIT = 25


@app_commands.command(description="Place a piece or move a stack")
@app_commands.describe(
    move="A free space such as d2, or a move such as d2-d4. While placing: also several spaces"
)
@anywhere
@by_server
async def move(interaction: Interaction, move: app_commands.Range[str, 1, LONGEST]) -> None:
    """Place or move in this channel's game."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        update = await desk.games.play(
            channel_of(interaction),
            UserId(interaction.user.id),
            move,
            source=SourceId(interaction.id),
        )
        await answer.publish(update, answer.privately(messages.played(answer.reader, update)))


@move.autocomplete("move")
async def _legal_moves(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    try:
        game, legal = await interaction.client.desk.games.legal_here(
            channel_of(interaction), UserId(interaction.user.id), typed
        )
    except PlayError:
        return []  # there is nothing to choose from; the command itself says why
    return [
        app_commands.Choice(name=option.label, value=option.value)
        for option in messages.suggestions(asker(interaction), game, legal[:AUTOCOMPLETE_LIMIT])
    ]


@app_commands.command(description="Give up this channel's game, after a question")
@anywhere
@by_server
async def resign(interaction: Interaction) -> None:
    """Ask whether to resign."""
    async with answering(interaction) as answer:
        game = await interaction.client.desk.games.seated_here(
            channel_of(interaction), UserId(interaction.user.id)
        )
        await answer.privately(messages.confirm_resignation(answer.reader, game))


@app_commands.command(
    description="End this channel's game without a result: early on, or after weeks without a move"
)
@anywhere
@by_server
async def abort(interaction: Interaction) -> None:
    """End a game without a result."""
    async with answering(interaction) as answer:
        desk = interaction.client.desk
        update = await desk.games.abort(
            channel_of(interaction),
            UserId(interaction.user.id),
            may_any=is_moderator(interaction),
            source=SourceId(interaction.id),
        )
        await answer.publish(update, answer.privately(messages.played(answer.reader, update)))

"""The commands that change a running game."""

from functools import partial

from discord import app_commands

from bot.base.errors import PlayError
from bot.base.ids import UserId
from bot.play.doors.interactions import Interaction, answering, anywhere, channel_of, in_help
from bot.play.doors.option_choices import AUTOCOMPLETE_LIMIT, TextChoices, choices
from bot.play.model.courtesies import LONGEST
from bot.play.model.game import Offer
from bot.play.words.help import Surroundings
from bot.play.words.moves import suggestions
from bot.play.words.picker import picker, preview
from bot.play.words.private_answers import confirm_resignation, played


@app_commands.command(description="Place a piece or move a stack; empty: show what you can play")
@app_commands.describe(move="Such as d2 or d2-d4; while placing, also several spaces")
@anywhere
async def move(
    interaction: Interaction, move: app_commands.Range[str, 1, LONGEST] | None = None
) -> None:
    async with answering(interaction) as answer:
        services = answer.services
        channel, user = channel_of(interaction), answer.user
        if move is None:
            game, _ = await services.games.legal_here(channel, user)
            await answer.privately(picker(answer.reader, game))
            return
        named = answer.reader.coordinates
        find = partial(services.games.running_here, channel, user)
        if (found := await services.games.preview(find, user, move, named)) is not None:
            await answer.privately(preview(answer.reader, found))
            return
        playing = services.games.play(channel, user, move, source=answer.source, named=named)
        await answer.play_or_vote(playing, answer.privately, text=move, named=named)


@move.autocomplete("move")
async def _legal_moves(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.services.readers.asker(interaction)
    try:
        game, legal = await interaction.client.services.games.legal_here(
            channel_of(interaction), UserId(interaction.user.id), typed, reader.coordinates
        )
    except PlayError:
        return []  # there is nothing to choose from; the command itself says why
    return choices(suggestions(reader, game, legal[:AUTOCOMPLETE_LIMIT]))


def _in_own_game(around: Surroundings) -> bool:
    """Tell whether there is a game, and no team's: its votes stand, and nobody speaks for it."""
    return around.game is not None and not around.teams_play


@in_help(
    lambda reader: reader.gettext("{command} undoes your last move; {draw} offers a draw."),
    "draw",
    where=_in_own_game,
)
@app_commands.command(description="Take back your last move (after a minute I ask your opponent)")
@anywhere
async def undo(interaction: Interaction) -> None:
    await _ask(interaction, Offer.TAKEBACK)


@app_commands.command(description="Offer a draw, or accept one")
@anywhere
async def draw(interaction: Interaction) -> None:
    await _ask(interaction, Offer.DRAW)


async def _ask(interaction: Interaction, what: Offer) -> None:
    async with answering(interaction) as answer:
        update = await answer.services.offers.ask(
            channel_of(interaction), answer.user, what, source=answer.source
        )
        await answer.publish(update, answer.privately(played(answer.reader, update)))


@in_help(lambda reader: reader.gettext("{command} resigns; I ask first."), where=_in_own_game)
@app_commands.command(description="Resign this channel's game; I ask first")
@anywhere
async def resign(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        user = answer.user
        game = await answer.services.games.seated_here(channel_of(interaction), user)
        await answer.privately(confirm_resignation(answer.reader, game, user))

"""The commands by which one player asks something of the other."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, by_server, channel_of, in_help
from bot.edge.desk import Interaction
from bot.locales import Reader
from bot.messages import Surroundings
from bot.model.game import Offer
from bot.model.ids import SourceId, UserId


def _takeback_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext(
        "{command} takes back what you played last, at once or by asking. {draw} offers a draw."
    ).format(command=around.command("takeback"), draw=around.command("draw"))


@in_help(_takeback_help)
@app_commands.command(
    description="Take back what you played last: at once within a minute, later by asking"
)
@anywhere
@by_server
async def takeback(interaction: Interaction) -> None:
    """Take a move back, or ask for it."""
    await _ask(interaction, Offer.TAKEBACK)


@app_commands.command(description="Offer a draw, or accept the one that your opponent offers")
@anywhere
@by_server
async def draw(interaction: Interaction) -> None:
    """Offer or accept a draw."""
    await _ask(interaction, Offer.DRAW)


@app_commands.command(
    description="Propose that I place all pieces that are left, by fair lot; your opponent decides"
)
@anywhere
@by_server
async def fill(interaction: Interaction) -> None:
    """Propose that the rest is placed at random, or accept that."""
    await _ask(interaction, Offer.FINISH)


async def _ask(interaction: Interaction, what: Offer) -> None:
    async with answering(interaction) as answer:
        update = await interaction.client.desk.offers.ask(
            channel_of(interaction),
            UserId(interaction.user.id),
            what,
            source=SourceId(interaction.id),
        )
        await answer.publish(update, answer.privately(messages.played(answer.reader, update)))

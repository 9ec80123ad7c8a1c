"""/learn: the rules by playing, and first steps of strategy."""

from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.commands.common import anywhere, in_help
from bot.edge.desk import Interaction
from bot.edge.exercises import exercise_of
from bot.edge.exercises.base import asked_by, begin
from bot.locales import Reader
from bot.messages import Surroundings
from bot.model.exercises import ExerciseSpot


def _help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext(
        "{command} teaches the game in five minutes, and more if you like."
    ).format(command=around.command("learn"))


@in_help(_help)
@app_commands.command(description="Learn DVONN by playing; only you see it")
@anywhere
async def learn(interaction: Interaction) -> None:
    """Go on where somebody has come to."""
    async with answering(interaction) as answer:
        asked = asked_by(answer, ExerciseSpot(messages.LEARN, messages.ON_KEY))
        await begin(answer, await exercise_of(interaction.client.desk, asked.spot).show(asked))

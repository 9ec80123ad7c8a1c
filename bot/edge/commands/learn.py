"""/learn: the rules by playing, and first steps of strategy."""

from discord import app_commands

from bot.edge.answers import answering
from bot.edge.commands.common import anywhere
from bot.edge.desk import Interaction
from bot.edge.exercises.all import exercise_of
from bot.edge.exercises.base import asked_by, begin
from bot.messages.primer import LEARN, ON_KEY
from bot.model.exercises import ExerciseSpot


@app_commands.command(description="Learn DVONN by playing; only you see it")
@anywhere
async def learn(interaction: Interaction) -> None:
    """Go on where somebody has come to."""
    async with answering(interaction) as answer:
        asked = asked_by(answer, ExerciseSpot(LEARN, ON_KEY))
        await begin(answer, await exercise_of(interaction.client.desk, asked.spot).show(asked))

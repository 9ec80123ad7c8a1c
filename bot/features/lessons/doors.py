"""/learn: the rules by playing, and first steps of strategy."""

from discord import app_commands

from bot.features.exercises.base import asked_by, begin, exercise_of
from bot.features.exercises.model import ExerciseSpot
from bot.features.lessons.words.lessons import LEARN, ON_KEY
from bot.play.doors.interactions import Interaction, answering, anywhere


@app_commands.command(description="Learn DVONN by playing; only you see it")
@anywhere
async def learn(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        asked = asked_by(answer, ExerciseSpot(LEARN, ON_KEY))
        await begin(answer, await exercise_of(interaction.client.services, asked.spot).show(asked))

"""/puzzle: a position with one right move, shown privately."""

from functools import partial

from discord import app_commands

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.base.locales import IN_ENGLISH, Reader
from bot.connection.registration import FOR_READER
from bot.features.exercises.base import begin
from bot.features.practice.use_cases import Practising
from bot.features.practice.words import with_practice
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.puzzles.words.puzzles import from_here, puzzle_asked, theme_name
from bot.play.doors.interactions import Interaction, answering, anywhere, in_help
from bot.play.words.help import Surroundings
from dvonn.puzzles import PuzzleTheme


def _help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext("{command} gives you a puzzle that fits you.").format(
        command=around.command("puzzle")
    )


def _label(theme: PuzzleTheme, reader: Reader) -> str:
    return theme_name(reader, theme)


_HERE = "here"
"""Of no theme: from this server's games."""

_THEMES = [
    app_commands.Choice(
        name=app_commands.locale_str(from_here(IN_ENGLISH), **{FOR_READER: from_here}),
        value=_HERE,
    ),
    *(
        app_commands.Choice(
            name=app_commands.locale_str(
                theme_name(IN_ENGLISH, one), **{FOR_READER: partial(_label, one)}
            ),
            value=one.value,
        )
        for one in PuzzleTheme
    ),
]


@in_help(_help)
@app_commands.command(description="Solve a puzzle: find the one right move; only you see it")
@app_commands.describe(theme="What it is about; empty: anything")
@app_commands.choices(theme=_THEMES)
@anywhere
async def puzzle(interaction: Interaction, theme: str | None = None) -> None:
    async with answering(interaction) as answer:
        services, user = interaction.client.services, UserId(interaction.user.id)
        if theme == _HERE:
            guild = GuildId(interaction.guild_id or NO_GUILD)
            key = await services.of(Puzzles).pick_here(user, guild)
        else:
            wanted = None if theme is None else PuzzleTheme(theme)
            key = await services.of(Puzzles).pick(user, wanted)
        view = puzzle_asked(answer.reader, key, ())
        due = await services.of(Practising).due(user)
        await begin(answer, with_practice(answer.reader, view, due))

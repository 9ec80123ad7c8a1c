"""/profile and /leaderboard: people's strength, shown privately."""

from functools import partial

import discord
from discord import app_commands

from bot.base.locales import IN_ENGLISH, Reader
from bot.connection.translator import FOR_READER
from bot.features.profiles.doors.buttons import person, show_leaderboard, show_profile
from bot.features.profiles.words.profiles import all_servers, pace_name, this_server
from bot.features.ratings.model.glicko import Pace
from bot.play.doors.interactions import Interaction, answering, anywhere, in_help
from bot.play.words.help import Surroundings


def _profile_help(reader: Reader, around: Surroundings) -> str:
    return reader.gettext(
        "{command} shows your rating and how your games went; {leaderboard} shows the best players."
    ).format(command=around.command("profile"), leaderboard=around.command("leaderboard"))


@in_help(_profile_help)
@app_commands.command(description="Show your rating and results, or another player's")
@app_commands.describe(
    player="Whose; empty: your own",
    against="Whom to compare them with; empty: you",
)
@anywhere
async def profile(
    interaction: Interaction,
    player: discord.User | None = None,
    against: discord.User | None = None,
) -> None:
    async with answering(interaction) as answer:
        whose = person(interaction.user if player is None else player)
        other = None if against is None else person(against)
        await show_profile(answer, whose, against=other)


def _pace_label(pace: Pace, reader: Reader) -> str:
    return pace_name(reader, pace)


_PACES = [
    app_commands.Choice(
        name=app_commands.locale_str(
            pace_name(IN_ENGLISH, pace), **{FOR_READER: partial(_pace_label, pace)}
        ),
        value=pace.value,
    )
    for pace in (Pace.SLOW, Pace.LIVE)
]
_PLACES = [
    app_commands.Choice(
        name=app_commands.locale_str(words(IN_ENGLISH), **{FOR_READER: words}),
        value=value,
    )
    for words, value in ((this_server, "here"), (all_servers, "all"))
]


@app_commands.command(description="Show who has the highest ratings, and your own place")
@app_commands.describe(
    pace="Slow games (days, or no clock) or live ones; empty: slow",
    where="In this server, or in all that I'm in",
)
@app_commands.choices(pace=_PACES, where=_PLACES)
@anywhere
async def leaderboard(
    interaction: Interaction, pace: str = Pace.SLOW.value, where: str = "here"
) -> None:
    async with answering(interaction) as answer:
        await show_leaderboard(answer, Pace(pace), everywhere=where == "all")


@app_commands.context_menu(name="Profile")
@anywhere
async def profile_of(interaction: Interaction, player: discord.User) -> None:
    async with answering(interaction) as answer:
        await show_profile(answer, person(player))

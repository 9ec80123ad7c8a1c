"""Handles /profile and /leaderboard, which show ratings privately, and their buttons."""

from typing import Final

import discord
from discord import app_commands

from bot.base.ids import NO_GUILD, UserId
from bot.connection.forms import DISCORD_ID
from bot.play.handlers.interactions import (
    Answer,
    Component,
    Interaction,
    answering,
    anywhere,
    in_help,
)
from bot.play.handlers.option_choices import choice
from bot.play.model.clock import Pace
from bot.play.model.refusals import StaleBoard
from bot.play.model.refused_starts import NotAllowed
from bot.replay.handlers.views import may_share
from club.profiles.model import ProfileHidden, ProfileProblem
from club.profiles.use_cases import Profiles
from club.profiles.words import profiles
from club.profiles.words.leaderboards import leaderboard_shown

_EVERYWHERE: Final = "all"


class ProfileButton(
    Component,
    template=rf"dvonn:profile:(?P<player>{DISCORD_ID}):(?P<other>{DISCORD_ID}):"
    r"(?P<action>here|all|share)",
):
    """Buttons of a profile: for this server or all servers, and to share it."""

    async def respond(self, answer: Answer) -> None:
        player, other = UserId(int(self.match["player"])), UserId(int(self.match["other"]))
        if self.action == "share":
            if player != answer.user:  # the custom id is forged
                raise StaleBoard
            await share_profile(answer)
            return
        await show_profile(
            answer, player, against=other or None, everywhere=self.action == _EVERYWHERE
        )


class LeaderboardButton(
    Component,
    template=r"dvonn:leaderboard:(?P<pace>live|slow):(?P<where>here|all):"
    r"(?P<page>[0-9]{1,7}|mine)",
):
    """The button that opens a page of a leaderboard."""

    async def respond(self, answer: Answer) -> None:
        page = self.match["page"]
        await show_leaderboard(
            answer,
            Pace(self.match["pace"]),
            everywhere=self.match["where"] == _EVERYWHERE,
            page=int(page) if page.isdecimal() else None,
        )


async def show_profile(
    answer: Answer, player: UserId, *, against: UserId | None = None, everywhere: bool = False
) -> None:
    """Show a player's profile to the user who asks.

    Raises:
        ProfileHidden: if they may not see it.
    """
    user_profile = await answer.services.require(Profiles).get(
        player, asker=answer.user, guild=answer.guild, everywhere=everywhere, against=against
    )
    shares = may_share(answer.interaction)
    await answer.view(
        profiles.profile_shown(answer.reader, user_profile, answer.user, may_share=shares)
    )


def person(user: discord.abc.User) -> UserId:
    """Return the id of a user who can have a profile.

    Raises:
        ProfileHidden: if it is a bot.
    """
    if user.bot:
        raise ProfileHidden(UserId(user.id), ProfileProblem.MACHINE)
    return UserId(user.id)


async def share_profile(answer: Answer) -> None:
    """Post the user's own profile in this server to everyone who reads the channel.

    Raises:
        StaleBoard: if there is no server, or their profile is hidden.
        NotAllowed: if they may not write there.
    """
    if not may_share(answer.interaction):
        raise NotAllowed("Send Messages")
    asker = answer.user
    user_profile = await answer.services.require(Profiles).get(
        asker, asker=asker, guild=answer.guild
    )
    if user_profile.guild == NO_GUILD or user_profile.is_hidden:
        raise StaleBoard
    await answer.send_public(profiles.profile_shared(await answer.public_reader(), user_profile))


async def show_leaderboard(
    answer: Answer, pace: Pace, *, everywhere: bool = False, page: int | None = 0
) -> None:
    """Show a page of a leaderboard. None means the user's own page."""
    ranking = await answer.services.require(Profiles).leaderboard(
        pace, asker=answer.user, guild=answer.guild, everywhere=everywhere, page=page
    )
    await answer.view(leaderboard_shown(answer.reader, ranking, answer.user))


@in_help()
@app_commands.command(description="Show your rating and results, or another player's")
@app_commands.describe(
    player="Whose profile (empty: yours)", against="Another player to compare with; empty: you"
)
@anywhere
async def profile(
    interaction: Interaction,
    player: discord.User | None = None,
    against: discord.User | None = None,
) -> None:
    async with answering(interaction) as answer:
        owner = person(interaction.user if player is None else player)
        other = None if against is None else person(against)
        await show_profile(answer, owner, against=other)


_PACES = [choice(pace.value, profiles.pace_name, pace) for pace in (Pace.SLOW, Pace.LIVE)]
_PLACES = [choice("here", profiles.this_server), choice("all", profiles.all_servers)]


@in_help()
@app_commands.command(description="Show who has the highest ratings, and your own place")
@app_commands.describe(
    pace="Slow games (days, or no clock) or live ones; empty: slow",
    where="This server, or all servers",
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

"""Profiles and leaderboards, shown by commands and buttons alike."""

from typing import Final

import discord

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.features.profiles.model import ProfileHidden, ProfileProblem
from bot.features.profiles.use_cases.leaderboards import Leaderboards
from bot.features.profiles.use_cases.profiles import Profiles
from bot.features.profiles.words.leaderboards import leaderboard
from bot.features.profiles.words.profiles import profile_shared, profile_shown
from bot.features.ratings.model.glicko import Pace
from bot.play.doors.interactions import Answer, Component
from bot.play.doors.looking import may_share
from bot.play.model.refusals.playing import TurnOver
from bot.play.model.refusals.starting import NotAllowed

_EVERYWHERE: Final = "all"


class ProfileButton(
    Component,
    template=r"dvonn:profile:(?P<player>[0-9]{1,20}):(?P<other>[0-9]{1,20}):"
    r"(?P<action>here|all|share)",
):
    """A profile, or what can be done with it."""

    async def respond(self, answer: Answer) -> None:
        player, other = UserId(int(self.found["player"])), UserId(int(self.found["other"]))
        if self.action == "share":
            if player != answer.user:  # somebody has forged it
                raise TurnOver
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
    """A page of a leaderboard."""

    async def respond(self, answer: Answer) -> None:
        page = self.found["page"]
        await show_leaderboard(
            answer,
            Pace(self.found["pace"]),
            everywhere=self.found["where"] == _EVERYWHERE,
            page=int(page) if page.isdecimal() else None,
        )


async def show_profile(
    answer: Answer, player: UserId, *, against: UserId | None = None, everywhere: bool = False
) -> None:
    """Show a player's profile to the person who asks.

    Raises:
        ProfileHidden: if they may not see it.
    """
    asked = answer.interaction
    asker = UserId(asked.user.id)
    found = await asked.client.services.of(Profiles).of(
        player, asker=asker, guild=_guild(answer), everywhere=everywhere, against=against
    )
    shares = asked.guild_id is not None and may_share(asked)
    await answer.view(profile_shown(answer.reader, found, asker, may_share=shares))


def person(user: discord.abc.User) -> UserId:
    """Return the id of a user whose profile can be asked for.

    Raises:
        ProfileHidden: if it is a bot.
    """
    if user.bot:
        raise ProfileHidden(UserId(user.id), ProfileProblem.MACHINE)
    return UserId(user.id)


async def share_profile(answer: Answer) -> None:
    """Show the asker's own profile, as this server sees it, to all who read the channel.

    Raises:
        TurnOver: where there is no server, or if they keep their profile to themselves.
        NotAllowed: if they may not write there.
    """
    asked, asker = answer.interaction, answer.user
    if not may_share(asked):
        raise NotAllowed("Send Messages")
    found = await asked.client.services.of(Profiles).of(asker, asker=asker, guild=_guild(answer))
    if found.guild == NO_GUILD or found.is_hidden:
        raise TurnOver
    await answer.publicly(profile_shared(await answer.everybody(), found))


async def show_leaderboard(
    answer: Answer, pace: Pace, *, everywhere: bool = False, page: int | None = 0
) -> None:
    """Show a page of a leaderboard; None: the asker's own."""
    asked = answer.interaction
    asker = UserId(asked.user.id)
    found = await asked.client.services.of(Leaderboards).page(
        pace, asker=asker, guild=_guild(answer), everywhere=everywhere, page=page
    )
    await answer.view(leaderboard(answer.reader, found, asker))


def _guild(answer: Answer) -> GuildId:
    return GuildId(answer.interaction.guild_id or NO_GUILD)

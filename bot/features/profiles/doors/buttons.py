"""The buttons of profiles and leaderboards."""

from typing import Any, Final

import discord

from bot.base.ids import UserId
from bot.connection.from_id import FromId
from bot.features.profiles.doors.showing import share_profile, show_leaderboard, show_profile
from bot.features.ratings.model.glicko import Pace
from bot.play.doors.answers import answering
from bot.play.model.refusals.playing import TurnOver

_EVERYWHERE: Final = "all"


class ProfileButton(
    FromId,
    template=r"dvonn:profile:(?P<player>[0-9]{1,20}):(?P<other>[0-9]{1,20}):"
    r"(?P<action>here|all|share)",
):
    """A profile, or what can be done with it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with answering(interaction) as answer:
            player, other = UserId(int(self.found["player"])), UserId(int(self.found["other"]))
            if self.action == "share":
                if player != interaction.user.id:  # somebody has forged it
                    raise TurnOver
                await share_profile(answer)
                return
            await show_profile(
                answer, player, against=other or None, everywhere=self.action == _EVERYWHERE
            )


class LeaderboardButton(
    FromId,
    template=r"dvonn:leaderboard:(?P<pace>live|slow):(?P<where>here|all):"
    r"(?P<page>[0-9]{1,7}|mine)",
):
    """A page of a leaderboard."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with answering(interaction) as answer:
            page = self.found["page"]
            await show_leaderboard(
                answer,
                Pace(self.found["pace"]),
                everywhere=self.found["where"] == _EVERYWHERE,
                page=int(page) if page.isdecimal() else None,
            )

"""What the buttons do. It is written in their ids, so that they work after a restart."""

from typing import Any

import discord

from bot.edge.buttons.boards import BoardButton
from bot.edge.buttons.challenges import ChallengeButton

ALL: tuple[type[discord.ui.DynamicItem[Any]], ...] = (ChallengeButton, BoardButton)

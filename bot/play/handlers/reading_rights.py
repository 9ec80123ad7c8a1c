"""Checks who may read a game. Knowing its id is not enough."""

import re
from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.base.ids import GameId
from bot.connection.channel_requests import Channels
from bot.play.model.refusals import OutOfSight
from bot.play.use_cases.use_cases import UseCases

_GAME_FILE: Final = re.compile(
    r"(?:(?:page-|look-)?dvonn|dvonn-review|replay|shown|explore|hint|call)-([0-9]{1,18})[-.]"
)
"""Pattern of names of files that show a game."""


async def check_may_read(
    cases: UseCases, channels: Channels, interaction: discord.Interaction[Any], number: GameId
) -> None:
    """Check that a user may read a game in the place where they ask.

    Its players may read it everywhere. Others may read it in its channel, in its server if they can
    view that channel, and on a message of the bot that shows the game.

    Raises:
        OutOfSight: if they may not.
    """
    cached_game, member, message = (
        cases.game_cache.by_id(number),
        interaction.user,
        interaction.message,
    )
    row = await cases.store.games.get(number) if cached_game is None else cached_game.row
    if row is None:
        return  # the handler answers that there is no such game
    if not (
        member.id in (row.white, row.black)
        or interaction.channel_id == row.channel
        or (message is not None and channels.is_own(message) and number in _shown_games(message))
        or (
            isinstance(member, discord.Member)
            and member.guild.id == row.guild
            and await channels.can_view(row.channel, member)
        )
    ):
        raise OutOfSight


def _shown_games(message: discord.Message) -> Iterator[int]:
    """Yield the games that a message's files show."""
    for file in message.attachments:
        if (match := _GAME_FILE.match(file.filename)) is not None:
            yield int(match[1])

"""Gives roles to members of a server, and takes them away."""

import discord
import structlog

from bot.base.ids import UserId
from bot.connection.request_errors import DISCORD_ERRORS

_log = structlog.get_logger()


def can_give(role: discord.Role) -> bool:
    """Return True if the bot may give a role, because its own highest role is above that role."""
    return role.is_assignable() and role.guild.me.guild_permissions.manage_roles


async def change_role(
    guild: discord.Guild | None, role_id: int, player: UserId, *, gives: bool
) -> bool:
    """Give a member a role, or take it away. Return False if that fails."""
    role = None if guild is None else guild.get_role(role_id)
    if guild is None or role is None or not can_give(role):
        return False
    try:
        member = await guild.fetch_member(player)
        await (member.add_roles(role) if gives else member.remove_roles(role))
    except DISCORD_ERRORS as error:
        _log.info("role not changed", guild=guild.id, error=str(error))
        return False
    return True

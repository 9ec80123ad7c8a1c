"""Changes to guilds and their members, and the events that the bot receives about them."""

from sandbox import payloads, permissions
from sandbox.events import Event, Intent
from sandbox.model import Guild, Member, Role, User
from sandbox.state import State


def create(
    state: State, name: str, owner: User, *, everyone: int, bot_permissions: int | None
) -> Guild:
    """Create a guild.

    With permissions for the bot's own role, the bot is a member from the start.
    """
    guild = Guild(state.next_id(), name, owner, state.now())
    guild.roles[guild.id] = Role(guild.id, "@everyone", everyone)
    state.guilds[guild.id] = guild
    guild.members[owner.id] = Member(owner, state.now())
    if bot_permissions is not None:
        invite_bot(state, guild, bot_permissions)
    return guild


def invite_bot(state: State, guild: Guild, bot_permissions: int = permissions.BOT) -> None:
    """Add the bot to a guild, with its own role."""
    bot = state.bot
    role = add_role(state, guild, bot.name, bot_permissions, bot=bot)
    guild.members[bot.id] = Member(bot, state.now(), [role.id])
    state.publish(Event("GUILD_CREATE", payloads.guild_create(guild, bot), guild.id, Intent.GUILDS))


def remove_bot(state: State, guild: Guild) -> None:
    """Remove the bot from a guild."""
    member = guild.members.pop(state.bot.id)
    for role_id in member.roles:
        guild.roles.pop(role_id, None)
    payload = {"id": str(guild.id)}
    state.publish(Event("GUILD_DELETE", payload, guild.id, Intent.GUILDS))


def add_role(
    state: State, guild: Guild, name: str, permission_bits: int, *, bot: User | None = None
) -> Role:
    role = Role(state.next_id(), name, permission_bits, position=len(guild.roles))
    role.bot_id = None if bot is None else bot.id
    guild.roles[role.id] = role
    if state.bot.id in guild.members:
        data = {"guild_id": str(guild.id), "role": payloads.role(role)}
        state.publish(Event("GUILD_ROLE_CREATE", data, guild.id, Intent.GUILDS))
    return role


def set_role_permissions(state: State, guild: Guild, role: Role, permission_bits: int) -> None:
    """Change a role's permissions."""
    role.permissions = permission_bits
    if state.bot.id in guild.members:
        data = {"guild_id": str(guild.id), "role": payloads.role(role)}
        state.publish(Event("GUILD_ROLE_UPDATE", data, guild.id, Intent.GUILDS))


def join(state: State, guild: Guild, user: User, roles: tuple[Role, ...] = ()) -> Member:
    """Add a user to a guild, and return the member. Existing members are returned unchanged."""
    old_member = guild.members.get(user.id)
    if old_member is not None:
        return old_member
    member = Member(user, state.now(), [role.id for role in roles])
    guild.members[user.id] = member
    if state.bot.id in guild.members:
        data = {**payloads.member(member), "guild_id": str(guild.id)}
        state.publish(Event("GUILD_MEMBER_ADD", data, guild.id, Intent.GUILD_MEMBERS))
    return member


def leave(state: State, guild: Guild, user: User) -> None:
    """Remove a user who leaves or is kicked."""
    if guild.members.pop(user.id, None) is None or state.bot.id not in guild.members:
        return
    data = {"guild_id": str(guild.id), "user": payloads.user(user)}
    state.publish(Event("GUILD_MEMBER_REMOVE", data, guild.id, Intent.GUILD_MEMBERS))


def delete(state: State, guild: Guild) -> None:
    """Delete a guild with everything in it."""
    for channel_id in guild.channels:
        channel = state.channels.pop(channel_id, None)
        if channel is not None:
            state.cancel(channel)
    del state.guilds[guild.id]
    if state.bot.id in guild.members:
        data = {"id": str(guild.id)}
        state.publish(Event("GUILD_DELETE", data, guild.id, Intent.GUILDS))


def give_role(state: State, guild: Guild, user: User, role: Role) -> None:
    """Give a member a role, unless they already have it."""
    member = guild.members[user.id]
    if role.id not in member.roles:
        member.roles.append(role.id)
    _publish_update(state, guild, member)


def take_role(state: State, guild: Guild, user: User, role: Role) -> None:
    """Take a role from a member, if they have it."""
    member = guild.members[user.id]
    if role.id in member.roles:
        member.roles.remove(role.id)
    _publish_update(state, guild, member)


def _publish_update(state: State, guild: Guild, member: Member) -> None:
    data = {**payloads.member(member), "guild_id": str(guild.id)}
    # A bot receives events about itself even without the intent.
    intent = Intent.GUILDS if member.user is state.bot else Intent.GUILD_MEMBERS
    state.publish(Event("GUILD_MEMBER_UPDATE", data, guild.id, intent))

"""Routes for guilds, their members and users."""

from sandbox import guilds, payloads
from sandbox.errors import missing_permissions, unknown_guild, unknown_member, unknown_user
from sandbox.model import JSON, Guild, Role, User
from sandbox.permissions import Permission
from sandbox.router import NO_CONTENT, Call, Reply, Router

router = Router()


def find_guild(call: Call) -> Guild:
    """Return the guild in a request's path, if the bot is in it.

    Raises:
        ApiError: 10004: there is none, or the bot is not in it.
    """
    guild = call.state.guilds.get(call.params["guild_id"])
    if guild is None or call.state.bot.id not in guild.members:
        raise unknown_guild()
    return guild


@router.route("GET", "/guilds/{guild_id}")
def get_guild(call: Call) -> JSON:
    """Return a guild that the bot is in."""
    guild = find_guild(call)
    answer = payloads.guild(guild)
    if call.query.get("with_counts") in {"true", "1", "True"}:
        answer["approximate_member_count"] = len(guild.members)
        answer["approximate_presence_count"] = len(guild.members)
    return answer


@router.route("GET", "/guilds/{guild_id}/members/{user_id}")
def get_member(call: Call) -> JSON:
    """Return a member of a guild."""
    member = find_guild(call).members.get(call.params["user_id"])
    if member is None:
        is_known = call.params["user_id"] in call.state.users
        raise unknown_member() if is_known else unknown_user()
    return payloads.member(member)


@router.route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def give_member_role(call: Call) -> Reply:
    """Give a member a role that is below the bot's own."""
    guilds.give_role(call.state, *_member_and_role(call))
    return NO_CONTENT


@router.route("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def take_member_role(call: Call) -> Reply:
    """Take a role that is below the bot's own from a member."""
    guilds.take_role(call.state, *_member_and_role(call))
    return NO_CONTENT


def _member_and_role(call: Call) -> tuple[Guild, User, Role]:
    """Return the guild, user and role in a request's path, if the bot may change them.

    Raises:
        ApiError: 10007: there is no such role or member. 50013: the bot may not change them.
    """
    guild, bot = find_guild(call), call.state.bot
    role, member = (
        guild.roles.get(call.params["role_id"]),
        guild.members.get(call.params["user_id"]),
    )
    if role is None or member is None:
        raise unknown_member()
    highest = max(guild.roles[number].position for number in guild.members[bot.id].roles)
    if not guild.base_permissions(bot) & Permission.MANAGE_ROLES or role.position >= highest:
        raise missing_permissions()
    return guild, member.user, role


@router.route("GET", "/users/{user_id}")
def get_user(call: Call) -> JSON:
    user = call.state.users.get(call.params["user_id"])
    if user is None:
        raise unknown_user()
    return payloads.user(user)

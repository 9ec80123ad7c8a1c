"""Routes for guilds, their members and users."""

from sandbox import payloads
from sandbox.errors import unknown_guild, unknown_member, unknown_user
from sandbox.model import JSON, Guild, Thread
from sandbox.router import Call, Router

router = Router()


def _guild(call: Call) -> Guild:
    guild = call.state.guilds.get(call.params["guild_id"])
    if guild is None or call.state.bot.id not in guild.members:
        raise unknown_guild()
    return guild


@router.route("GET", "/guilds/{guild_id}")
def get_guild(call: Call) -> JSON:
    """A guild that the bot is in."""
    guild = _guild(call)
    answer = payloads.guild(guild)
    if call.query.get("with_counts") in {"true", "1", "True"}:
        answer["approximate_member_count"] = len(guild.members)
        answer["approximate_presence_count"] = len(guild.members)
    return answer


@router.route("GET", "/guilds/{guild_id}/channels")
def list_channels(call: Call) -> list[JSON]:
    """A guild's channels, without threads."""
    places = _guild(call).channels.values()
    return [payloads.channel(place) for place in places if not isinstance(place, Thread)]


@router.route("GET", "/guilds/{guild_id}/roles")
def list_roles(call: Call) -> list[JSON]:
    """A guild's roles."""
    return [payloads.role(role) for role in _guild(call).roles.values()]


@router.route("GET", "/guilds/{guild_id}/members/{user_id}")
def get_member(call: Call) -> JSON:
    """One member of a guild."""
    member = _guild(call).members.get(call.params["user_id"])
    if member is None:
        known = call.params["user_id"] in call.state.users
        raise unknown_member() if known else unknown_user()
    return payloads.member(member)


@router.route("GET", "/users/@me/guilds")
def list_own_guilds(call: Call) -> list[JSON]:
    """The guilds that the bot is in."""
    bot = call.state.bot
    return [
        {
            "id": str(guild.id),
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(guild.base_permissions(bot)),
            "features": [],
        }
        for guild in call.state.guilds.values()
        if bot.id in guild.members
    ]


@router.route("GET", "/users/{user_id}")
def get_user(call: Call) -> JSON:
    """A user."""
    user = call.state.users.get(call.params["user_id"])
    if user is None:
        raise unknown_user()
    return payloads.user(user)

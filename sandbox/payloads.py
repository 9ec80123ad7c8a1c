"""Converts users, guilds and channels to the JSON of Discord's API."""

from sandbox.application import Application
from sandbox.kinds import ChannelKind
from sandbox.model import (
    JSON,
    Channel,
    Guild,
    Member,
    Overwrite,
    Role,
    ScheduledEvent,
    Thread,
    User,
)
from sandbox.snowflakes import isoformat

_BITRATE = 64_000


def user(account: User) -> JSON:
    answer = {
        "id": str(account.id),
        "username": account.name.lower() if not account.bot else account.name,
        "global_name": None if account.bot else account.name,
        "avatar": None,
        "discriminator": "0" if not account.bot else "0001",
        "public_flags": 0,
        "flags": 0,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }
    if account.bot:
        answer["bot"] = True
    return answer


def current_user(bot: User) -> JSON:
    """Return the bot's user as the bot itself sees it."""
    return {
        **user(bot),
        "mfa_enabled": True,
        "locale": bot.locale,
        "premium_type": 0,
        "email": None,
        "verified": True,
    }


def application(app: Application, bot: User, guild_count: int) -> JSON:
    """Return the bot's own application, in full."""
    return {
        "id": str(app.id),
        "name": app.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user(bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "integration_types_config": {
            "0": {"oauth2_install_params": {"scopes": ["bot"], "permissions": "0"}},
            **({"1": {}} if app.user_install else {}),
        },
        "verify_key": "0" * 64,
        "flags": app.flags,
        "flags_new": str(app.flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(app.owner),
        "approximate_guild_count": guild_count,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
        "event_webhooks_status": 1,
    }


def role(role: Role) -> JSON:
    answer: JSON = {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(role.permissions),
        "position": role.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": role.bot_id is not None,
        "mentionable": role.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if role.bot_id is not None:
        answer["tags"] = {"bot_id": str(role.bot_id)}
    return answer


def bare_member(person: Member) -> JSON:
    """Return a member object without its user, as it is in messages."""
    return {
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "collectibles": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": isoformat(person.joined_at),
        "nick": person.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(role_id) for role_id in person.roles],
        "mute": False,
        "deaf": False,
    }


def member(person: Member) -> JSON:
    """Return a member object with its user."""
    return {**bare_member(person), "user": user(person.user)}


def guild(guild: Guild, application_id: int | None = None) -> JSON:
    """Return a guild object, without its channels and members."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(guild.owner.id),
        "application_id": None if application_id is None else str(application_id),
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(guild_role) for guild_role in guild.roles.values()],
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 25_000_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": guild.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_create(server: Guild, bot: User) -> JSON:
    """Return the data of a GUILD_CREATE event.

    Its only member is the bot, as for bots without the presences intent.
    """
    places = list(server.channels.values())
    return {
        **guild(server),
        "joined_at": isoformat(server.members[bot.id].joined_at),
        "large": False,
        "unavailable": False,
        "member_count": len(server.members),
        "voice_states": [],
        "members": [member(server.members[bot.id])],
        "channels": [channel(place) for place in places if not isinstance(place, Thread)],
        "threads": [
            thread(place, bot)
            for place in places
            if isinstance(place, Thread) and not place.archived and place.permissions_of(bot)
        ],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [
            scheduled_event(server, event) for event in server.events.values()
        ],
        "soundboard_sounds": [],
    }


def scheduled_event(guild: Guild, event: ScheduledEvent) -> JSON:
    """Return a scheduled event that takes place outside of voice channels."""
    return {
        "id": str(event.id),
        "guild_id": str(guild.id),
        "channel_id": None,
        "creator_id": str(event.creator_id),
        "name": event.name,
        "description": event.description,
        "image": None,
        "scheduled_start_time": event.starts_at,
        "scheduled_end_time": event.ends_at,
        "privacy_level": 2,
        "status": int(event.status),
        "entity_type": 3,
        "entity_id": None,
        "entity_metadata": {"location": event.location},
        "recurrence_rule": None,
        "guild_scheduled_event_exceptions": [],
    }


def overwrite(overwrite: Overwrite) -> JSON:
    return {
        "id": str(overwrite.target_id),
        "type": 1 if overwrite.member else 0,
        "allow": str(overwrite.allow),
        "deny": str(overwrite.deny),
    }


def channel(channel: Channel, viewer: User | None = None) -> JSON:
    """Return a channel object of any kind."""
    if isinstance(channel, Thread):
        return thread(channel, viewer)
    answer: JSON = {
        "id": str(channel.id),
        "type": int(channel.kind),
        "flags": 0,
        "last_message_id": _id(channel.last_message_id),
    }
    if channel.recipient is not None:
        answer["recipients"] = [user(channel.recipient)]
        return answer
    if channel.recipients:
        answer["recipients"] = [user(recipient) for recipient in channel.recipients]
        if channel.kind is ChannelKind.GROUP_DM:
            owner = str(channel.recipients[0].id)
            answer |= {"name": channel.name or None, "icon": None, "owner_id": owner}
        return answer
    answer |= {
        "guild_id": str(channel.home.id),
        "name": channel.name,
        "parent_id": _id(channel.parent.id if channel.parent else None),
        "position": channel.position,
        "permission_overwrites": [overwrite(rule) for rule in channel.overwrites.values()],
        "nsfw": channel.nsfw,
        "rate_limit_per_user": channel.slowmode_s,
        "topic": channel.topic,
        "last_pin_timestamp": moment(channel.last_pin_at),
    }
    if channel.auto_archive_minutes is not None:
        answer["default_auto_archive_duration"] = channel.auto_archive_minutes
    if channel.kind in {ChannelKind.VOICE, ChannelKind.STAGE}:
        answer |= {"bitrate": _BITRATE, "user_limit": 0, "rtc_region": None}
    if channel.kind is ChannelKind.FORUM:
        answer |= {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
            "default_thread_rate_limit_per_user": 0,
        }
    return answer


def thread(thread: Thread, viewer: User | None = None) -> JSON:
    """Return a thread object, with ``viewer``'s own membership if there is one."""
    metadata: JSON = {
        "archived": thread.archived,
        "archive_timestamp": isoformat(thread.archived_at),
        "auto_archive_duration": thread.archive_after_minutes,
        "locked": thread.locked,
        "create_timestamp": isoformat(thread.created_at),
    }
    if thread.kind is ChannelKind.PRIVATE_THREAD:
        metadata["invitable"] = thread.invitable
    answer: JSON = {
        "id": str(thread.id),
        "type": int(thread.kind),
        "flags": 0,
        "last_message_id": _id(thread.last_message_id),
        "guild_id": str(thread.home.id),
        "name": thread.name,
        "parent_id": str(thread.parent_channel.id),
        "rate_limit_per_user": thread.slowmode_s,
        "owner_id": str(thread.owner_id),
        "thread_metadata": metadata,
        "message_count": thread.message_count,
        "member_count": len(thread.members),
        "total_message_sent": thread.total_message_sent,
        "last_pin_timestamp": moment(thread.last_pin_at),
    }
    if thread.parent_channel.kind is ChannelKind.FORUM:
        answer["applied_tags"] = []
    if viewer is not None and viewer.id in thread.members:
        answer["member"] = thread_member(thread, viewer.id)
    return answer


def thread_member(thread: Thread, user_id: int) -> JSON:
    return {
        "id": str(thread.id),
        "user_id": str(user_id),
        "join_timestamp": isoformat(thread.members[user_id]),
        "flags": 0,
    }


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)


def moment(when_s: float | None) -> str | None:
    """Return a time in Discord's format, or None for None."""
    return None if when_s is None else isoformat(when_s)

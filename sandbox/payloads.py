"""Converts people and places to JSON in the shapes of Discord's API."""

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


def user(who: User) -> JSON:
    answer = {
        "id": str(who.id),
        "username": who.name.lower() if not who.bot else who.name,
        "global_name": None if who.bot else who.name,
        "avatar": None,
        "discriminator": "0" if not who.bot else "0001",
        "public_flags": 0,
        "flags": 0,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }
    if who.bot:
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


def role(what: Role) -> JSON:
    answer: JSON = {
        "id": str(what.id),
        "name": what.name,
        "permissions": str(what.permissions),
        "position": what.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": what.bot_id is not None,
        "mentionable": what.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if what.bot_id is not None:
        answer["tags"] = {"bot_id": str(what.bot_id)}
    return answer


def bare_member(who: Member) -> JSON:
    """Return a member object without its user, as it is in messages."""
    return {
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "collectibles": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": isoformat(who.joined_at),
        "nick": who.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(role_id) for role_id in who.roles],
        "mute": False,
        "deaf": False,
    }


def member(who: Member) -> JSON:
    """Return a member object with its user."""
    return {**bare_member(who), "user": user(who.user)}


def guild(what: Guild, application_id: int | None = None) -> JSON:
    """Return a guild object, without its channels and members."""
    return {
        "id": str(what.id),
        "name": what.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(what.owner.id),
        "application_id": None if application_id is None else str(application_id),
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(guild_role) for guild_role in what.roles.values()],
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
        "preferred_locale": what.locale,
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


def guild_create(what: Guild, bot: User) -> JSON:
    """Return a GUILD_CREATE.

    Its only member is the bot, as for bots without the presences intent.
    """
    places = list(what.channels.values())
    return {
        **guild(what),
        "joined_at": isoformat(what.members[bot.id].joined_at),
        "large": False,
        "unavailable": False,
        "member_count": len(what.members),
        "voice_states": [],
        "members": [member(what.members[bot.id])],
        "channels": [channel(place) for place in places if not isinstance(place, Thread)],
        "threads": [
            thread(place, bot)
            for place in places
            if isinstance(place, Thread) and not place.archived and place.permissions_of(bot)
        ],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [scheduled_event(what, event) for event in what.events.values()],
        "soundboard_sounds": [],
    }


def scheduled_event(guild: Guild, what: ScheduledEvent) -> JSON:
    """Return a scheduled event that takes place outside of voice channels."""
    return {
        "id": str(what.id),
        "guild_id": str(guild.id),
        "channel_id": None,
        "creator_id": str(what.creator_id),
        "name": what.name,
        "description": what.description,
        "image": None,
        "scheduled_start_time": what.starts_at,
        "scheduled_end_time": what.ends_at,
        "privacy_level": 2,
        "status": int(what.status),
        "entity_type": 3,
        "entity_id": None,
        "entity_metadata": {"location": what.location},
        "recurrence_rule": None,
        "guild_scheduled_event_exceptions": [],
    }


def overwrite(what: Overwrite) -> JSON:
    return {
        "id": str(what.target_id),
        "type": 1 if what.member else 0,
        "allow": str(what.allow),
        "deny": str(what.deny),
    }


def channel(what: Channel, viewer: User | None = None) -> JSON:
    """Return a channel object of any kind."""
    if isinstance(what, Thread):
        return thread(what, viewer)
    answer: JSON = {
        "id": str(what.id),
        "type": int(what.kind),
        "flags": 0,
        "last_message_id": _id(what.last_message_id),
    }
    if what.recipient is not None:
        answer["recipients"] = [user(what.recipient)]
        return answer
    if what.recipients:
        answer["recipients"] = [user(recipient) for recipient in what.recipients]
        if what.kind is ChannelKind.GROUP_DM:
            owner = str(what.recipients[0].id)
            answer |= {"name": what.name or None, "icon": None, "owner_id": owner}
        return answer
    answer |= {
        "guild_id": str(what.home.id),
        "name": what.name,
        "parent_id": _id(what.parent.id if what.parent else None),
        "position": what.position,
        "permission_overwrites": [overwrite(rule) for rule in what.overwrites.values()],
        "nsfw": what.nsfw,
        "rate_limit_per_user": what.slowmode_s,
        "topic": what.topic,
        "last_pin_timestamp": moment(what.last_pin_at),
    }
    if what.auto_archive_minutes is not None:
        answer["default_auto_archive_duration"] = what.auto_archive_minutes
    if what.kind in {ChannelKind.VOICE, ChannelKind.STAGE}:
        answer |= {"bitrate": _BITRATE, "user_limit": 0, "rtc_region": None}
    if what.kind is ChannelKind.FORUM:
        answer |= {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
            "default_thread_rate_limit_per_user": 0,
        }
    return answer


def thread(what: Thread, viewer: User | None = None) -> JSON:
    """Return a thread object, with ``viewer``'s own membership if there is one."""
    metadata: JSON = {
        "archived": what.archived,
        "archive_timestamp": isoformat(what.archived_at),
        "auto_archive_duration": what.archive_after_minutes,
        "locked": what.locked,
        "create_timestamp": isoformat(what.created_at),
    }
    if what.kind is ChannelKind.PRIVATE_THREAD:
        metadata["invitable"] = what.invitable
    answer: JSON = {
        "id": str(what.id),
        "type": int(what.kind),
        "flags": 0,
        "last_message_id": _id(what.last_message_id),
        "guild_id": str(what.home.id),
        "name": what.name,
        "parent_id": str(what.parent_channel.id),
        "rate_limit_per_user": what.slowmode_s,
        "owner_id": str(what.owner_id),
        "thread_metadata": metadata,
        "message_count": what.message_count,
        "member_count": len(what.members),
        "total_message_sent": what.total_message_sent,
        "last_pin_timestamp": moment(what.last_pin_at),
    }
    if what.parent_channel.kind is ChannelKind.FORUM:
        answer["applied_tags"] = []
    if viewer is not None and viewer.id in what.members:
        answer["member"] = thread_member(what, viewer.id)
    return answer


def thread_member(what: Thread, user_id: int) -> JSON:
    return {
        "id": str(what.id),
        "user_id": str(user_id),
        "join_timestamp": isoformat(what.members[user_id]),
        "flags": 0,
    }


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)


def moment(when_s: float | None) -> str | None:
    """Return a time in Discord's format, or None for None."""
    return None if when_s is None else isoformat(when_s)

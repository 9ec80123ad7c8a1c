"""Discord's errors: HTTP status, error code, message, and the faulty fields."""

from typing import Any, Protocol


class ApiError(Exception):
    """An error response.

    Attributes:
        status: The HTTP status.
        code: Discord's JSON error code.
        body: The JSON of the response.
    """

    def __init__(self, status: int, code: int, message: str, **extra: Any) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.body: dict[str, Any] = {"message": message, "code": code, **extra}


def unauthorized() -> ApiError:
    """The bot's token is missing or wrong."""
    return ApiError(401, 0, "401: Unauthorized")


def unknown_channel() -> ApiError:
    """There is no such channel, or it was deleted."""
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    """There is no such guild, or the bot is not in it."""
    return ApiError(404, 10004, "Unknown Guild")


def unknown_member() -> ApiError:
    """The user is not in the guild."""
    return ApiError(404, 10007, "Unknown Member")


def unknown_message() -> ApiError:
    """There is no such message in that channel."""
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    return ApiError(404, 10013, "Unknown User")


def unknown_emoji() -> ApiError:
    """The reaction is not an emoji."""
    return ApiError(400, 10014, "Unknown Emoji")


def unknown_event() -> ApiError:
    """There is no such scheduled event in that guild."""
    return ApiError(404, 10070, "Unknown Guild Scheduled Event")


def unknown_webhook() -> ApiError:
    """The token in the path belongs to no webhook, or to an unanswered interaction."""
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    """There is no such interaction, or its three seconds have passed."""
    return ApiError(404, 10062, "Unknown interaction")


def slowmode(wait_s: float) -> ApiError:
    """The channel's slowmode interval has not passed yet."""
    text = "This action cannot be performed due to slowmode rate limit"
    return ApiError(429, 20016, text, retry_after=wait_s)


def too_many_commands(limit: int) -> ApiError:
    """The application would have too many commands of one type."""
    return ApiError(400, 30032, f"Maximum number of application commands reached ({limit})")


def entry_point_left_out() -> ApiError:
    """A list of all commands lacks the one that Discord created for Activities."""
    return ApiError(
        400,
        50240,
        "You cannot remove this app's Entry Point command in a bulk update operation. Please "
        "include the Entry Point command in your update request or delete it separately.",
    )


def too_many_events(limit: int) -> ApiError:
    """A guild has too many scheduled events that are not over."""
    text = f"Maximum number of uncompleted guild scheduled events reached ({limit})"
    return ApiError(400, 30038, text)


def too_many_follow_ups() -> ApiError:
    """A user-installed application has sent as many follow-ups as are allowed."""
    text = "This interaction has hit the maximum number of follow up messages"
    return ApiError(400, 40094, text)


def too_large() -> ApiError:
    """A file or the whole request is too big."""
    return ApiError(413, 40005, "Request entity too large")


def already_acknowledged() -> ApiError:
    """The interaction already has its first response."""
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> ApiError:
    """The bot can't see the channel."""
    return ApiError(403, 50001, "Missing Access")


def not_in_direct_messages() -> ApiError:
    """The bot tries to delete another user's message in direct messages."""
    return ApiError(403, 50003, "Cannot execute action on a DM channel")


def not_the_author() -> ApiError:
    """The bot tries to edit another user's message."""
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    """A message would have nothing to show."""
    return ApiError(400, 50006, "Cannot send an empty message")


def cannot_message_user() -> ApiError:
    """The user does not accept direct messages from the bot."""
    return ApiError(403, 50007, "Cannot send messages to this user")


def no_mutual_guilds() -> ApiError:
    """The user shares no guild with the bot."""
    text = "Cannot send messages to this user due to having no mutual guilds"
    return ApiError(403, 50278, text)


def missing_permissions() -> ApiError:
    """The bot can see the channel but lacks the permission."""
    return ApiError(403, 50013, "Missing Permissions")


def system_message() -> ApiError:
    """A system message can't be changed."""
    return ApiError(403, 50021, "Cannot execute action on a system message")


def wrong_channel_type() -> ApiError:
    """The channel's type does not support the request."""
    return ApiError(400, 50024, "Cannot execute action on this channel type")


def expired_token() -> ApiError:
    """An interaction's token has expired after 15 minutes."""
    return ApiError(401, 50027, "Invalid Webhook Token")


def archived_thread() -> ApiError:
    """The thread is archived, which forbids edits and reactions. If it is locked, also messages."""
    return ApiError(403, 50083, "Thread is archived")


def invalid_json() -> ApiError:
    """The request's body is not JSON."""
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def reply_needs_history() -> ApiError:
    """A reply needs Read Message History."""
    return ApiError(403, 160002, "Cannot reply without permission to read message history")


def thread_exists() -> ApiError:
    """The message already has a thread."""
    return ApiError(400, 160004, "A thread has already been created for this message")


def locked_thread() -> ApiError:
    """The thread is locked and the user lacks Manage Threads."""
    return ApiError(403, 160005, "Thread is locked")


def too_many_threads() -> ApiError:
    """There are too many active threads."""
    return ApiError(400, 160006, "Maximum number of active threads reached")


class Readable(Protocol):
    """A JSON object whose fields are read one at a time."""

    def unread(self) -> list[str]:
        """Return the paths of fields that were never read."""


class Form:
    """Collects the faults in a request's body, field by field, for a single error 50035."""

    def __init__(self) -> None:
        self._errors: dict[str, Any] = {}
        self.opened: list[Readable] = []

    @property
    def unknown(self) -> list[str]:
        """Return the body's fields that were never read. Discord ignores them."""
        return [path for fields in self.opened for path in fields.unread()]

    def wrong(self, path: tuple[str | int, ...], code: str, message: str) -> None:
        """Record a fault at ``path``, such as ``("components", 0, "label")``."""
        place = self._errors
        for step in path:
            place = place.setdefault(str(step), {})
        place.setdefault("_errors", []).append({"code": code, "message": message})

    def raise_errors(self) -> None:
        """Raise the collected faults, if any.

        Raises:
            ApiError: 50035, if there were any faults.
        """
        if self._errors:
            raise self.error()

    def error(self) -> ApiError:
        """Return the collected faults as error 50035."""
        return ApiError(400, 50035, "Invalid Form Body", errors=_pruned(self._errors))


def _pruned(errors: dict[str, Any]) -> dict[str, Any]:
    """Return a tree of faults, leaving out those inside something already faulty."""
    if "_errors" in errors:
        return {"_errors": errors["_errors"]}
    return {step: _pruned(inner) for step, inner in errors.items()}


def invalid(path: tuple[str | int, ...], code: str, message: str) -> ApiError:
    """Return an error 50035 with a single fault."""
    form = Form()
    form.wrong(path, code, message)
    return form.error()

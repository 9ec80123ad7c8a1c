"""Texts about clocks that a server's moderators have stopped."""

from datetime import datetime

from bot.base.languages import Reader
from bot.connection.posts import Post, escaped, timestamp


def stop_begun(reader: Reader, until: datetime) -> Post:
    """Return the message for the moderator's channel."""
    notice = reader.gettext("I'll tell everybody who plays here. /setup resume ends it early.")
    return Post(content=f"{stop_line(reader, until)} {notice}")


def running_again(reader: Reader) -> Post:
    return Post(content=reader.gettext("All clocks in this server are running again."))


def stop_message(reader: Reader, server: str, at: datetime, *, is_over: bool) -> str:
    """Return the message to a player about a server's games."""
    words = (
        reader.gettext("{title}: all clocks have been running again since {at}.")
        if is_over
        else reader.gettext(
            "A moderator has paused all clocks in {server} until {at}. You can play on meanwhile."
        )
    )
    return words.format(server=escaped(server), title=escaped(server), at=timestamp(at))


def stop_line(reader: Reader, until: datetime) -> str:
    """Return the line of `/setup show` while clocks are stopped."""
    words = reader.gettext("All clocks here are paused until {until}.")
    return words.format(until=timestamp(until))


def no_stop(reader: Reader) -> str:
    return reader.gettext("The clocks here aren't stopped. /setup pause stops them.")


def too_many_stops(reader: Reader) -> str:
    return reader.gettext(
        "The clocks here were stopped a few times today, and I told everybody each time. Try again "
        "tomorrow."
    )

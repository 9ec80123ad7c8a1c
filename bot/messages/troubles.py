"""What is said where something is wrong on our side, or in the way of ours."""

from datetime import timedelta

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.posts import user
from bot.model.ids import UserId


def too_slow() -> str:
    """The answer to a press for which a form should have opened, when that took too long."""
    return _("That took me too long. Please press the button once more.")


def unknown_form() -> str:
    """The answer to a command of which Discord's client knows another form."""
    return _(
        "Your Discord shows an older form of this command. Reload it, with Ctrl+R or by starting "
        "it again, and try once more."
    )


def something_went_wrong() -> str:
    """The answer when the fault is ours."""
    return _("Something went wrong on my side. Nothing has changed; please try again.")


def cannot_write() -> str:
    """The answer where nothing can be written down at the moment."""
    return _(
        "I cannot write anything down at the moment, so nothing has changed. Please try again in a "
        "while."
    )


def will_be_played() -> str:
    """What a channel is told where a typed move cannot be written down at the moment."""
    return _(
        "I cannot write anything down at the moment. Moves that are typed here are played as soon "
        "as I can."
    )


def set_back() -> str:
    """What a channel is told whose newest turns a restored backup does not know."""
    return _(
        "I was set back to a backup, and turns of this game that were made by buttons or commands "
        "since then are lost. /board shows where it stands; please go on from there."
    )


def read_in_part(most: int, age: timedelta) -> str:
    """What a channel is told where more was written, unheard, than is read later."""
    return _(
        "I could not read along here, and have now read the newest {most} messages, of the last "
        "{days} days at most. If you typed a move before them, please type it again."
    ).format(most=most, days=age.days)


def not_understood() -> str:
    """The pointer for somebody who speaks to the bot in words that it does not know."""
    return _("I do not understand that. Moves are typed as d2 or d2-d4; /help shows the rest.")


def cannot_read(bot: UserId) -> str:
    """The hint, once in a game, where the bot sees that somebody writes but not what."""
    return _(
        "If that was a move: I cannot read plain messages here. Use the buttons under the board or "
        "/move, reply to the board with your move, or write it after {mention}."
    ).format(mention=user(bot))


def not_posted(missing: tuple[str, ...]) -> str:
    """The word to a player whose move counts, but whose board cannot be posted now.

    Args:
        missing: The permissions that the bot lacks in the channel, as far as it knows.
    """
    if not missing:
        return _("Your move counts. I cannot post the board yet: it comes as soon as I can.")
    return ngettext(
        "Your move counts, but I cannot post the board: I lack a permission here, {permissions}. "
        "It comes when somebody who manages the channel gives it to me.",
        "Your move counts, but I cannot post the board: I lack permissions here, {permissions}. "
        "It comes when somebody who manages the channel gives them to me.",
        len(missing),
    ).format(permissions=", ".join(missing))

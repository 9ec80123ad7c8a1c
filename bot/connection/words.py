"""Texts after failures of Discord, the database or the bot itself."""

from typing import Final

from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Post

REOPEN_ID: Final = "dvonn:again:"
"""Prefix of the custom ids of buttons that open a stored form, such as a refused one."""


def too_slow(reader: Reader, form: str) -> Post:
    """Return the answer when it is too late to open a form, with a button that opens it."""
    return Post(
        content=reader.gettext("Sorry, that took me a while. The form is ready now."),
        buttons=(
            Button(reader.gettext("Open the form"), f"{REOPEN_ID}{form}", ButtonStyle.PRIMARY),
        ),
    )


def try_again(reader: Reader, form: str) -> Button:
    """Return the button that reopens a refused form with its values."""
    return Button(reader.gettext("Try again"), f"{REOPEN_ID}{form}")


def forgotten_form(reader: Reader) -> Post:
    """Return the answer to a button for a form that was lost, for example in a restart."""
    words = reader.gettext("Sorry, I've lost what you typed. Please open the form once more.")
    return Post(content=words)


def unknown_form(reader: Reader) -> str:
    """Return the answer to a command whose version in the Discord app is outdated."""
    return reader.gettext(
        "Discord still shows you an old version of this command. Press Ctrl+R or restart the "
        "app, then try again."
    )


def something_went_wrong(reader: Reader) -> str:
    """Return the answer after a bug in the bot."""
    return reader.gettext("Something went wrong on my side. Nothing has changed, please try again.")


def cannot_write(reader: Reader) -> str:
    return reader.gettext(
        "I can't save right now, so nothing has changed. Please try again in a while."
    )


def done(reader: Reader) -> Post:
    return Post(content=reader.gettext("Done."))

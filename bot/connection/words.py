"""The answers where Discord, the database or the bot itself is in the way."""

from typing import Final

from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Post

AGAIN: Final = "dvonn:again:"
"""Beginning of the ids of buttons that open forms at hand, such as were refused."""


def too_slow(reader: Reader, form: str) -> Post:
    """Return the answer where a form came too late to open by itself, with one to open it."""
    return Post(
        content=reader.gettext("Sorry, that took me a while. The form is ready now."),
        buttons=(Button(reader.gettext("Open the form"), f"{AGAIN}{form}", ButtonStyle.PRIMARY),),
    )


def try_again(reader: Reader, form: str) -> Button:
    """Return the button that opens a refused form again as it was filled in, by its mark."""
    return Button(reader.gettext("Try again"), f"{AGAIN}{form}")


def forgotten_form(reader: Reader) -> Post:
    """Answer that button where what was typed is no longer known, as after a restart."""
    words = reader.gettext("Sorry, I've lost what you typed. Please open the form once more.")
    return Post(content=words)


def unknown_form(reader: Reader) -> str:
    """Answer a command of which Discord's client knows another form."""
    return reader.gettext(
        "Discord still shows you an old version of this command. Press Ctrl+R or restart the "
        "app, then try again."
    )


def something_went_wrong(reader: Reader) -> str:
    """Return the answer when the fault is ours."""
    return reader.gettext("Something went wrong on my side. Nothing has changed, please try again.")


def cannot_write(reader: Reader) -> str:
    return reader.gettext(
        "I can't save right now, so nothing has changed. Please try again in a while."
    )


def done(reader: Reader) -> Post:
    return Post(content=reader.gettext("Done."))

"""Texts about a person's stored data."""

from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, File, Post


def privacy(reader: Reader) -> Post:
    return Post(
        content="\n".join(
            [
                reader.gettext("**What I keep about you**: your number on Discord, not your name."),
                reader.gettext(
                    "Then your games, your /settings, and what you have earned and learned here. "
                    "I keep no messages."
                ),
                reader.gettext("**Export my data** gives you all of it as a file."),
                reader.gettext(
                    "**Delete me** deletes it all. Your games stay, without your name. I'll ask "
                    "twice."
                ),
            ]
        ),
        buttons=(
            Button(reader.gettext("Export my data"), _data_id("export"), ButtonStyle.PRIMARY),
            Button(reader.gettext("Delete me"), _data_id("delete"), ButtonStyle.DANGER),
            Button(reader.gettext("Settings"), "dvonn:preferences:turns"),
        ),
    )


def export_answer(reader: Reader, ending: str, data: bytes) -> Post:
    return Post(
        content=reader.gettext("All I keep about you. Only you can see this."),
        file=File(f"dvonn-data.{ending}", data),
    )


def confirm_deletion(reader: Reader, running: int) -> Post:
    lines = [
        reader.gettext(
            "Delete all I keep about you? Your settings, and all that you have earned and learned "
            "here, will be gone. Your games stay, without your name."
        )
    ]
    if running:
        lines.append(
            reader.ngettext(
                "You resign the {count} game you are playing.",
                "You resign the {count} games you are playing.",
                running,
            ).format(count=running)
        )
    return Post(
        content="\n".join(lines),
        buttons=(
            Button(reader.gettext("Go on"), _data_id("delete-sure"), ButtonStyle.DANGER),
            _keep(reader),
        ),
    )


def confirm_deletion_again(reader: Reader) -> Post:
    return Post(
        content=reader.gettext("Are you sure? Nobody can bring it back."),
        buttons=(
            Button(reader.gettext("Yes, delete"), _data_id("delete-now"), ButtonStyle.DANGER),
            _keep(reader),
        ),
    )


def nothing_deleted(reader: Reader) -> Post:
    return Post(content=reader.gettext("Nothing was deleted."))


def deletion_answer(reader: Reader) -> Post:
    return Post(
        content=reader.gettext(
            "All deleted. Messages in channels stay until they're deleted there. If you play "
            "again, you start afresh. Your games are rated from tomorrow on."
        )
    )


def _keep(reader: Reader) -> Button:
    return Button(reader.gettext("Keep my data"), _data_id("keep"))


def _data_id(action: str) -> str:
    return f"dvonn:privacy:{action}"

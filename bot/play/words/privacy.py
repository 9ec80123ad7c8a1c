"""The words on somebody's data, and the questions before it is deleted."""

from bot.base.locales import Reader
from bot.connection.posts import Button, ButtonStyle, File, Post


def privacy(reader: Reader) -> Post:
    return Post(
        content="\n".join(
            [
                reader.gettext(
                    "**What I keep about you**: Discord's number of you, not your name."
                ),
                reader.gettext(
                    "With it: your games and moves, ratings, tournaments and badges, what you "
                    "chose in /settings, and how you did in lessons and puzzles. I keep no "
                    "messages."
                ),
                reader.gettext("**Export my data** gives you all of it as a file."),
                reader.gettext(
                    "**Delete me** deletes it. Your games stay, without you; I ask twice before."
                ),
            ]
        ),
        buttons=(
            Button(reader.gettext("Export my data"), _id("export"), ButtonStyle.PRIMARY),
            Button(reader.gettext("Delete me"), _id("delete"), ButtonStyle.DANGER),
            Button(reader.gettext("Settings"), "dvonn:preferences:turns"),
        ),
    )


def exported(reader: Reader, ending: str, data: bytes) -> Post:
    return Post(
        content=reader.gettext("All I keep about you. Only you can see this."),
        file=File(f"dvonn-data.{ending}", data),
    )


def confirm_deletion(reader: Reader, running: int) -> Post:
    lines = [
        reader.gettext(
            "Delete all I keep about you? Your settings, vacations, lists, ratings, badges, "
            "puzzles and lessons go, and your old games and tournaments can't be found as yours "
            "any more."
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
            Button(reader.gettext("Go on"), _id("delete-sure"), ButtonStyle.DANGER),
            _keep(reader),
        ),
    )


def confirm_deletion_again(reader: Reader) -> Post:
    return Post(
        content=reader.gettext("Are you sure? Nobody can bring it back."),
        buttons=(
            Button(reader.gettext("Delete everything"), _id("delete-now"), ButtonStyle.DANGER),
            _keep(reader),
        ),
    )


def nothing_deleted(reader: Reader) -> Post:
    return Post(content=reader.gettext("Nothing was deleted."))


def deleted(reader: Reader) -> Post:
    return Post(
        content=reader.gettext(
            "Deleted. What stands in channels stays until it's deleted there. If you play again, "
            "you begin anew; your games count for ratings from tomorrow on."
        )
    )


def _keep(reader: Reader) -> Button:
    return Button(reader.gettext("Keep my data"), _id("keep"))


def _id(what: str) -> str:
    return f"dvonn:privacy:{what}"

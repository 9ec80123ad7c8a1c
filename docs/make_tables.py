"""`.venv/bin/python docs/make_tables.py` prints the tables of the database, with all columns."""

import sys
from textwrap import fill

import bot.composition  # noqa: F401 - imports the tables of all features
from bot.database.schema import metadata
from bot.people.store.privacy import PEOPLE

HEAD = """\
All tables and columns of dvonn-bot's database. Columns with * hold the id of a user.
guild_id, channel_id and message_id are servers, channels and messages of the bot.
source_id is the message or interaction that caused the row. Names in _at are times.
docs/privacy.md explains the tables.
"""


def column_list() -> str:
    """Return the list of all columns in the schema of the bot and its features."""
    tables = sorted(metadata.tables.values(), key=lambda table: table.name)
    columns = {
        table.name: ", ".join(
            f"{column.name}*" if column.name in PEOPLE else column.name for column in table.columns
        )
        for table in tables
    }
    entries = (
        fill(f"{name}: {names}", width=100, subsequent_indent="    ")
        for name, names in columns.items()
    )
    return "\n".join([HEAD, *entries, ""])


if __name__ == "__main__":
    sys.stdout.write(column_list())

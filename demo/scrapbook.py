"""The demo's results: every board, the chat as a page, and the game's record."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from demo.transcript import Entry, Picture, transcript
from dvonn import GameRecord
from sandbox import Message, Person

BOARD = re.compile(r"dvonn-[0-9]+-(?P<revision>[0-9]+)\.png")
OWN_FILES = ("ply-*.png", "transcript.html", "game.txt", "bot.log")


class Scrapbook:
    """A folder that records a game, with each message in its first version."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "bot.log"
        self.page = folder / "transcript.html"
        self.record = folder / "game.txt"
        self.pictures = 0
        self._entries: dict[int, Entry] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for pattern in OWN_FILES:
            for old in folder.glob(pattern):
                old.unlink()

    async def keep(self, message: Message, *, seen_by: Person, answers: str = "") -> None:
        """Record a message and its pictures, which the person downloads.

        Args:
            message: The message. Later edits are not recorded.
            seen_by: A person who sees the message.
            answers: The cause of the message, such as "Ann used /move".
        """
        pictures = []
        for attachment in message.attachments:
            board = BOARD.fullmatch(attachment.filename)
            name = f"ply-{int(board['revision']):02}.png" if board else attachment.filename
            (self.folder / name).write_bytes(await seen_by.fetch(attachment))
            self.pictures += 1
            pictures.append(
                Picture(
                    name,
                    attachment.description or "",
                    attachment.width_px or 0,
                    attachment.height_px or 0,
                )
            )
        self._entries[message.id] = Entry(
            author=message.author.name,
            at=datetime.fromtimestamp(message.created_at, UTC).astimezone(),
            text=message.content,
            from_bot=message.author.bot,
            answers=answers,
            seen_only_by=message.viewer.name if message.viewer is not None else "",
            pictures=tuple(pictures),
            buttons=tuple(button.label for button in message.buttons),
        )

    def finish(self, title: str, record: GameRecord, names: Mapping[str, str]) -> None:
        """Write the page and the record.

        Args:
            title: Heading above the chat.
            record: The game that was played.
            names: Display names, by mention.
        """
        # Ids grow with time, so they are in the order of the chat.
        entries = [entry for _, entry in sorted(self._entries.items())]
        self.page.write_text(transcript(title, entries, names), encoding="utf-8")
        self.record.write_text(record.to_text(), encoding="utf-8")

"""The seam for boards of people's own."""

from typing import Final, Protocol

from bot.connection.posts import Select
from bot.play.extension_points import ExtensionPoint
from bot.play.handlers.interactions import Answer
from bot.play.model.game import Game
from bot.play.model.terms import Start
from dvonn import Node


class OwnBoards(Protocol):
    """The boards of people's own."""

    async def begin(self, answer: Answer, start: Start) -> None:
        """Show a new board on which somebody plays both sides."""

    async def listed(self, answer: Answer) -> tuple[Select, ...]:
        """Return the list of the asker's boards, if they have one."""

    async def tree(self, answer: Answer, game: Game) -> Node | None:
        """Return a game's moves with the asker's own notes, or None if they have none."""


OWN_BOARDS: Final = ExtensionPoint[OwnBoards]()

"""What the game's commands and buttons ask of features. One feature at most plays each role."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bot.base.ids import GameId, UserId
from bot.base.languages import Reader
from bot.connection.posts import Post, Select
from bot.play.model.game import Game
from bot.play.model.terms import Start
from dvonn import Node

if TYPE_CHECKING:
    from bot.play.handlers.interactions import Answer, Services


class OwnBoards(Protocol):
    """People's own boards, where they try moves and ask for hints."""

    async def begin(self, answer: Answer, start: Start) -> None:
        """Show a new board for a person who plays both sides."""

    async def listed(self, answer: Answer) -> tuple[Select, ...]:
        """Return the list of the asker's boards, if they have one."""

    async def tree(self, answer: Answer, game: Game) -> Node | None:
        """Return a game's moves with the asker's own notes, or None if they have none."""

    async def hint(self, services: Services, game: GameId, user: UserId, reader: Reader) -> Post:
        """Return the machine's move as a hint for a player in a game.

        Raises:
            PlayError: if they may not have one.
        """

    def where_to_paste(self, reader: Reader) -> str:
        """Return a sentence on where a game or a position can be pasted."""

    def button_id(self, game: Game) -> str:
        """Return the id of the button for a board to try a game's next moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectatorActions:
    """Answers to *Move* and *Type a move* for a spectator.

    Both raise a `PlayError` if they open nothing.
    """

    pick: Callable[[Answer, GameId], Awaitable[None]]
    type: Callable[[Answer, GameId], Awaitable[None]]

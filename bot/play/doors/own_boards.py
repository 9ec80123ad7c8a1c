"""Boards of people's own, which a feature keeps: what the game shows of them."""

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Select
from bot.play.doors.interactions import Answer
from bot.play.model.game import Game
from bot.play.model.terms import Start
from dvonn import Node


class OwnBoards:
    """The boards of people's own. Nobody has one unless it is overridden."""

    async def begin(self, answer: Answer, start: Start) -> None:
        """Show a new board on which somebody plays both sides."""

    async def listed(self, _reader: Reader, _user: UserId) -> tuple[Select, ...]:
        """Return the list of somebody's boards, if they have one."""
        return ()

    async def tree(self, _game: Game, _user: UserId) -> Node | None:
        """Return a game's moves with what somebody keeps of it; None where they keep nothing."""
        return None

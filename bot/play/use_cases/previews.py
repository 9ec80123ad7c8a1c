"""Moves that are shown to their player before they are played, where that is wanted."""

from bot.base.ids import ChannelId, GameId, Revision, UserId
from bot.play.model.ahead.reading import TypedTurn
from bot.play.model.game import Game
from bot.play.model.preferences import PREVIEW
from bot.play.model.previewing import Preview, consequences
from bot.play.use_cases.games import Games
from bot.play.use_cases.preferences import Choices
from dvonn import Coordinates, Phase


class Previews:
    """The effects of a move before it is played. None: it is to be played at once.

    So is a placement, which does nothing but stand there, a text that holds more than one move, and
    whatever its player has not asked to see first. What is refused is refused here as it would be
    when it is played.
    """

    def __init__(self, games: Games, choices: Choices) -> None:
        self._games = games
        self._choices = choices

    async def here(
        self, channel: ChannelId, user: UserId, text: str, named: Coordinates | None
    ) -> Preview | None:
        """Preview a move in the game of a channel.

        Raises:
            PlayError: as `Games.play`.
        """
        if not await self._wanted(user):
            return None
        return _preview(*await self._games.meant_here(channel, user, text, named))

    async def typed_in(
        self, game: GameId, user: UserId, text: str, named: Coordinates | None
    ) -> Preview | None:
        """Preview a move typed into a game's form.

        Raises:
            PlayError: as `Games.type_in`.
        """
        if not await self._wanted(user):
            return None
        return _preview(*await self._games.meant_in(game, user, text, named))

    async def picked(
        self, game: GameId, revision: Revision, user: UserId, text: str
    ) -> Preview | None:
        """Preview a click on a game's picker.

        Raises:
            PlayError: as `Games.pick`.
        """
        if not await self._wanted(user):
            return None
        return _preview(*await self._games.meant_in(game, user, text, at=revision))

    async def _wanted(self, user: UserId) -> bool:
        return (await self._choices.of(user)).is_on(PREVIEW)


def _preview(game: Game, turn: TypedTurn) -> Preview | None:
    is_one = len(turn.moves) == 1 and turn.ahead is None
    if not is_one or game.position.phase is not Phase.MOVEMENT:
        return None
    (move,) = turn.moves
    return Preview(game, move, consequences(game.position, move))

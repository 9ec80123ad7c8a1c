"""Lists of placements for later turns: made, shown, given up."""

from bot.games.games import Games
from bot.games.protocol import attempt, refuse_twice
from bot.games.update import Update
from bot.model.game import Game
from bot.model.ids import ChannelId, SourceId, UserId
from bot.model.lists import Plan, read_plan
from bot.model.refusals import (
    BadList,
    ListProblem,
    MustChoose,
    NotYourTurn,
    UnreadableMove,
)
from bot.store import Conflict, Store
from dvonn import NotationError


class Planning:
    """What players can do with their lists. Nobody sees another's."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store = store
        self._games = games

    async def show(self, channel: ChannelId, user: UserId) -> tuple[Game, Plan | None]:
        """A player's list for the game of a channel.

        Raises:
            NoGameHere: if no game is running here.
            NotAPlayer: if the user only watches.
        """
        game = await self._games.seated_here(channel, user)
        return game, (await self._store.plans.of(game.row.id)).get(user)

    async def make(
        self, channel: ChannelId, user: UserId, text: str, *, source: SourceId
    ) -> tuple[Game, Plan | Update]:
        """Keep a list for one's next turns, in place of the one before.

        Where it is the user's turn, its first space is placed at once: an `Update` tells.

        Raises:
            AlreadyDone: if this source has begun a list before.
            NoGameHere: if no game is running here.
            NotAPlayer: if the user only watches.
            MustChoose: if the board or the colours are not settled.
            UnreadableMove: if the text is no list.
            BadList: if it cannot be kept.
            And what `Games.play` raises, where it is the user's turn.
        """

        async def do() -> tuple[Game, Plan | Update]:
            game = await self._placing(channel, user)
            if game.to_move == user:
                try:
                    update = await self._games.play(channel, user, text, source=source)
                except NotYourTurn as error:  # the user themselves has just played
                    raise Conflict from error
                return update.game, update
            await refuse_twice(self._store, source)  # its first space was placed then
            try:
                plan = read_plan(text, game.row.coordinates, game.position)
            except NotationError as error:
                raise UnreadableMove(error, game.position, game.row.coordinates) from error
            await self._store.plans.put(game.row.id, user, plan, revision=game.row.revision)
            return game, plan

        return await attempt(self._store, do, source=source)

    async def give_up(self, channel: ChannelId, user: UserId) -> bool:
        """Forget a list; whether there was one.

        Raises:
            NoGameHere: if no game is running here.
            NotAPlayer: if the user only watches.
        """

        async def do() -> bool:
            game, plan = await self.show(channel, user)
            if plan is None:
                return False
            await self._store.plans.put(game.row.id, user, None, revision=game.row.revision)
            return True

        return await attempt(self._store, do)

    async def _placing(self, channel: ChannelId, user: UserId) -> Game:
        game = await self._games.seated_here(channel, user)
        if game.choosing is not None and game.to_move is not None:
            raise MustChoose(game.to_move)
        if not game.is_placing:
            raise BadList(ListProblem.NOT_PLACING)
        return game

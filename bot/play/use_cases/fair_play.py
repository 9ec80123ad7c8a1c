"""Guards games between people that go on: nobody is helped in them by the engine.

The engine is heard at many doors (a game's page, Explore, a pasted position, reviews, puzzles, its
own moves), and a position is the same one whichever of them it comes through. So positions are
compared, not doors.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from bot.base.ids import NO_GUILD, GameId, GuildId, UserId
from bot.play.model.courses import course_of
from bot.play.model.game import Game
from bot.play.model.refusals import GameGone, HelpProblem, NoEngineHelp
from bot.play.model.refused_starts import NearGame
from bot.play.model.similar_boards import Cells, PlayedBoards, boards_in, boards_of, cells, is_free
from bot.play.model.terms import Start
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from dvonn import Position

_IN_ONE_GO: Final = 500
"""The boards of so many games are read together."""


class FairPlay:
    """Knows which positions are being played, of all processes' games.

    Their boards are kept at hand. A question reads which games have changed since the last one,
    and the boards of these; a game itself is read only where its board is near what is asked about.
    """

    def __init__(self, store: Store, game_cache: GameCache) -> None:
        self._store = store
        self._game_cache = game_cache
        self._played = PlayedBoards()
        self._known: frozenset[str] = frozenset()
        """Games whose boards are kept, each as its number and revision."""
        self._one_at_a_time = asyncio.Lock()

    async def check(
        self, positions: Sequence[Position], *, user: UserId, game: GameId | None = None
    ) -> None:
        """See that the engine may speak to somebody about a position, wherever they ask.

        Looked at are all games of this host, for whoever asks may have a friend who plays; but of
        games from a chosen position their own: anybody can begin one from any position.

        The last position is asked about; the others say how it came about.

        Raises:
            NoEngineHelp: if it helps in a game between people that goes on.
        """
        own = None if game is None else await self._store.games.get(game)
        if own is not None and own.is_running and own.is_unaided:
            raise NoEngineHelp(HelpProblem.RUNNING)
        _refuse(await self._near(positions, user=user), user)

    async def check_start(self, position: Position | None, *, user: UserId) -> None:
        """See that a game from a chosen position helps nobody in one that goes on.

        Raises:
            NearGame: if it would.
        """
        if position is None:
            return
        try:
            await self.check((position,), user=user)
        except NoEngineHelp as error:
            raise NearGame(is_own=error.problem is HelpProblem.NEAR_OWN) from error

    async def check_hint(self, game: Game, *, user: UserId) -> None:
        """See that a hint in a game that gives hints helps in no other one.

        Raises:
            NoEngineHelp: if it helps in another game between people.
        """
        _refuse(await self._near(course_of(game).positions(), but=game.row.id, user=user), user)

    async def check_told(
        self, positions: Iterable[Position], *, user: UserId, guild: GuildId
    ) -> None:
        """See that somebody may be told what the engine has once found about positions.

        Looked at are their own games and those of the server where they ask.

        Raises:
            NoEngineHelp: if it helps in a game between people that goes on.
        """
        if playing := await self._playing([user], guild):
            _refuse(await self._near(positions, among=playing), user)

    async def may_tell_all(self, game: Game) -> bool:
        """Tell whether everybody may read the engine's review of an ended game, where it was."""
        playing = await self._playing(_people(game), game.row.guild)
        return not playing or await self._near(course_of(game).positions(), among=playing) is None

    async def holds(self, game: Game) -> bool:
        """Tell whether the machine, which is to act in a game, waits until another has moved on.

        That is one of its people, or of its server, in which its move would help.
        """
        machine = game.row.machine
        if machine is None or game.to_move != machine:
            return False
        playing = await self._playing(_people(game), game.row.guild)
        if not playing:
            return False
        # Two such games in which nobody is to be helped would wait for each other.
        older, but = game.row.is_unaided, game.row.id
        return await self._near((game.position,), among=playing, but=but, older=older) is not None

    async def _playing(self, users: Iterable[UserId], guild: GuildId) -> frozenset[GameId]:
        """Return the games in which somebody or a server is not to be helped."""
        where = None if guild == NO_GUILD else guild
        return frozenset().union(
            *[await self._store.games.unaided(user, guild=where) for user in users]
        )

    async def _near(
        self,
        positions: Iterable[Position],
        *,
        among: Collection[GameId] | None = None,
        but: GameId | None = None,
        older: bool = False,
        user: UserId | None = None,
    ) -> Game | None:
        """Return a game without help that stands near one of some positions; None where none does.

        `older` counts, of games with the machine, only those that began before the game `but`.
        `user` counts, of games from a chosen position, only theirs.
        """
        boards = [cells(position.stacks) for position in positions if not is_free(position)]
        async with self._one_at_a_time:
            await self._look_again()
            found = await asyncio.to_thread(self._all_near, boards, among)
        for number in found - {but}:
            game = await self._running(number)
            if game is None or (user is not None and _is_others(game, user)):
                continue
            is_older = but is None or number < but
            if is_older or not older or game.row.machine is None:
                return game
        return None

    def _all_near(self, boards: Iterable[Cells], among: Collection[GameId] | None) -> set[GameId]:
        return {game for board in boards for game in self._played.near(board, among)}

    async def _look_again(self) -> None:
        """Let the boards at hand be those of the games that go on now."""
        now = await self._store.games.unaided_everywhere()
        for key in self._known - now:
            self._played.drop(_number(key))
        new = [*(now - self._known)]
        self._known &= now
        for first in range(0, len(new), _IN_ONE_GO):
            together = new[first : first + _IN_ONE_GO]
            await self._read({_number(key) for key in together})
            self._known = self._known.union(together)

    async def _read(self, numbers: Collection[GameId]) -> None:
        """Read the boards of some games; a game itself where its row doesn't keep them."""
        for number, (revision, line) in (await self._store.games.boards(numbers)).items():
            kept_at, boards = boards_in(line)
            if kept_at != revision:  # a bot has played there that knew nothing of it
                game = await self._running(number)
                boards = () if game is None else boards_of(game)
            self._played.put(number, boards)

    async def _running(self, number: GameId) -> Game | None:
        try:
            return await self._game_cache.running(number)
        except GameGone:
            return None


def _refuse(game: Game | None, user: UserId) -> None:
    if game is not None:
        is_own = game.seat(user) is not None
        raise NoEngineHelp(HelpProblem.NEAR_OWN if is_own else HelpProblem.NEAR)


def _is_others(game: Game, user: UserId) -> bool:
    """Tell whether it began from a chosen position, and somebody doesn't play in it."""
    return game.row.start is Start.POSITION and game.seat(user) is None


def _people(game: Game) -> frozenset[UserId]:
    return frozenset((game.row.white, game.row.black)) - {game.row.machine}


def _number(key: str) -> GameId:
    return GameId(int(key.partition("-")[0]))

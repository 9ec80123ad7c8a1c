"""Nobody is helped in a game between people that goes on: the guard of all the engine says.

The engine is asked by many doors (a game's page, Explore, a pasted position), and a position is the
same one whichever of them it comes through. So positions are compared, not doors.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from bot.games.archive import Archive
from bot.games.pie import random_boards
from bot.model.courses import course_of
from bot.model.game import Choosing, Game
from bot.model.ids import NO_GUILD, GameId, GuildId, Revision, UserId
from bot.model.likeness import BoardCells, Question, is_like
from bot.model.refusals import GameGone, HelpProblem, NoEngineHelp
from bot.store import Store
from dvonn import Position

_JUST_NOW: Final = 2
"""So many plies back, what would have been best tells of what is best now."""
_MOST_BOARDS: Final = 10_000
"""Of so many games the boards are kept at hand, about 1 KiB each."""

_Boards = tuple[Revision, tuple[BoardCells, ...]]
"""What can come next in a game is near one of these, from that revision on."""


class FairPlay:
    """Knows which positions are being played.

    A question is compared with the boards of all games that go on, which are kept at hand; a game
    itself is looked at only where its board is nearly the one that is asked about.
    """

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive
        self._boards: OrderedDict[GameId, _Boards] = OrderedDict()

    async def check(
        self,
        positions: Sequence[Position],
        *,
        user: UserId,
        guild: GuildId,
        game: GameId | None = None,
    ) -> None:
        """See that the engine may speak to somebody about a position.

        Looked at are the games of whoever asks, in all servers, and those of the server where they
        ask, for a spectator may have a friend who plays.

        Args:
            positions: How it came about; the last one is asked about.
            user: Who asks.
            guild: Where; `NO_GUILD` in direct messages.
            game: The game that it is from, if it is from one.

        Raises:
            NoEngineHelp: if it helps in a game between people that goes on.
        """
        own = None if game is None else await self._store.games.get(game)
        if own is not None and own.is_running and own.is_unaided:
            raise NoEngineHelp(HelpProblem.RUNNING)
        await self._check_games(positions, user, guild)

    async def check_hint(self, game: Game, *, user: UserId, guild: GuildId) -> None:
        """See that the player to move may be told what the engine would play in their game now.

        Args:
            game: As it stands.
            user: Who is to move there.
            guild: Where they ask; `NO_GUILD` in direct messages.

        Raises:
            NoEngineHelp: if their opponent has not agreed to that, or if the same helps in another
                game between people.
        """
        if game.row.vote is not None:
            raise NoEngineHelp(HelpProblem.TEAM)
        if game.row.rated:
            raise NoEngineHelp(HelpProblem.RATED)
        if not game.gives_hints:
            raise NoEngineHelp(HelpProblem.NOT_AGREED)
        await self._check_games(course_of(game).positions(), user, guild, but=game.row.id)

    async def _check_games(
        self,
        positions: Sequence[Position],
        user: UserId,
        guild: GuildId,
        *,
        but: GameId | None = None,
    ) -> None:
        question = Question.of(positions)
        playing = await self._store.games.unaided(user, guild=None if guild == NO_GUILD else guild)
        for number, revision in playing:
            if number == but or not any(
                question.is_near(board) for board in await self._boards_of(number, revision)
            ):
                continue
            running = await self._running(number)
            if running is not None and _helps(running, positions, question):
                raise NoEngineHelp(HelpProblem.RUNNING)

    async def _boards_of(self, number: GameId, revision: Revision) -> tuple[BoardCells, ...]:
        """The boards to compare with: the game's own, or those of a pie start to choose from."""
        kept = self._boards.get(number)
        if kept is None or kept[0] < revision:
            game = self._archive.by_id(number)
            if game is None or game.row.revision < revision:
                game = await self._running(number)
            if game is None:
                return ()
            boards = tuple(map(BoardCells.of, _played_on(game)))
            kept = self._boards[number] = game.row.revision, boards
            if len(self._boards) > _MOST_BOARDS:
                self._boards.popitem(last=False)
        self._boards.move_to_end(number)
        return kept[1]

    async def _running(self, number: GameId) -> Game | None:
        try:
            return await self._archive.running(number)
        except GameGone:
            return None


def _played_on(game: Game) -> tuple[Position, ...]:
    """The positions from which a game goes on."""
    return random_boards(game.row) if game.choosing is Choosing.BOARD else (game.position,)


def _helps(game: Game, positions: Sequence[Position], question: Question) -> bool:
    """Whether a word on the last of some positions helps in a game."""
    asked, present = positions[-1], game.position
    if game.choosing is Choosing.BOARD:
        return any(is_like(asked, board) for board in _played_on(game))
    before = course_of(game).positions()[-1 - _JUST_NOW : -1]
    # Lines that lead through the board of a game tell of it, however far they go on.
    return is_like(asked, present, before) or question.leads_through(BoardCells.of(present))

"""Use cases for players' plans: set, show, extend, shorten and clear them."""

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, Revision, SourceId, UserId
from bot.database.database import Conflict
from bot.features.plans.model import tree
from bot.features.plans.model.parsing import example_plan, parse_plan, with_replies
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.features.plans.model.text import mark_of
from bot.features.plans.model.tree import Line, OwnStep, line_from_moves
from bot.features.plans.store import PlanTable
from bot.play.game_changes import GameUpdate
from bot.play.model import refusals
from bot.play.model.events import Moved
from bot.play.model.game import Game
from bot.play.model.turns import check_seat, parse_for_game
from bot.play.model.typed import TypedTurn
from bot.play.use_cases.ledger import GameAction, check_not_handled, retry_on_conflict
from bot.play.use_cases.use_cases import UseCases
from bot.replay.model.replays import ReplayCursor, ReplayView, sequence_of, view_at
from dvonn import Color, Coordinates, Move, NotationError, NotationProblem, Phase, Position

_InTurn = TypeVar("_InTurn")


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """A plan whose first move would be played now, so the player must confirm it."""

    text: str
    """The plan, which is parsed again when the player confirms."""
    turn: TypedTurn


class PlanOutdated(PlayError):  # noqa: N818
    """The board has changed since the plan's question was asked."""


@dataclass(frozen=True, slots=True)
class TriedLine:
    """A line that can be added to a plan."""

    moves: tuple[Move, ...]
    """Moves to play immediately, if it is the player's turn."""
    line: Line
    """Moves planned for later, with at least one answer."""


def can_add_to_plan(view: ReplayView, user: UserId) -> bool:
    """Return True if a replay is at the current board of the user's running game, or after it."""
    game = view.game
    if game is None or game.seat(user) is None or not game.is_running:
        return False
    return view.cursor.ply == view.sequence.plies


def tried_line_of(view: ReplayView, user: UserId) -> TriedLine | None:
    """Return the line that a player tried after the current board of their running game.

    Return None if it can't be added to a plan, because it starts from another player's game or an
    older board, or contains no answer by the player.
    """
    game = view.game
    color = None if game is None else game.seat(user)
    if game is None or color is None or not can_add_to_plan(view, user):
        return None
    line = line_from_moves(view.cursor.line, game.position, color)
    first = next((at for at, step in enumerate(line) if not isinstance(step, OwnStep)), len(line))
    tail = line[first:]
    while tail and not isinstance(tail[-1], OwnStep):
        tail = tail[:-1]
    return TriedLine(view.cursor.line[:first], tail) if tail else None


_MAX_QUOTE: Final = 40
"""Maximum length in characters of a quoted unreadable part."""
_FORMATTING: Final = re.compile(r"[^\w\s:;,.-]|_")
"""Characters that Discord would read as formatting."""


class Planning:
    """Use cases for plans. Players never see each other's plans."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._plans = cases.store.queries(PlanTable)
        self._foresight = cases.foresight
        self._read = cases.foresight.read
        self._game_cache = cases.game_cache
        self._ledger = cases.ledger
        self._games = cases.games

    async def show(self, channel: ChannelId, user: UserId) -> tuple[Game, tree.PlanState | None]:
        """Return a channel's game, and a player's plan in it.

        Raises:
            NoGameHere: if no game is running here.
            NotAPlayer: if the user is a spectator.
        """
        game = await self._games.seated_here(channel, user)
        return game, await self._plan_of(game, user)

    async def show_in(self, game: GameId, user: UserId) -> tuple[Game, tree.PlanState | None]:
        """Return a game, and a player's plan in it.

        Raises:
            GameNotRunning: if it has ended.
            NotAPlayer: if the user is a spectator.
        """
        current = await self._game_of_player(game, user)
        return current, await self._plan_of(current, user)

    async def make(
        self,
        user: UserId,
        text: str,
        *,
        channel: ChannelId | None = None,
        game: GameId | None = None,
        source: SourceId,
        notation: Coordinates | None = None,
        board: Revision | None = None,
    ) -> tuple[Game, tree.Plan | GameUpdate]:
        """Set a user's plan in a game (or in a channel's game), replacing the old one.

        On the user's own turn, the first move is played immediately, and its update is returned.

        Args:
            user: The player.
            text: The plan as typed.
            channel: The game's channel, if `game` is not given.
            game: The game, if `channel` is not given.
            source: Message or interaction that contains the plan.
            notation: The user's notation of spaces there, or None for the game's.
            board: Revision of the board that the plan is for, or None for any.

        Raises:
            PlanOutdated: if the board has changed since then.
            AlreadyHandled: if this source was already handled.
            GameNotRunning, NoGameHere: if it has ended, or no game is running here.
            NotAPlayer: if the user is a spectator.
            UnreadableMove: if the text is not a plan.
            BadList, BadLines: if it can't be stored.
            The same errors as `Games.type_in`, if it is the user's turn.
        """

        async def play(current: Game, plan_text: str) -> tuple[Game, GameUpdate]:
            try:
                update = await self._games.type_in(
                    current.row.id, user, plan_text, source=source, notation=notation
                )
            except refusals.NotYourTurn as error:  # this user has just played
                raise Conflict from error
            return update.game, update

        return await self._decide(user, text, channel, game, source, notation, play, board)

    async def propose(
        self,
        user: UserId,
        text: str,
        *,
        channel: ChannelId | None = None,
        game: GameId | None = None,
        source: SourceId,
        notation: Coordinates | None = None,
    ) -> tuple[Game, tree.Plan | PlanQuestion]:
        """Plan like `make`, but play nothing: on the user's own turn, return a question.

        Raises:
            The same errors as `make`.
        """

        async def ask(current: Game, plan_text: str) -> tuple[Game, PlanQuestion]:
            return current, PlanQuestion(
                plan_text, parse_for_game(current, user, plan_text, notation, self._read)
            )

        return await self._decide(user, text, channel, game, source, notation, ask)

    async def _decide(
        self,
        user: UserId,
        text: str,
        channel: ChannelId | None,
        game: GameId | None,
        source: SourceId,
        notation: Coordinates | None,
        in_turn: Callable[[Game, str], Awaitable[tuple[Game, _InTurn]]],
        board: Revision | None = None,
    ) -> tuple[Game, tree.Plan | _InTurn]:
        """Store a plan, or call `in_turn` if it is the user's turn."""

        async def do() -> tuple[Game, tree.Plan | _InTurn]:
            current = (
                await self._game_of_player(game, user)
                if channel is None
                else await self._games.seated_here(channel, user)
            )
            if board is not None and not current.has_board_of(board):
                raise PlanOutdated
            color = current.seat(user)
            assert color is not None  # they have a seat # noqa: S101
            coordinates = notation or current.row.coordinates
            plan_text = with_replies(text, coordinates, current.position, color)
            with _with_example(coordinates, current.position, color, is_series=plan_text != text):
                if current.to_move == user:
                    return await in_turn(current, plan_text)
                await check_not_handled(self._store, source)  # a plan whose first moves were played
                try:
                    plan = parse_plan(plan_text, coordinates, current.position, color)
                except NotationError as error:
                    if current.position.phase is Phase.MOVEMENT:
                        raise _unreadable(error) from error
                    raise refusals.UnreadableMove(error, current.position, coordinates) from error
                await self._put(current, user, plan)
                return current, plan

        return await retry_on_conflict(self._store, do, source=source)

    async def add(
        self, cursor: ReplayCursor, user: UserId, *, source: SourceId
    ) -> tuple[Game, tree.Plan | GameUpdate]:
        """Add a line that a player tried on a board to their plan.

        On their own turn, the first moves are played immediately, and only the rest is stored.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            StaleBoard: if the game has changed since, or the line contains no answer of the
                player's.
            NoSuchPly: if there is no such line.
            BadLines: if the plan becomes too large.
        """

        async def do() -> tuple[Game, tree.Plan | GameUpdate]:
            game = await self._game_of_player(cursor.game, user)
            tried_line = tried_line_of(view_at(cursor, sequence_of(game), game), user)
            if tried_line is None:
                raise refusals.StaleBoard
            line = tried_line.line
            if tried_line.moves:
                data = tuple(Moved(move) for move in tried_line.moves)
                update = await self._ledger.write(
                    GameAction(game, user, data, tree.join_lines([line])), source=source
                )
                return update.game, update
            await check_not_handled(self._store, source)
            plan = tree.add_line(tree.plan_in(await self._plan_of(game, user)), line)
            assert plan is not None  # the line is not empty  # noqa: S101
            if tree.size(plan) > tree.MAX_MOVES:
                raise BadLines(LineProblem.TOO_MANY, limit=tree.MAX_MOVES)
            await self._put(game, user, plan)
            return game, plan

        return await retry_on_conflict(self._store, do, source=source)

    async def drop(
        self, game: GameId, user: UserId, number: int, mark: str
    ) -> tuple[Game, tree.Plan | None]:
        """Remove one line of a plan, counted from 0.

        Return the rest of the plan.

        `mark` identifies the tree that the user saw (`mark_of`).

        Raises:
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            StaleBoard: if the plan has changed.
        """

        async def do() -> tuple[Game, tree.Plan | None]:
            current = await self._game_of_player(game, user)
            plan = tree.plan_in(await self._plan_of(current, user))
            if plan is None or mark_of(plan) != mark:
                raise refusals.StaleBoard
            rest = tree.remove_line(plan, number)
            await self._put(current, user, rest)
            return current, rest

        return await retry_on_conflict(self._store, do)

    async def clear(self, game: GameId, user: UserId) -> bool:
        """Remove a user's plan. Return True if there was one.

        Raises:
            GameNotRunning: if it has ended.
            NotAPlayer: if the user is a spectator.
        """

        async def do() -> bool:
            return await self._clear(*await self.show_in(game, user), user)

        return await retry_on_conflict(self._store, do)

    # Internals

    async def _game_of_player(self, number: GameId | None, user: UserId) -> Game:
        game = None if number is None else await self._game_cache.running(number)
        if game is None:
            raise refusals.NotAPlayer
        check_seat(game, user)
        return game

    async def _plan_of(self, game: Game, user: UserId) -> tree.PlanState | None:
        state = (await self._plans.of_game(game.row.id)).get(user)
        return None if state is None or not tree.is_for_board(state, game.board_since) else state

    async def _put(self, game: Game, user: UserId, plan: tree.Plan | None) -> None:
        state = tree.plan_state(plan, game.board_since)
        stored_plans = await self._plans.put(game.row.id, user, state, revision=game.row.revision)
        self._foresight.learn(game.row.id, stored_plans)

    async def _clear(self, game: Game, state: tree.PlanState | None, user: UserId) -> bool:
        if state is None:
            return False
        await self._put(game, user, None)
        return tree.plan_in(state) is not None


@contextmanager
def _with_example(
    coordinates: Coordinates, position: Position, own_color: Color, *, is_series: bool
) -> Iterator[None]:
    """Add an example for the current board to errors about plans, in the movement phase.

    If the text was a series of moves (`is_series`), the tree made from it isn't quoted.
    """
    try:
        yield
    except BadLines as error:
        if is_series:
            error.valid_part = ""
            if error.problem is LineProblem.AFTER_ELSE:
                error.problem = LineProblem.NO_REPLY
        if position.phase is Phase.MOVEMENT:
            error.example = example_plan(coordinates, position, own_color)
        raise


def _unreadable(error: NotationError) -> BadLines:
    """Return the error for a plan that can't be read.

    It suggests no move that is legal now, because that would be the opponent's.
    """
    rest = error.text[error.at :].strip() or error.text.strip()
    wrong_part = _FORMATTING.sub("", rest)[:_MAX_QUOTE]
    if error.problem is NotationProblem.OFF_BOARD:
        return BadLines(LineProblem.OFF_BOARD, wrong_part=wrong_part)
    return BadLines(LineProblem.UNREADABLE, wrong_part=wrong_part)

"""Compiled play of many games at once, for machine learning.

Requires numba and numpy.

    from dvonn.batch import Batch

    batch = Batch(1024)
    while not batch.over.all():
        actions = choose(batch.planes, batch.masks)    # yours: one number for each game
        batch.step(actions)
    batch.margins                                      # White's pieces minus Black's

`Batch.select` copies games, so that a program can try each action.

The actions are the numbers of `dvonn.actions`, and the planes are from `dvonn.arrays`, as the
player to move sees them. The rules are exactly those in `dvonn.Position`. A finished game has no
legal actions, and its entry in `actions` is ignored. The arrays are views of the batch's memory,
which each step overwrites.
"""

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dvonn._rules.bitboard import INDEX, SIZE
from dvonn._rules.board import COLUMNS, DIRECTIONS, POINTS, ROWS, column_row, point_at
from dvonn._rules.errors import DvonnError
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.actions import ACTIONS
from dvonn.arrays import PLANES
from dvonn.engine.backend import compiled, lowest, require_compiled
from dvonn.engine.results import EngineMissingError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

WHITE: Final = 0
BLACK: Final = 1
OVER: Final = -1
"""Values in `Batch.turns`."""

_OCCUPIED, _WHITE, _BLACK, _RED = range(4)
_PLACED, _TURN, _FIELDS = 4, 5, 6
_PLACEMENTS: Final = len(POINTS)
_REDS: Final = 3
_ROW: Final = COLUMNS + 1
_CELLS: Final = ROWS * COLUMNS
_FARTHEST: Final = COLUMNS - 1
_WAYS: Final = len(DIRECTIONS)
_MULTIPLIER: Final = 6364136223846793005
_INCREMENT: Final = 1442695040888963407
_LARGEST_SEED: Final = (1 << 63) - 1


def _tables() -> tuple[Any, Any, Any, Any]:
    """Return lookup tables: bit by point, point by bit, cell by bit, and targets.

    Targets are indexed by bit, direction and number of steps.
    """
    bits = np.array([INDEX[point] for point in POINTS], np.int64)
    points, cells = np.zeros(SIZE, np.int64), np.zeros(SIZE, np.int64)
    targets = np.full((SIZE, _WAYS, _FARTHEST + 1), -1, np.int64)
    for number, point in enumerate(POINTS):
        (column, row), bit = column_row(point), INDEX[point]
        points[bit], cells[bit] = number, row * COLUMNS + column
        for way, (across, up) in enumerate(DIRECTIONS):
            for steps in range(1, _FARTHEST + 1):
                target = point_at(column + across * steps, row + up * steps)
                targets[bit, way, steps] = -1 if target is None else INDEX[target]
    return bits, points, cells, targets


class Batch:
    """A fixed number of games that are played in parallel.

    Args:
        size: Number of games.
        starts: Start positions. Each game takes the next one, starting over when they run out.

    Attributes:
        masks: The legal actions: uint8 array of shape (size, 343), 1 if legal.
        planes: The observations: uint8 array of shape (size, 9, 5, 11).

    Raises:
        EngineMissingError: if numba is not installed.
    """

    def __init__(self, size: int, starts: Sequence[Position] = (Position.initial(),)) -> None:
        try:
            require_compiled()
        except ModuleNotFoundError as error:
            raise EngineMissingError(error.name or "numba") from error
        self.masks: NDArray[np.int8] = np.zeros((size, ACTIONS), np.int8)
        self.planes: NDArray[np.uint8] = np.zeros((size, len(PLANES), ROWS, COLUMNS), np.uint8)
        self._fields = np.zeros((size, _FIELDS), np.int64)
        self._heights = np.zeros((size, SIZE), np.int64)
        self._reds = np.zeros((size, SIZE), np.int64)
        self._margins = np.zeros(size, np.int64)
        self._tables = _tables()
        self.reset(starts=starts)

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def turns(self) -> "NDArray[np.int64]":
        """The player to move in each game: WHITE, BLACK, or OVER."""
        return self._fields[:, _TURN]

    @property
    def over(self) -> "NDArray[np.bool_]":
        """True for each finished game."""
        return np.equal(self.turns, OVER)

    @property
    def margins(self) -> "NDArray[np.int64]":
        """White's pieces minus Black's in each game."""
        return self._margins

    @property
    def outcomes(self) -> "NDArray[np.int64]":
        """1 for each game won by White, -1 for each won by Black, 0 for draws and running games."""
        return np.where(self.over, np.sign(self._margins), 0)

    def reset(
        self,
        games: "ArrayLike | None" = None,
        *,
        starts: Sequence[Position] = (Position.initial(),),
    ) -> None:
        """Restart some or all games.

        Args:
            games: Numbers of the games, or None for all.
            starts: Start positions. Each game takes the next one.
        """
        numbers = np.arange(len(self)) if games is None else np.asarray(games, np.int64).ravel()
        for at, start in enumerate(starts):
            chosen = numbers[at :: len(starts)]
            is_placing = start.phase is Phase.PLACEMENT
            occupied, white, black, red = start._sets  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            turn = {Color.WHITE: WHITE, Color.BLACK: BLACK, None: OVER}[start.turn]
            placed = start.plies if is_placing else _PLACEMENTS
            self._fields[chosen] = (occupied, white, black, red, placed, turn)
            self._heights[chosen] = self._reds[chosen] = 0
            for point, pieces in start.stacks.items():
                self._heights[chosen, INDEX[point]] = len(pieces)
                self._reds[chosen, INDEX[point]] = pieces.count("R")
        _show(
            numbers,
            self._fields,
            self._heights,
            self._reds,
            self.masks,
            self._work,
            self._margins,
            *self._tables,
        )

    def step(self, actions: "ArrayLike", games: "ArrayLike | None" = None) -> None:
        """Play one action in each of some games.

        Passes are automatic.

        Args:
            actions: A number for each game.
            games: Numbers of the games, or None for all.

        Raises:
            DvonnError: if an action is illegal. Then no action is played.
        """
        numbers = np.arange(len(self)) if games is None else np.asarray(games, np.int64).ravel()
        played = np.asarray(actions, np.int64).ravel()
        if len(played) != len(numbers):
            raise DvonnError(f"{len(numbers)} games, but {len(played)} actions")
        legal = np.zeros(len(played), np.bool_)
        inside = (played >= 0) & (played < ACTIONS)
        legal[inside] = self.masks[numbers[inside], played[inside]] == 1
        wrong = np.flatnonzero(~legal & (self.turns[numbers] != OVER))
        if len(wrong):
            raise DvonnError(f"game {numbers[wrong[0]]}: action {played[wrong[0]]} is not legal")
        _step(
            numbers,
            played,
            self._fields,
            self._heights,
            self._reds,
            self.masks,
            self._work,
            self._margins,
            *self._tables,
        )

    def select(self, games: "ArrayLike") -> "Batch":
        """Return a new batch with copies of some games, to try actions in.

        >>> batch = Batch(2)
        >>> children = batch.select([0, 0, 1])
        >>> children.step([5, 6, 7])
        >>> len(children), batch.turns.tolist(), children.turns.tolist()
        (3, [0, 0], [1, 1, 1])

        Args:
            games: Numbers of the games, in the order of the new batch. A number may occur several
                times.
        """
        numbers = np.asarray(games, np.int64).ravel()
        chosen = copy(self)
        for name in ("masks", "planes", "_fields", "_heights", "_reds", "_margins"):
            setattr(chosen, name, getattr(self, name)[numbers])
        return chosen

    @property
    def _work(self) -> "NDArray[np.uint8]":
        return self.planes.reshape(len(self), len(PLANES), _CELLS)

    def random_actions(self, seed: int) -> "NDArray[np.int64]":
        """Return a random legal action for each game, or 0 for a finished one."""
        actions = np.zeros(len(self), np.int64)
        _pick(self.masks, seed & _LARGEST_SEED, actions)
        return actions


@compiled
def _pick(masks: Any, seed: int, actions: Any) -> None:
    for game in range(len(actions)):
        count = 0
        for action in range(ACTIONS):
            count += masks[game, action]
        if count == 0:
            continue
        for _ in range(2):
            seed = (seed * _MULTIPLIER + _INCREMENT) & _LARGEST_SEED
        rank = (seed >> 31) % count
        for action in range(ACTIONS):
            if masks[game, action]:
                if rank == 0:
                    actions[game] = action
                    break
                rank -= 1


@compiled
def _step(
    numbers: Any,
    actions: Any,
    fields: Any,
    heights: Any,
    reds: Any,
    masks: Any,
    planes: Any,
    margins: Any,
    bits: Any,
    points: Any,
    cells: Any,
    targets: Any,
) -> None:
    for at in range(len(numbers)):
        game, action = numbers[at], actions[at]
        if fields[game, _TURN] == OVER:
            continue
        if fields[game, _PLACED] < _PLACEMENTS:
            bit = bits[action]
            placed = fields[game, _PLACED]
            heights[game, bit] = 1
            if placed < _REDS:
                reds[game, bit] = 1
                fields[game, _RED] |= 1 << bit
            elif placed % 2:
                fields[game, _BLACK] |= 1 << bit
            else:
                fields[game, _WHITE] |= 1 << bit
            fields[game, _OCCUPIED] |= 1 << bit
            fields[game, _PLACED] = placed + 1
            fields[game, _TURN] = (placed + 1) % 2
            if placed + 1 == _PLACEMENTS:
                fields[game, _TURN] = WHITE
        else:
            source = bits[(action - _PLACEMENTS) // _WAYS]
            height = heights[game, source]
            target = targets[source, (action - _PLACEMENTS) % _WAYS, height]
            _move(game, source, target, fields, heights, reds)
        _show_one(game, fields, heights, reds, masks, planes, margins, bits, points, cells, targets)


@compiled
def _move(game: int, source: int, target: int, fields: Any, heights: Any, reds: Any) -> None:
    """Move a stack, and remove the stacks that are no longer linked to a red piece."""
    leaves, lands = 1 << source, 1 << target
    own_plane = _WHITE + fields[game, _TURN]
    other = _WHITE + _BLACK - own_plane
    heights[game, target] += heights[game, source]
    reds[game, target] += reds[game, source]
    heights[game, source] = reds[game, source] = 0
    fields[game, own_plane] = fields[game, own_plane] & ~leaves | lands
    fields[game, other] &= ~lands
    fields[game, _OCCUPIED] &= ~leaves
    if fields[game, _RED] & leaves:
        fields[game, _RED] = fields[game, _RED] & ~leaves | lands
    occupied, linked, before = fields[game, _OCCUPIED], fields[game, _RED], 0
    while linked != before:
        before = linked
        linked |= (linked << 1 | linked >> 1 | linked << _ROW | linked >> _ROW) & occupied
        linked |= (linked << (_ROW + 1) | linked >> (_ROW + 1)) & occupied
    lost = occupied & ~linked
    fields[game, _OCCUPIED] = linked
    fields[game, _WHITE] &= linked
    fields[game, _BLACK] &= linked
    while lost:
        bit = lowest(lost)
        lost &= lost - 1
        heights[game, bit] = reds[game, bit] = 0
    fields[game, _TURN] = 1 - fields[game, _TURN]


@compiled
def _show(
    numbers: Any,
    fields: Any,
    heights: Any,
    reds: Any,
    masks: Any,
    planes: Any,
    margins: Any,
    bits: Any,
    points: Any,
    cells: Any,
    targets: Any,
) -> None:
    for at in range(len(numbers)):
        _show_one(
            numbers[at], fields, heights, reds, masks, planes, margins, bits, points, cells, targets
        )


@compiled
def _show_one(
    game: int,
    fields: Any,
    heights: Any,
    reds: Any,
    masks: Any,
    planes: Any,
    margins: Any,
    bits: Any,
    points: Any,
    cells: Any,
    targets: Any,
) -> None:
    """Find the player to move, and write the mask, the planes and the margin of a game."""
    occupied = fields[game, _OCCUPIED]
    pairs = occupied & occupied << 1
    stuck = pairs & pairs >> 1 & pairs << _ROW & pairs >> (_ROW + 1)
    for action in range(ACTIONS):
        masks[game, action] = 0
    if fields[game, _PLACED] < _PLACEMENTS:
        for number in range(_PLACEMENTS):
            masks[game, number] = 1 - (occupied >> bits[number] & 1)
    elif fields[game, _TURN] != OVER:
        turn = fields[game, _TURN]
        if not _moves(game, turn, stuck, fields, heights, masks, points, targets):
            turn = 1 - turn
            if not _moves(game, turn, stuck, fields, heights, masks, points, targets):
                turn = OVER
        fields[game, _TURN] = turn
    margins[game] = _write_planes(game, stuck, fields, heights, reds, planes, bits, cells)


@compiled
def _write_planes(
    game: int,
    stuck: int,
    fields: Any,
    heights: Any,
    reds: Any,
    planes: Any,
    bits: Any,
    cells: Any,
) -> int:
    """Write the planes of a game, and return White's pieces minus Black's."""
    for plane in range(len(PLANES)):
        for cell in range(_CELLS):
            planes[game, plane, cell] = 0
    for number in range(_PLACEMENTS):
        planes[game, 0, cells[bits[number]]] = 1
    is_black = fields[game, _TURN] == BLACK
    own_bits, other = fields[game, _WHITE], fields[game, _BLACK]
    if is_black:
        own_bits, other = other, own_bits
    rest, margin = fields[game, _OCCUPIED], 0
    while rest:
        bit = lowest(rest)
        rest &= rest - 1
        cell, height = cells[bit], heights[game, bit]
        planes[game, 1, cell] = own_bits >> bit & 1
        planes[game, 2, cell] = other >> bit & 1
        planes[game, 3, cell] = reds[game, bit]
        planes[game, 4, cell] = height
        planes[game, 5, cell] = stuck >> bit & 1
        margin += height * ((own_bits >> bit & 1) - (other >> bit & 1))
    placed = fields[game, _PLACED]
    for cell in range(_CELLS):
        planes[game, 6, cell] = placed < _PLACEMENTS
        planes[game, 7, cell] = placed < _REDS
        planes[game, 8, cell] = not is_black
    return -margin if is_black else margin


@compiled
def _moves(
    game: int,
    turn: int,
    stuck: int,
    fields: Any,
    heights: Any,
    masks: Any,
    points: Any,
    targets: Any,
) -> int:
    """Write a player's legal moves into the mask, and return their number."""
    occupied, count = fields[game, _OCCUPIED], 0
    rest = fields[game, _WHITE + turn] & ~stuck
    while rest:
        bit = lowest(rest)
        rest &= rest - 1
        height = heights[game, bit]
        if height > _FARTHEST:
            continue
        for way in range(_WAYS):
            target = targets[bit, way, height]
            if target >= 0 and occupied >> target & 1:
                masks[game, _PLACEMENTS + _WAYS * points[bit] + way] = 1
                count += 1
    return count

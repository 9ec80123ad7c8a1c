"""The exceptions that this package raises for invalid input.

All of them are subclasses of `DvonnError`. IllegalMoveError is defined beside `Position`,
PuzzlesMissingError in `dvonn.puzzles`, EngineMissingError in `dvonn.engine`, and EngineFailedError
in `dvonn.engine.client`.

Each subclass has the refused value as an attribute, and an enum member for the reason if there are
several. Other refusals, such as an unknown level, raise DvonnError itself. An argument of the wrong
type may raise TypeError. `str(error)` is for programmers. The bot derives its messages for players
from the enums. All errors can be pickled.
"""

from enum import StrEnum
from typing import Final


class NotationProblem(StrEnum):
    """Reasons why a text is not exactly one move."""

    EMPTY = "empty"
    """The text is only whitespace."""
    NOT_A_POINT = "not_a_point"
    """Something other than a point (a letter and a number) where a point is expected."""
    OFF_BOARD = "off_board"
    """A letter and a number that are not a point in the coordinate system."""
    INCOMPLETE = "incomplete"
    """A separator with no point after it, such as "d2-"."""
    PASS = "pass"  # noqa: S105 - a word of the game
    """The word "pass". Passes are automatic and cannot be played."""
    SEVERAL_MOVES = "several_moves"
    """Another point follows a complete move, so the text is a list."""
    TRAILING_TEXT = "trailing_text"
    """Something other than a point follows a complete move."""


class Reason(StrEnum):
    """Reasons why a move is illegal. If several apply, the first one listed here is given."""

    GAME_OVER = "game_over"
    WRONG_PHASE = "wrong_phase"
    """A placement during the movement phase, or a movement during the placement."""
    OCCUPIED = "occupied"
    """A placement on an occupied point."""
    SAME_POINT = "same_point"
    EMPTY_SOURCE = "empty_source"
    LONE_DVONN = "lone_dvonn"
    """The source holds a single red piece, which can never move."""
    NOT_OWNER = "not_owner"
    """The top piece of the stack does not belong to the mover."""
    SURROUNDED = "surrounded"
    """The stack's six neighboring points are all occupied."""
    NOT_STRAIGHT = "not_straight"
    WRONG_DISTANCE = "wrong_distance"
    """The distance differs from the stack's height."""
    EMPTY_TARGET = "empty_target"


class PositionProblem(StrEnum):
    """Reasons why stacks are not possible in any position."""

    UNKNOWN_POINT = "unknown_point"
    BAD_STACK = "bad_stack"
    """Pieces other than R, W and B, no pieces at all, or a red piece on top of others."""
    TOO_MANY_PIECES = "too_many_pieces"
    UNLINKED = "unlinked"
    """Stacks that are not linked to a red piece by a chain of neighbors."""


class RecordProblem(StrEnum):
    """Reasons why a game record is invalid."""

    BAD_HEADER = "bad_header"
    HEADER_TWICE = "header_twice"
    WRONG_COORDINATES = "wrong_coordinates"
    """A Coordinates header that names an unknown system, or one other than the record's."""
    MOVE_NUMBER = "move_number"
    """A move number that is out of sequence."""
    NOT_A_MOVE = "not_a_move"
    ILLEGAL_MOVE = "illegal_move"
    UNCLOSED_COMMENT = "unclosed_comment"
    BAD_VARIATION = "bad_variation"
    """A bracket without a partner, without a move before it, or without a move inside."""
    NO_RESULT = "no_result"
    """The text is cut off before the result."""
    AFTER_RESULT = "after_result"
    WRONG_RESULT = "wrong_result"
    """The result is unknown, contradicts its header, or contradicts the final position."""
    WRONG_SCORE = "wrong_score"
    """The score contradicts the final position, or the game is not over."""
    NO_TERMINATION = "no_termination"
    """The game is unfinished but has a result, without a Termination header to explain it."""
    WRONG_START = "wrong_start"
    """A Start header that isn't a position or differs from the record's start."""
    FOREIGN_START = "foreign_start"
    """A start position that the format can't express, because placements alone can't reach it."""
    NOT_A_PASS = "not_a_pass"  # noqa: S105 - a word of the game
    """A pass by a player who has a move."""
    NOT_ON_TURN = "not_on_turn"
    """A player acted when it was the opponent's turn."""
    BAD_TREE = "bad_tree"
    """The text lacks the brackets and properties of an SGF file, or ends too early."""
    OTHER_GAME = "other_game"
    """A record of a game other than DVONN."""
    UNKNOWN_FORMAT = "unknown_format"
    """No reader recognizes the text's format."""
    TOO_LONG = "too_long"
    TOO_DEEP = "too_deep"
    """Variations are nested too deeply."""
    TOO_MANY_MOVES = "too_many_moves"
    """The game has too many moves, including the moves of its variations."""


class DiagramProblem(StrEnum):
    """Reasons why a text diagram is invalid."""

    MISSING_LINE = "missing_line"
    BAD_ROW = "bad_row"
    """The row has a wrong label, a wrong number of points, or a wrong label at its end."""
    BAD_STACK = "bad_stack"
    """Text that is not a top view or a legend line where one is expected."""
    BAD_LEGEND = "bad_legend"
    """The legend and the board disagree, or a tall stack has no legend line."""
    BAD_TURN = "bad_turn"
    IMPOSSIBLE = "impossible"
    """Well formed, but the stacks are not possible."""


class PositionTextProblem(StrEnum):
    """Reasons why a one-line text is not a position."""

    TOO_LONG = "too_long"
    """Longer than any position's text."""
    BAD_CHARACTER = "bad_character"
    """The text lacks a piece, a number from 1 to 11 or a slash where one is required."""
    UNFINISHED_STACK = "unfinished_stack"
    """Lowercase letters without the capital letter that ends a stack."""
    RED_ON_TOP = "red_on_top"
    """A red piece on top of others, which no move produces."""
    BAD_ROW = "bad_row"
    """A row with too many points, or too few."""
    BAD_TURN = "bad_turn"
    """Text after the board other than "W place", "B place", "W move", "B move" or "over"."""
    IMPOSSIBLE = "impossible"
    """Well formed, but the stacks or the turn are not possible."""


class LinkProblem(StrEnum):
    """Reasons why a link's fragment is not a game."""

    TOO_LONG = "too_long"
    VERSION = "version"
    """The fragment does not begin with a known version number."""
    CUT = "cut"
    """The end of the fragment is missing."""
    CHARACTER = "character"
    """A character that is not a base-64 digit."""
    NO_SUCH_MOVE = "no_such_move"
    """A number higher than the number of legal moves."""
    HEADER = "header"
    """A header without a tag or value, a repeated header, or unknown coordinates."""


_SHOWN: Final = 100
"""Maximum number of characters that an error message quotes."""


def _shown(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."


class DvonnError(ValueError):
    """Base class of this package's exceptions."""


class UnknownPointError(DvonnError):
    """A name that is not the standard name of a point.

    Attributes:
        name: The refused name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"not a point of the board: {_shown(self.name)}"


class UnknownColorError(DvonnError):
    """A value that is not a player.

    Attributes:
        value: The refused value.
    """

    def __init__(self, value: object) -> None:
        super().__init__(value)
        self.value = value

    def __str__(self) -> str:
        return f"not a player: {_shown(str(self.value))}; Color.WHITE is 'W', Color.BLACK is 'B'"


class NotationError(DvonnError):
    """A text that is not exactly one move.

    Attributes:
        text: The whole text.
        at: Index at which parsing stopped, from 0 to len(text).
        problem: The reason.
    """

    def __init__(self, text: str, at: int, problem: NotationProblem) -> None:
        super().__init__(text, at, problem)
        self.text = text
        self.at = at
        self.problem = problem

    def __str__(self) -> str:
        return f"not a move: {_shown(self.text)} ({self.problem} at {self.at})"


class PositionError(DvonnError):
    """Stacks that no position can have.

    Attributes:
        problem: The reason.
        culprits: Names of the offending points, or the letters of the piece colors that occur too
            often.
    """

    def __init__(self, problem: PositionProblem, culprits: tuple[str, ...]) -> None:
        super().__init__(problem, culprits)
        self.problem = problem
        self.culprits = culprits

    def __str__(self) -> str:
        return f"impossible position: {self.problem} ({', '.join(map(repr, self.culprits))})"


class RecordError(DvonnError):
    """A game record that cannot be read, or whose headers do not fit its moves.

    Attributes:
        line: The line of the text, from 1, or None if the record was not read from a text.
        reason: The reason.
        part: The refused part of the text.
        column: The column where that part begins, from 1, or None if there is no line.
    """

    def __init__(
        self,
        line: int | None,
        reason: RecordProblem,
        part: str = "",
        column: int | None = None,
    ) -> None:
        super().__init__(line, reason, part, column)
        self.line = line
        self.reason = reason
        self.part = part
        self.column = column

    def __str__(self) -> str:
        place = "" if self.line is None else f" in line {self.line}"
        place += "" if self.column is None else f", column {self.column}"
        return f"bad game record: {self.reason}{place}: {self.part!r}"


class DiagramError(DvonnError):
    """A text diagram that cannot be read.

    Attributes:
        line: The line of the text, from 1.
        reason: The reason.
        part: The refused part of the text.
    """

    def __init__(self, line: int, reason: DiagramProblem, part: str = "") -> None:
        super().__init__(line, reason, part)
        self.line = line
        self.reason = reason
        self.part = part

    def __str__(self) -> str:
        return f"bad diagram: {self.reason} in line {self.line}: {self.part!r}"


class PositionTextError(DvonnError):
    """A one-line text that is not a position.

    Attributes:
        text: The whole text.
        at: Index of the refused part in the text, from 0 to len(text).
        problem: The reason.
    """

    def __init__(self, text: str, at: int, problem: PositionTextProblem) -> None:
        super().__init__(text, at, problem)
        self.text = text
        self.at = at
        self.problem = problem

    def __str__(self) -> str:
        return f"not a position: {_shown(self.text)} ({self.problem} at {self.at})"


class LinkError(DvonnError):
    """A link's fragment that is not a game.

    Attributes:
        text: The whole text.
        at: Index of the refused part in the text.
        problem: The reason.
    """

    def __init__(self, text: str, at: int, problem: LinkProblem) -> None:
        super().__init__(text, at, problem)
        self.text = text
        self.at = at
        self.problem = problem

    def __str__(self) -> str:
        return f"not a game's link: {_shown(self.text)} ({self.problem} at {self.at})"

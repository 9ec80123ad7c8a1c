"""The games where the machine gives hints, and users' own boards."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from hashlib import sha256
from typing import Final

from bot.base.errors import PlayError
from bot.base.ids import GameId, UserId
from bot.play.model.game import Game
from bot.replay.model import replays
from dvonn import Coordinates, GameRecord, Move, Node, Position, format_move, position_to_text
from dvonn.position_text import PrintedPosition


class HintProblem(Enum):
    """Reasons why the machine is not asked about a position."""

    NO_MACHINE = auto()
    OVER = auto()
    TEAM = auto()
    RATED = auto()
    NOT_AGREED = auto()


@dataclass(eq=False)
class NoHint(PlayError):  # noqa: N818
    """The machine does not give the requested help."""

    problem: HintProblem


def check_hint(game: Game) -> None:
    """Check that the player to move may ask for hints.

    Raises:
        NoHint: if they may not, with the reason.
    """
    if game.row.vote is not None:
        raise NoHint(HintProblem.TEAM)
    if game.row.rated:
        raise NoHint(HintProblem.RATED)
    if not game.gives_hints:
        raise NoHint(HintProblem.NOT_AGREED)


LONGEST_RECORD: Final = 8_000
"""Maximum length of a board's moves and comments in characters. Reading them takes 25 ms."""
LONGEST_COMMENT: Final = 200
MOST_STUDIES: Final = 100
"""Maximum number of boards of a user."""


class StudyNotFound(PlayError):  # noqa: N818
    """An own board was deleted, or belongs to another user."""


class StudyFull(PlayError):  # noqa: N818
    """An own board is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRow:
    """The row of an own board."""

    id: int = 0
    """0 until it is stored."""
    player: UserId
    game: GameId | None
    start: str | None
    """Checksum of its first position, without a game."""
    revision: int
    record: str
    place: int
    moves: int
    turned: bool
    kept: bool
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A user's own board: a tree of moves and comments, and a place in it.

    Attributes:
        id: 0 until it is stored.
        revision: Number of its changes. A button of an older revision changes nothing.
        root: All moves from the start. Those of a game are the main line.
        turned: True if Black's side is below. A game's board is turned as in the game.
        kept: True if it has moves or comments of the user.
    """

    id: int = 0
    player: UserId
    revision: int = 0
    start: PrintedPosition
    coordinates: Coordinates = Coordinates.STANDARD
    root: Node
    place: tuple[Move, ...] = ()
    game: Game | None = None
    turned: bool = False
    kept: bool = False

    @property
    def sequence(self) -> replays.MoveSequence:
        if self.game is not None:
            return replays.course_of(self.game)
        moves = tuple(node.move for node in self.root.mainline() if node.move is not None)
        return replays.MoveSequence(
            self.start.position, moves, self.coordinates, assumed=self.start.assumed
        )

    @property
    def replay_view(self) -> replays.ReplayView:
        course = self.sequence
        ply = replays.common_prefix_length(course.moves, self.place)
        spot = replays.ReplayCursor(
            None if self.game is None else self.game.row.id, ply, self.place[ply:]
        )
        positions = course.cut(ply, spot.line).positions()
        return replays.ReplayView(spot, course, tuple(positions), self.game)

    @property
    def current_node(self) -> Node:
        """The shown move, with everything after it."""
        return self.root.at(self.place) or self.root

    @property
    def first(self) -> int:
        """Number of plies of a ready-made board, which cannot be shown one by one."""
        return 0 if self.game is None else self.game.first_ply

    @property
    def can_cut(self) -> bool:
        """True if the shown move can be deleted. Moves of a game cannot."""
        if self.game is None:
            return bool(self.place)
        moves = replays.course_of(self.game).moves
        return replays.common_prefix_length(moves, self.place) < len(self.place)

    def shared(self) -> replays.ReplayView:
        """Return the replay cursor for other people.

        It is a game's, if an id has room for the line.
        """
        seen = self.replay_view
        if self.game is not None and len(seen.cursor.line) <= replays.LONGEST_LINE:
            return seen
        path = seen.path
        return replays.ReplayView(
            replays.ReplayCursor(None, path.plies), path, seen.positions, None
        )

    def replayed(self) -> replays.ReplayView:
        """Return the replayed moves: the game, or the shown line."""
        seen = self.replay_view
        if self.game is None and seen.cursor.line:
            return self.shared()
        return replays.see(seen.cursor.at_ply(seen.cursor.ply), seen.sequence, self.game)

    def lines(self) -> list[tuple[int, tuple[Move, ...], Node]]:
        """Return the last move of each line, with its number and the moves that lead there."""
        every = enumerate(self.root.walk(), start=1)
        return [(number, path, node) for number, (path, node) in every if not node.variations]

    def stored(self, number: int, revision: int) -> "Study":
        return replace(self, id=number, revision=revision)

    def played(self, *moves: Move) -> "Study":
        """Return the board after some more moves, which the rules allow.

        Raises:
            IllegalMoveError: if they don't.
        """
        position = self.replay_view.position
        for move in moves:
            position = position.play(move)
        return self.with_place((*self.place, *moves))

    def back(self) -> "Study":
        """Go back one move, or stay at the start."""
        return self.at(self.place[:-1])

    def onward(self) -> "Study":
        """Go on with the first move that was tried here, if one was."""
        node = self.current_node.next
        return self if node is None or node.move is None else self.at((*self.place, node.move))

    def at(self, place: tuple[Move, ...]) -> "Study":
        if len(place) < self.first:
            place = self.sequence.moves[: self.first]
        return replace(self, place=place)

    def with_place(self, place: tuple[Move, ...]) -> "Study":
        """Return the board at a legal place. A new place is added to the tree."""
        is_new = self.root.at(place) is None
        root = self.root.with_line(place) if is_new else self.root
        return replace(self.at(place), root=root, kept=self.kept or is_new)

    def at_number(self, number: int) -> "Study":
        """Return the board at the move with a number, or at the start if there is none."""
        every = enumerate(self.root.walk(), start=1)
        return self.at(next((path for one, (path, _) in every if one == number), ()))

    def with_comment(self, comment: str) -> "Study":
        """Return the board with a new comment on the shown move."""
        text = " ".join(comment[:LONGEST_COMMENT].split())
        return replace(self, root=self.root.with_line(self.place, text), kept=True)

    def cut(self) -> "Study":
        """Return the board without the shown move and everything after it."""
        if not self.can_cut:
            return self
        root = self.root.without(self.place)
        return replace(self, root=root, place=self.place[:-1], kept=True)

    def row(self, at: datetime) -> StudyRow:
        """Return the stored form.

        Raises:
            StudyFull: if it is too large.
        """
        record = GameRecord(self.root, {}, self.coordinates, start=self.start).to_text()
        if len(record) > LONGEST_RECORD:
            raise StudyFull
        paths = [(), *(path for path, _ in self.root.walk())]
        return StudyRow(
            id=self.id,
            player=self.player,
            game=None if self.game is None else self.game.row.id,
            start=checksum(self.start.position) if self.game is None else None,
            revision=self.revision,
            record=record,
            place=paths.index(self.place),
            moves=self.sequence.plies,
            turned=self.turned,
            kept=self.kept,
            changed_at=at,
        )


def new_study(seen: replays.ReplayView, player: UserId) -> Study:
    course, place = seen.sequence, seen.path.moves
    root = Node.line(course.moves).with_line(place)
    return Study(
        player=player,
        start=PrintedPosition(course.start, course.assumed),
        coordinates=course.coordinates,
        root=root,
        place=place,
        game=seen.game,
        kept=bool(seen.cursor.line),
    )


def study_of(row: StudyRow, game: Game | None) -> Study:
    """Return a board from its stored form, with the later moves of its game."""
    record = GameRecord.from_text(row.record)
    study = Study(
        id=row.id,
        player=row.player,
        revision=row.revision,
        start=PrintedPosition(record.start, record.assumed),
        coordinates=record.coordinates,
        root=record.tree,
        game=game,
        turned=row.turned,
        kept=row.kept,
    ).at_number(row.place)
    if game is None:
        return study
    moves = replays.course_of(game).moves
    return replace(study, root=study.root.with_line(moves).promoted(moves))


def told_with(study: Study) -> Node:
    """Return a game's moves with a user's comments and lines, for its record.

    Lines after the last move of a game have no place in a record, so they become a comment.
    """
    moves = study.sequence.moves
    end = study.root.at(moves)
    if end is None or not end.variations:
        return study.root
    said, bare = [end.comment], study.root
    for path, node in end.walk():
        if not node.variations:
            line = " ".join(format_move(move, study.coordinates) for move in path)
            said.append(f"({study.sequence.number(len(moves) + 1)}. {line})")
        if len(path) == 1:
            bare = bare.without((*moves, *path))
    return bare.with_line(moves, " ".join(filter(None, said)))


def checksum(position: Position) -> str:
    """Return a short key for searching boards with the same first position."""
    return sha256(position_to_text(position).encode()).hexdigest()[:24]

"""Studies, which are users' own boards, and rules for hints."""

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
from dvonn._records.position_text import PrintedPosition


class HintProblem(Enum):
    """Reasons why the engine can't help with a position."""

    NO_MACHINE = auto()
    OVER = auto()
    TEAM = auto()
    RATED = auto()
    NOT_AGREED = auto()


@dataclass(eq=False)
class NoHint(PlayError):  # noqa: N818
    """The requested hint or evaluation is not available."""

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
"""Maximum number of characters in a study's moves and comments. Parsing that many takes 25 ms."""
LONGEST_COMMENT: Final = 200
MOST_STUDIES: Final = 100
"""Maximum number of studies per user."""


class StudyNotFound(PlayError):  # noqa: N818
    """The study was deleted, or belongs to another user."""


class StudyFull(PlayError):  # noqa: N818
    """The study has reached its maximum size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRow:
    """A study as a database row."""

    id: int = 0
    """The study's id, or 0 until it is stored."""
    player: UserId
    game: GameId | None
    start: str | None
    """Checksum of the start position, or None for a study of a game."""
    revision: int
    record: str
    place: int
    moves: int
    turned: bool
    kept: bool
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A user's study: a tree of moves and comments, with a current place in it.

    Attributes:
        id: 0 until it is stored.
        revision: Number of changes so far. Buttons of an older revision do nothing.
        root: All moves from the start position. In a study of a game, the game's moves are the main
            line.
        turned: True if Black's side is at the bottom. In a study of a game, it is as in the game.
        kept: True if the study has moves or comments by the user.
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
            return replays.sequence_of(self.game)
        moves = tuple(node.move for node in self.root.mainline() if node.move is not None)
        return replays.MoveSequence(
            self.start.position, moves, self.coordinates, assumed=self.start.assumed
        )

    @property
    def replay_view(self) -> replays.ReplayView:
        course = self.sequence
        ply = replays.common_prefix_length(course.moves, self.place)
        cursor = replays.ReplayCursor(
            None if self.game is None else self.game.row.id, ply, self.place[ply:]
        )
        positions = course.cut(ply, cursor.line).positions()
        return replays.ReplayView(cursor, course, tuple(positions), self.game)

    @property
    def current_node(self) -> Node:
        """The current move, and everything after it."""
        return self.root.at(self.place) or self.root

    @property
    def first(self) -> int:
        """Number of plies before the start position. They can't be shown one by one."""
        return 0 if self.game is None else self.game.first_ply

    @property
    def can_cut(self) -> bool:
        """True if the current move can be deleted. A game's own moves can't be."""
        if self.game is None:
            return bool(self.place)
        moves = replays.sequence_of(self.game).moves
        return replays.common_prefix_length(moves, self.place) < len(self.place)

    def shared(self) -> replays.ReplayView:
        """Return the view to share with other people.

        It includes the game if a custom id has room for the line. Otherwise it has only the line.
        """
        view = self.replay_view
        if self.game is not None and len(view.cursor.line) <= replays.LONGEST_LINE:
            return view
        path = view.path
        return replays.ReplayView(
            replays.ReplayCursor(None, path.plies), path, view.positions, None
        )

    def replayed(self) -> replays.ReplayView:
        """Return the view for a replay of the game or of the current line."""
        view = self.replay_view
        if self.game is None and view.cursor.line:
            return self.shared()
        return replays.view_at(view.cursor.at_ply(view.cursor.ply), view.sequence, self.game)

    def lines(self) -> list[tuple[int, tuple[Move, ...], Node]]:
        """Return all lines, each as the number of its last move, its moves, and its last node."""
        every = enumerate(self.root.walk(), start=1)
        return [(number, path, node) for number, (path, node) in every if not node.variations]

    def stored(self, number: int, revision: int) -> "Study":
        return replace(self, id=number, revision=revision)

    def played(self, *moves: Move) -> "Study":
        """Return the study after further moves from the current place.

        Raises:
            IllegalMoveError: if a move is illegal.
        """
        position = self.replay_view.position
        for move in moves:
            position = position.play(move)
        return self.with_place((*self.place, *moves))

    def previous(self) -> "Study":
        """Return the study one move earlier, or unchanged at the start."""
        return self.at_place(self.place[:-1])

    def onward(self) -> "Study":
        """Return the study after the main move from here, or unchanged if there is none."""
        node = self.current_node.next
        return (
            self if node is None or node.move is None else self.at_place((*self.place, node.move))
        )

    def at_place(self, place: tuple[Move, ...]) -> "Study":
        if len(place) < self.first:
            place = self.sequence.moves[: self.first]
        return replace(self, place=place)

    def with_place(self, place: tuple[Move, ...]) -> "Study":
        """Return the study at a place, whose legal moves are added to the tree if they are new."""
        is_new = self.root.at(place) is None
        root = self.root.with_line(place) if is_new else self.root
        return replace(self.at_place(place), root=root, kept=self.kept or is_new)

    def at_number(self, number: int) -> "Study":
        """Return the study at the move with a given number, or at the start if there is none."""
        every = enumerate(self.root.walk(), start=1)
        return self.at_place(next((path for index, (path, _) in every if index == number), ()))

    def with_comment(self, comment: str) -> "Study":
        """Return the study with a new comment on the current move."""
        text = " ".join(comment[:LONGEST_COMMENT].split())
        return replace(self, root=self.root.with_line(self.place, text), kept=True)

    def cut(self) -> "Study":
        """Return the study without the current move and everything after it."""
        if not self.can_cut:
            return self
        root = self.root.without(self.place)
        return replace(self, root=root, place=self.place[:-1], kept=True)

    def row(self, at: datetime) -> StudyRow:
        """Return the database row.

        Raises:
            StudyFull: if the study is too large.
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


def new_study(view: replays.ReplayView, player: UserId) -> Study:
    course, place = view.sequence, view.path.moves
    root = Node.line(course.moves).with_line(place)
    return Study(
        player=player,
        start=PrintedPosition(course.start, course.assumed),
        coordinates=course.coordinates,
        root=root,
        place=place,
        game=view.game,
        kept=bool(view.cursor.line),
    )


def study_of(row: StudyRow, game: Game | None) -> Study:
    """Return a study from its database row, plus any moves played in its game since then."""
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
    moves = replays.sequence_of(game).moves
    return replace(study, root=study.root.with_line(moves).promoted(moves))


def annotated_moves(study: Study) -> Node:
    """Return a game's moves with a user's comments and lines, for use in a record.

    In a record, no line can follow a game's last move, so such lines become a comment.
    """
    moves = study.sequence.moves
    end = study.root.at(moves)
    if end is None or not end.variations:
        return study.root
    texts, bare = [end.comment], study.root
    for path, node in end.walk():
        if not node.variations:
            line = " ".join(format_move(move, study.coordinates) for move in path)
            texts.append(f"({study.sequence.number(len(moves) + 1)}. {line})")
        if len(path) == 1:
            bare = bare.without((*moves, *path))
    return bare.with_line(moves, " ".join(filter(None, texts)))


def checksum(position: Position) -> str:
    """Return a checksum of a position, for finding studies that start from it.

    >>> checksum(Position.initial())
    '339d180c623c0d8ed240a8f9'
    """
    return sha256(position_to_text(position).encode()).hexdigest()[:24]

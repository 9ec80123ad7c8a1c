"""A game's moves as a tree with variations and comments.

>>> from dvonn import Move, Node
>>> d2, c3, f5 = (Move(target=point) for point in ("d2", "c3", "f5"))
>>> tree = Node.line([d2, c3]).with_line([d2, f5], "also good")
>>> [str(node.move) for node in tree.mainline()]
['d2', 'c3']
>>> tree.at([d2, f5]).comment
'also good'

Trees are immutable, like positions: each change returns a new tree. The names are the same as in
python-chess: `variations` (the main one first), `next`, `mainline`, `comment`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dvonn._rules.errors import DvonnError
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move

_CLOCK: Final = re.compile(
    r"\[%clk\s+([0-9]{1,4}):([0-5]?[0-9]):([0-5]?[0-9](?:\.[0-9]{1,9})?)\] ?"
)
_MINUTE: Final = 60
_LONGEST: Final = 10_000 * _MINUTE**2
"""Exclusive upper bound of the seconds on a clock."""

_Flat = tuple[tuple[int, Move | None, str, tuple[int, ...]], ...]


class Node(Value):
    """A move with its comment and variations. The root of a tree has no move.

    Attributes:
        move: The move that leads here, or None for the root.
        comment: A comment on the move (at the root, on the game), without surrounding whitespace.
        variations: The next moves. The main move comes first, and no move occurs twice.
        nags: The move's marks as PGN numbers from 0 to 255: 1 is "!", 2 is "?".

    Raises:
        DvonnError: if two variations begin with the same move, or one has no move.
    """

    move: Move | None
    comment: str
    variations: tuple["Node", ...]
    nags: tuple[int, ...]

    def __init__(
        self,
        move: Move | None = None,
        comment: str = "",
        variations: tuple["Node", ...] = (),
        nags: tuple[int, ...] = (),
    ) -> None:
        moves = {node.move for node in variations}
        if len(moves) < len(variations) or None in moves:
            raise DvonnError("each variation must begin with a different move")
        super().__init__(move, comment.strip(), variations, nags)

    @classmethod
    def line(cls, moves: Iterable[Move], *, move: Move | None = None) -> "Node":
        """Return a node followed by a single line of moves, without comments."""
        first, *rest = (move, *moves)
        following: tuple[Node, ...] = ()
        for played in reversed(rest):
            following = (cls(played, "", following),)
        return cls(first, "", following)

    @property
    def next(self) -> "Node | None":
        """The main variation, or None at the end of a line."""
        return self.variations[0] if self.variations else None

    @property
    def clock(self) -> float | None:
        """Seconds left on the player's clock after the move, or None if the comment has no clock.

        >>> Node(comment="[%clk 0:01:30.5] quick").clock
        90.5

        The clock is part of the comment, in PGN's notation, so every format with comments keeps it.
        """
        match = _CLOCK.search(self.comment)
        if match is None:
            return None
        hours, minutes, seconds = match.groups()
        return (int(hours) * _MINUTE + int(minutes)) * _MINUTE + float(seconds)

    @property
    def remark(self) -> str:
        """The comment without its clock."""
        return _CLOCK.sub("", self.comment).strip()

    def with_clock(self, seconds: float | None) -> "Node":
        """Return the node with a new clock in its comment, or without one if `seconds` is None.

        >>> Node(comment="quick").with_clock(90.5).comment
        '[%clk 0:01:30.5] quick'

        Raises:
            DvonnError: if the time is negative, or 10,000 hours or more.
        """
        if seconds is None:
            return self.replace(comment=self.remark)
        thousandths = round(1000 * seconds) if 0 <= seconds < _LONGEST else -1
        if not 0 <= thousandths < 1000 * _LONGEST:
            raise DvonnError(f"a clock can't show {seconds} seconds")
        minutes, rest = divmod(thousandths, 1000 * _MINUTE)
        hours, minutes = divmod(minutes, _MINUTE)
        seconds_text = f"{rest / 1000:06.3f}".rstrip("0").rstrip(".")
        comment = f"[%clk {hours}:{minutes:02}:{seconds_text}] {self.remark}"
        return self.replace(comment=comment)

    @property
    def is_plain(self) -> bool:
        """True if there is only one line from here on, without comments or marks."""
        node: Node | None = self
        while node is not None and not (node.comment or node.nags or len(node.variations) > 1):
            node = node.next
        return node is None

    def mainline(self) -> Iterator["Node"]:
        """Yield the following nodes of the main line."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def walk(self) -> Iterator[tuple[tuple[Move, ...], "Node"]]:
        """Yield all descendants, depth first, each with the moves that lead to it."""
        waiting: list[tuple[tuple[Move, ...], Node]]
        waiting = [((), node) for node in reversed(self.variations)]
        while waiting:
            before, node = waiting.pop()
            if node.move is not None:
                before = (*before, node.move)
            yield before, node
            waiting += [(before, following) for following in reversed(node.variations)]

    def at(self, moves: Iterable[Move]) -> "Node | None":
        """Return the node at the end of a line, or None if there is no such variation."""
        node: Node | None = self
        for move in moves:
            if node is None:
                break
            node = next(
                (variation for variation in node.variations if variation.move is move), None
            )
        return node

    def with_line(self, moves: Iterable[Move], comment: str | None = None) -> "Node":
        """Return the tree with a line added as the last variation where it branches off.

        Args:
            moves: The moves from this node on.
            comment: The comment at its end, or None to keep the existing one.
        """
        line = tuple(moves)
        if not line:
            return self if comment is None else self.replace(comment=comment)
        index = self._index(line[0])
        if index is None:
            added = Node(line[-1], comment or "")
            for move in reversed(line[:-1]):
                added = Node(move, "", (added,))
            return self.replace(variations=(*self.variations, added))
        return self._with_variation(index, self.variations[index].with_line(line[1:], comment))

    def without(self, moves: Iterable[Move]) -> "Node":
        """Return the tree with the subtree at the end of a line removed.

        Raises:
            DvonnError: if no variation has these moves, or if there are none.
        """
        line = tuple(moves)
        index = self._index_of(line[0] if line else None)
        if line[1:]:
            return self._with_variation(index, self.variations[index].without(line[1:]))
        variations = (*self.variations[:index], *self.variations[index + 1 :])
        return self.replace(variations=variations)

    def promoted(self, moves: Iterable[Move]) -> "Node":
        """Return the tree with each move of a line promoted to the main variation.

        Raises:
            DvonnError: if no variation has these moves.
        """
        line = tuple(moves)
        if not line:
            return self
        index = self._index_of(line[0])
        siblings = (*self.variations[:index], *self.variations[index + 1 :])
        return self.replace(variations=(self.variations[index].promoted(line[1:]), *siblings))

    def _index(self, move: Move) -> int | None:
        return next((n for n, node in enumerate(self.variations) if node.move is move), None)

    def _index_of(self, move: Move | None) -> int:
        index = None if move is None else self._index(move)
        if index is None:
            raise DvonnError(f"no variation has this move: {move}")
        return index

    def _with_variation(self, index: int, node: "Node") -> "Node":
        before, after = self.variations[:index], self.variations[index + 1 :]
        return self.replace(variations=(*before, node, *after))

    def _flat(self) -> _Flat:
        """Return the tree as a flat tuple, so that comparisons do not recurse."""
        rest = ((len(path), node.move, node.comment, node.nags) for path, node in self.walk())
        return ((0, self.move, self.comment, self.nags), *rest)

    def __eq__(self, other: object) -> bool:
        return self._flat() == other._flat() if isinstance(other, Node) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._flat())

    def __repr__(self) -> str:
        return f"<Node {self.move} {self.comment!r} variations={len(self.variations)}>"


class NodeDraft:
    """A node under construction. Lines with the same beginning are merged.

    Attributes:
        comments: The comments so far. They will be joined by spaces.
        nags: The marks so far, as PGN numbers.
    """

    __slots__ = ("_following", "_move", "comments", "nags")

    def __init__(self, move: Move | None = None) -> None:
        self._move = move
        self._following: dict[Move, NodeDraft] = {}
        self.comments: list[str] = []
        self.nags: list[int] = []

    def child(self, move: Move) -> "NodeDraft":
        """Return the draft of a move after this one, and create it if necessary."""
        return self._following.setdefault(move, NodeDraft(move))

    def node(self) -> Node:
        nodes = tuple(draft.node() for draft in self._following.values())
        nags = tuple(dict.fromkeys(self.nags))
        return Node(self._move, " ".join(filter(None, self.comments)), nodes, nags)

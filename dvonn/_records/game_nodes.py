"""Nodes of a game's tree that also give their parent and their position.

>>> from dvonn import GameRecord
>>> node = GameRecord.from_text("1. d2 (1. f5 {also good}) 2. c3 *").root.variations[1]
>>> node.move, node.comment, node.parent.move, node.position.turn
(Move(target='f5'), 'also good', None, <Color.BLACK: 'B'>)
"""

from collections.abc import Iterator

from dvonn._records.tree import Node
from dvonn._rules.move import Move
from dvonn._rules.position import Position


class GameNode:
    """A tree node together with its place in the game.

    Attributes:
        node: The move, its comment, marks and variations.
        parent: The previous node, or None at the root.
        position: The position after the move.
    """

    __slots__ = ("node", "parent", "position")

    def __init__(self, node: Node, parent: "GameNode | None", position: Position) -> None:
        self.node = node
        self.parent = parent
        self.position = position

    @property
    def move(self) -> Move | None:
        """The move that leads here, or None at the root."""
        return self.node.move

    @property
    def comment(self) -> str:
        """The comment on the move."""
        return self.node.comment

    @property
    def nags(self) -> tuple[int, ...]:
        """The move's marks, such as "!", as PGN numbers."""
        return self.node.nags

    @property
    def clock(self) -> float | None:
        """Seconds left on the player's clock after the move, or None if unknown."""
        return self.node.clock

    @property
    def variations(self) -> tuple["GameNode", ...]:
        """The nodes of the possible next moves. The main line comes first."""
        return tuple(
            GameNode(node, self, self.position.play(node.move))
            for node in self.node.variations
            if node.move is not None
        )

    @property
    def next(self) -> "GameNode | None":
        """The main variation, or None at the end of a line."""
        node = self.node.next
        if node is None or node.move is None:
            return None
        return GameNode(node, self, self.position.play(node.move))

    def mainline(self) -> Iterator["GameNode"]:
        """Yield the following nodes of the main line."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def line(self) -> tuple[Move, ...]:
        """Return the moves that lead here from the root."""
        moves = list[Move]()
        node: GameNode | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))

    def __repr__(self) -> str:
        return f"<GameNode {' '.join(map(str, self.line()))}>"

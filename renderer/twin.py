"""The text twin of a picture: the whole position in words, for players who cannot see it."""

from collections.abc import Mapping

from dvonn import Color, Coordinates, Move, Phase, Point, Position, format_move
from renderer.headline import headline, subline
from renderer.words import ENGLISH, Words


def describe(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    words: Words = ENGLISH,
) -> str:
    """Tell a position in words: last move, what left, whose turn, counts, then every stack.

    With ENGLISH words never longer than the 1024 characters of a Discord alt text. A point alone
    means a single piece; "(4, 1 red)" after it means a stack of four with a red piece in it.

    Args:
        position: what to tell, together with what has just left the board.
        coordinates: the system in which points are named.
        last: the move that led to the position.
        words: the sentences.
    """
    sentences = []
    if last is not None:
        sentences.append(words.last_move.format(move=format_move(last, coordinates)))
    if position.removed:
        sentences.append(words.left)
        sentences += _stacks(position.removed, coordinates, words)
    sentences.append(f"{headline(position, words)}. {subline(position, words)}.")
    if position.phase is not Phase.PLACEMENT:
        score = words.result if position.phase is Phase.OVER else words.score
        white, black = position.score(Color.WHITE), position.score(Color.BLACK)
        sentences.append(score.format(white=white, black=black))
    if position.stacks:
        sentences.append(words.on_board)
        sentences += _stacks(position.stacks, coordinates, words)
    else:
        sentences.append(words.empty)
    return " ".join(sentences)


def _stacks(stacks: Mapping[Point, str], coordinates: Coordinates, words: Words) -> list[str]:
    """A sentence for each owner that has stacks, the lone red pieces last."""
    owned: dict[str, list[str]] = {"W": [], "B": [], "R": []}
    for point, pieces in stacks.items():
        owned[pieces[-1]].append(_stack(coordinates.label(point), pieces, words))
    names = {"W": words.white, "B": words.black, "R": words.red}
    return [
        words.owned.format(owner=names[owner], stacks=", ".join(texts))
        for owner, texts in owned.items()
        if texts
    ]


def _stack(name: str, pieces: str, words: Words) -> str:
    if len(pieces) == 1:
        return name
    reds = pieces.count("R")
    inside = f", {words.reds_inside.format(count=reds)}" if reds else ""
    return f"{name} ({len(pieces)}{inside})"

"""The text twin of a picture: the whole position as text, for players who can't see it."""

from collections.abc import Iterable, Mapping

from dvonn import Color, Coordinates, Move, Point, Position, format_move
from renderer.caption import (
    NO_CAPTION,
    Caption,
    headline,
    passes,
    sides,
    standing,
    yours,
)
from renderer.marks import Arrows, Heat, Marking, Marks
from renderer.scene import Scene
from renderer.words import ENGLISH, Words


def describe(
    position: Position,
    *,
    coordinates: Coordinates = Coordinates.STANDARD,
    last: Move | None = None,
    marks: Marking | None = None,
    caption: Caption = NO_CAPTION,
    turned: bool = False,
    aids: bool = True,
    words: Words = ENGLISH,
) -> str:
    """Describe a position as text: last move or marks, turn, counts, then every stack.

    With ENGLISH texts, any position fits the 1024 characters of a Discord alt text. A point without
    a height has a single piece: "White a1, c3 (4 tall, 1 red)."

    >>> from dvonn import parse_move
    >>> describe(Position.initial().play(parse_move("d2")))
    'Black to place a red piece. Placement 2 of 49. On the board: Red d2.'

    Args:
        position: The position, with the stacks that were just removed.
        coordinates: Coordinate system of the names of points.
        last: The move that led to the position.
        marks: A choice of moves, moves to show, or the values of free spaces, in place of the last
            move, as in the picture.
        caption: The ending, and the players' names, if any.
        turned: True if Black's side of the board is at the bottom of the picture.
        aids: True to name the stacks that can move, which the picture outlines.
        words: The sentences.
    """
    scene = Scene(position, coordinates, last, marks, caption, aids)
    match marks:
        case None:
            sentences = _last(scene, coordinates, words)
        case Marks():
            sentences = _choice(marks, position, coordinates, words)
        case Arrows():
            sentences = _arrow_sentences(marks, coordinates, words)
        case Heat():
            sentences = _worth(marks, coordinates, words)
    told = [headline(position, words, caption), *standing(position, words, caption)]
    if not scene.is_over:
        told = [*passes(position, words, caption), *told, *yours(words, caption)]
    sentences += [f"{said[0].upper()}{said[1:]}." for said in told]
    sentences += sides(words, caption)
    sentences += _movable(scene, coordinates, words)
    white, black = scene.count(Color.WHITE), scene.count(Color.BLACK)
    if white is not None:
        score = words.result if scene.is_over else words.score
        sentences.append(score.format(white=white, black=black))
    if not position.stacks:
        return " ".join([*sentences, words.empty])
    if scene.removed:
        sentences += [words.left, *_stacks(scene.removed, coordinates, words)]
    sentences += [words.on_board, *_stacks(position.stacks, coordinates, words)]
    if turned:
        sentences.append(words.turned)
    return " ".join(sentences)


def _last(scene: Scene, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe the last move, and the stack on which it landed."""
    if scene.last is None:
        return []
    move, below = format_move(scene.last, coordinates), _landed_on(scene)
    if not below:
        return [words.last_move.format(move=move)]
    return [words.last_landing.format(move=move, stack=_described(below, words))]


def _landed_on(scene: Scene) -> str:
    """Return the pieces on which the last movement landed, or "" for a placement.

    A stack moves as far as it is tall, so the number of pieces above them equals the distance.
    """
    if scene.source is None or scene.target is None:
        return ""
    stacks = {**scene.position.stacks, **scene.removed}
    return stacks[scene.target][: -len(scene.way) - 1]


def _described(pieces: str, words: Words) -> str:
    """Return a stack as "black" or "white (4 tall, 1 red)"."""
    color = {"W": words.white_stack, "B": words.black_stack, "R": words.red_piece}[pieces[-1]]
    return _stack(color, pieces, words)


def _choice(marks: Marks, position: Position, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe the chosen stack and what is on each of its landings."""
    if marks.source is None:
        landings = _points(marks.landings, coordinates)
        return [words.may_choose.format(landings=landings)] if landings else []
    if marks.only_outlined:
        return [words.outlined.format(source=coordinates.label(marks.source))]
    landings = ", ".join(
        f"{coordinates.label(point)} {_described(position.stacks[point], words)}"
        if point in position.stacks
        else coordinates.label(point)
        for point in marks.landings
    )
    sentence = words.may_go if landings else words.may_not_go
    return [sentence.format(source=coordinates.label(marks.source), landings=landings)]


def _arrow_sentences(arrows: Arrows, coordinates: Coordinates, words: Words) -> list[str]:
    """Return sentences about the moves to show."""
    sentences = []
    for move, sentence in (
        (arrows.played, words.played_move),
        (arrows.better, words.better_move),
    ):
        if move is not None:
            sentences.append(sentence.format(move=format_move(move, coordinates)))
    if arrows.line:
        moves = numbered(arrows.line, coordinates)
        sentences.append(words.goes_on.format(moves=moves))
    return sentences


def numbered(moves: Iterable[Move], coordinates: Coordinates, first: int = 1) -> str:
    """Return moves as "1. d2-d4, 2. c3-c4", with the numbers on their arrows or in the game."""
    played = (format_move(move, coordinates) for move in moves)
    return ", ".join(f"{number}. {move}" for number, move in enumerate(played, first))


def _worth(heat: Heat, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe the values of free spaces, best first."""
    spaces = ", ".join(f"{coordinates.label(at)} {worth}" for at, worth in heat.percent.items())
    return [words.chances.format(spaces=spaces)] if spaces else []


def _movable(scene: Scene, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe which of the mover's stacks can move, as an aid."""
    if scene.is_over or scene.marks is not None or not scene.movable:
        return []
    free = [point for point in scene.position.stacks if point in scene.movable]
    return [words.movable.format(points=_points(free, coordinates))]


def _points(points: Iterable[Point], coordinates: Coordinates) -> str:
    return ", ".join(coordinates.label(point) for point in points)


def _stacks(stacks: Mapping[Point, str], coordinates: Coordinates, words: Words) -> list[str]:
    """Return a sentence for each player who has stacks. Lone red pieces come last."""
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
    """Return a stack as "a1", "a1 (2 tall)" or "a1 (4 tall, 1 red)"."""
    if len(pieces) == 1:
        return name
    facts = [words.height.format(height=len(pieces))]
    if reds := pieces.count("R"):
        facts.append(words.reds.format(count=reds))
    return f"{name} ({', '.join(facts)})"

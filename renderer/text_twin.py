"""The text twin of a picture: its content as text, for players who can't see it."""

from collections.abc import Iterable, Mapping

from dvonn import Color, Coordinates, Move, Point, Position, format_move
from renderer.caption import NO_CAPTION, Caption, headline, own_color, passes, standing
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
    board: bool = True,
    news: bool = True,
    words: Words = ENGLISH,
) -> str:
    """Describe a position as text: the last move or the marks, the turn, counts and stacks.

    With ENGLISH texts, any position fits into the 1024 characters of a Discord alt text. A point
    without a height has a single piece, as in "White a1, c3 (4 tall, 1 red)." Players are called by
    name, except for the reader (`caption.you`), who is called "you".

    >>> from dvonn import parse_move
    >>> describe(Position.initial().play(parse_move("d2")))
    'Black to place a red piece. Placement 2 of 49. On the board: Red d2.'

    Args:
        position: The position, including the stacks that were just removed.
        coordinates: Coordinate system of the names of points.
        last: The move that led to the position.
        marks: A choice of moves, moves to show, or the values of free spaces, in place of the last
            move, as in the picture.
        caption: The ending, and the players' names, if any.
        turned: True if the picture has Black's side at the bottom.
        aids: True to list the stacks that can move, which the picture outlines.
        board: False to leave out the stacks on the board.
        news: False to leave out the last move or the marks, passes, and the turn or the winner, if
            the message next to the picture already has them.
        words: The sentences.
    """
    scene = Scene(position, coordinates, last, marks, caption, aids)
    sentences = _news(scene, coordinates, words) if news else []
    sentences += _standing(scene, coordinates, words)
    if board and not position.stacks:
        sentences.append(words.empty)
    elif board:
        sentences += [words.on_board, *_stacks(position.stacks, scene, coordinates, words)]
        sentences += [words.turned] if turned else []
    return " ".join(sentences)


def _news(scene: Scene, coordinates: Coordinates, words: Words) -> list[str]:
    """Return sentences about the last move or the marks, passes, and the turn or the end."""
    marks = scene.marks
    match marks:
        case None:
            sentences = _last(scene, coordinates, words)
        case Marks():
            sentences = _choice(marks, scene.position, coordinates, words)
        case Arrows():
            sentences = _arrow_sentences(marks, coordinates, words)
        case Heat():
            sentences = _worth(marks, coordinates, words)
    turn = [_headline(scene, words)]
    if not scene.is_over:
        turn = [*_passes(scene, words), *turn]
    return sentences + [f"{_capitalized(text)}." for text in turn]


def _standing(scene: Scene, coordinates: Coordinates, words: Words) -> list[str]:
    """Return sentences about the move number, the players and the counts."""
    caption, names = scene.caption, _names(words, scene.caption)
    texts = standing(scene.position, words, caption)
    if caption.white or caption.black:
        players = [words.sides.format(white=names[Color.WHITE], black=names[Color.BLACK])]
    else:
        players = []
        texts += [] if scene.is_over else own_color(words, caption)
    sentences = [f"{_capitalized(text)}." for text in texts] + players
    sentences += _movable(scene, coordinates, words)
    white, black = scene.count(Color.WHITE), scene.count(Color.BLACK)
    if white is not None:
        sentences.append(
            words.score.format(
                white=names[Color.WHITE],
                white_count=white,
                black=names[Color.BLACK],
                black_count=black,
            )
        )
    if scene.removed:
        sentences += [words.left, *_stacks(scene.removed, scene, coordinates, words)]
    return sentences


def _names(words: Words, caption: Caption) -> dict[Color, str]:
    """Return the players' names for sentences: "you", a name, or a color."""
    plain = {Color.WHITE: words.white, Color.BLACK: words.black}
    return {
        color: words.you if color is caption.you else caption.name(color) or plain[color]
        for color in Color
    }


def _headline(scene: Scene, words: Words) -> str:
    """Return the sentence about the player to move or the ending."""
    position, caption = scene.position, scene.caption
    if scene.is_over or position.turn is not caption.you:
        return headline(position, words, caption)
    return words.your_turn_red if position.to_place == "R" else words.your_turn


def _passes(scene: Scene, words: Words) -> list[str]:
    """Return phrases about players who had to pass after the last move."""
    if scene.caption.you in scene.position.passed:
        return [words.you_passed]
    return passes(scene.position, words, scene.caption)


def _last(scene: Scene, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe the last move, and the stack that it landed on."""
    if scene.last is None:
        return []
    move, below = format_move(scene.last, coordinates), _landed_on(scene)
    if not below:
        return [words.last_move.format(move=move)]
    return [words.last_landing.format(move=move, stack=described_stack(below, words))]


def _landed_on(scene: Scene) -> str:
    """Return the pieces that the last movement landed on, or "" for a placement.

    A stack moves as many steps as it is tall, so that many pieces on top came with the move.
    """
    if scene.source is None or scene.target is None:
        return ""
    stacks = {**scene.position.stacks, **scene.removed}
    return stacks[scene.target][: -len(scene.way) - 1]


def described_stack(pieces: str, words: Words = ENGLISH) -> str:
    """Describe a stack, such as "black" or "white (4 tall, 1 red)".

    >>> described_stack("RBWW")
    'white (4 tall, 1 red)'
    """
    color = {"W": words.white_stack, "B": words.black_stack, "R": words.red_piece}[pieces[-1]]
    return _stack(color, pieces, words)


def _choice(marks: Marks, position: Position, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe the chosen stack, and the stack at each of its landings."""
    if marks.source is None:
        landings = _points(marks.landings, coordinates)
        return [words.may_choose.format(landings=landings)] if landings else []
    if marks.only_outlined:
        return [words.outlined.format(source=coordinates.label(marks.source))]
    landings = ", ".join(
        f"{coordinates.label(point)} {described_stack(position.stacks[point], words)}"
        if point in position.stacks
        else coordinates.label(point)
        for point in marks.landings
    )
    sentence = words.may_go if landings else words.may_not_go
    return [sentence.format(source=coordinates.label(marks.source), landings=landings)]


def _arrow_sentences(arrows: Arrows, coordinates: Coordinates, words: Words) -> list[str]:
    """Return sentences about the moves to show."""
    sentences = []
    better = words.suggested_move if arrows.played is None else words.better_move
    for move, sentence in ((arrows.played, words.played_move), (arrows.better, better)):
        if move is not None:
            sentences.append(sentence.format(move=format_move(move, coordinates)))
    if arrows.line:
        moves = numbered(arrows.line, coordinates)
        sentences.append(words.goes_on.format(moves=moves))
    return sentences


def numbered(moves: Iterable[Move], coordinates: Coordinates, first: int = 1) -> str:
    """Return numbered moves, such as "1. d2-d4, 2. c3-c4", with numbers starting at `first`."""
    played = (format_move(move, coordinates) for move in moves)
    return ", ".join(f"{number}. {move}" for number, move in enumerate(played, first))


def _worth(heat: Heat, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe the values of free spaces, best first."""
    spaces = ", ".join(f"{coordinates.label(at)} {worth}" for at, worth in heat.percent.items())
    return [words.chances.format(spaces=spaces)] if spaces else []


def _movable(scene: Scene, coordinates: Coordinates, words: Words) -> list[str]:
    """Describe which stacks the player to move can move."""
    if scene.is_over or scene.marks is not None or not scene.movable:
        return []
    free = [point for point in scene.position.stacks if point in scene.movable]
    return [words.movable.format(points=_points(free, coordinates))]


def _points(points: Iterable[Point], coordinates: Coordinates) -> str:
    return ", ".join(coordinates.label(point) for point in points)


def _stacks(
    stacks: Mapping[Point, str], scene: Scene, coordinates: Coordinates, words: Words
) -> list[str]:
    """Return a sentence for each player who has stacks. Single red pieces come last."""
    owned: dict[str, list[str]] = {"W": [], "B": [], "R": []}
    for point, pieces in stacks.items():
        owned[pieces[-1]].append(_stack(coordinates.label(point), pieces, words))
    names = {color.value: name for color, name in _names(words, scene.caption).items()}
    names["R"] = words.red
    return [
        words.owned.format(owner=_capitalized(names[owner]), stacks=", ".join(texts))
        for owner, texts in owned.items()
        if texts
    ]


def _capitalized(name: str) -> str:
    """Return a name with a capital first letter, for the beginning of a sentence."""
    return f"{name[0].upper()}{name[1:]}"


def _stack(name: str, pieces: str, words: Words) -> str:
    """Return a named stack, such as "a1", "a1 (2 tall)" or "a1 (4 tall, 1 red)"."""
    facts = stack_facts(pieces, words)
    return f"{name} ({facts})" if facts else name


def stack_facts(pieces: str, words: Words = ENGLISH) -> str:
    """Return a stack's height and red pieces, such as "4 tall, 1 red", or "" for a single piece.

    >>> stack_facts("RBWW")
    '4 tall, 1 red'
    """
    if len(pieces) == 1:
        return ""
    facts = [words.height.format(height=len(pieces))]
    if reds := pieces.count("R"):
        facts.append(words.reds.format(count=reds))
    return ", ".join(facts)

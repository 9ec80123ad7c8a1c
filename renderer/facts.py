"""What both a picture and its text twin tell of a position."""

from dvonn import POINTS, Phase, Point, Position
from renderer.words import Words


def headline(position: Position, words: Words) -> str:
    """Who is to do what, or how the game ended."""
    if position.turn is None:
        return words.draw if position.winner is None else words.wins.of(position.winner)
    if position.phase is Phase.MOVEMENT:
        return words.to_move.of(position.turn)
    place = words.to_place_red if position.to_place == "R" else words.to_place
    return place.of(position.turn)


def phase(position: Position, words: Words) -> str:
    """Which phase it is, with the number of the placement to be made."""
    if position.phase is Phase.PLACEMENT:
        return words.placement.format(number=position.plies + 1, total=len(POINTS))
    return words.movement if position.phase is Phase.MOVEMENT else words.over


def passes(position: Position, words: Words) -> list[str]:
    """Who had to pass after the last move."""
    return [words.passed.of(color) for color in position.passed]


def may_not_move(position: Position, point: Point) -> bool:
    """Whether a player's stack is held in its place by its neighbours while the game goes on."""
    if position.phase is not Phase.MOVEMENT or position.owner(point) is None:
        return False
    return position.is_surrounded(point)

"""What is said above a picture and first in its text twin."""

from dvonn import POINTS, Phase, Position
from renderer.words import Words


def headline(position: Position, words: Words) -> str:
    """Who is to do what, or how the game ended."""
    if position.turn is None:
        return words.draw if position.winner is None else words.wins.of(position.winner)
    if position.phase is Phase.MOVEMENT:
        return words.to_move.of(position.turn)
    place = words.to_place_red if position.to_place == "R" else words.to_place
    return place.of(position.turn)


def subline(position: Position, words: Words) -> str:
    """Which phase it is: the number of the placement, or who had to pass."""
    if position.phase is Phase.PLACEMENT:
        return words.placement.format(number=position.plies + 1, total=len(POINTS))
    if position.phase is Phase.OVER:
        return words.over
    return ", ".join([words.movement, *(words.passed.of(color) for color in position.passed)])

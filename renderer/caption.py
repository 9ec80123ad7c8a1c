"""The text above a board, which is also part of its text twin.

A caption contains the facts that a position does not show: the players and the ending. The rest of
the text is computed.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from dvonn import POINTS, Color, Phase, Position
from renderer.lettering import NAME_LIMIT, inline_name, renderable_name
from renderer.words import PerColor, Words


class Ending(StrEnum):
    """Ways to end a game."""

    COUNT = "count"
    """The game was played to the end, and the pieces were counted."""
    RESIGNATION = "resignation"
    TIME = "time"
    """A player ran out of time."""
    AGREEMENT = "agreement"
    """The players agreed on a draw."""
    ABORT = "abort"
    """The game was ended without a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """The facts in a picture's text that can't be derived from its position.

    Attributes:
        white: White's name in any script, or "" if unknown.
        black: Black's name.
        ending: How the game ended. None if it is running, or if the position itself shows the end.
        winner: The winner, or None for a draw or no result.
        scores: White's and Black's counts in each position since the board was full, for the chart
            at the end.
        dealt: Number of placements that no player made. Move numbers start after them.
        you: Color of the reader, if they are the only human player.
        face: Number of the machine's face (`renderer.faces`), or None if it doesn't play.
        machine: Color of the machine, or None if it doesn't play.
        counted: True to show move numbers. False if the position was set up.
    """

    white: str = ""
    black: str = ""
    ending: Ending | None = None
    winner: Color | None = None
    scores: tuple[tuple[int, int], ...] = ()
    dealt: int = 0
    you: Color | None = None
    face: int | None = None
    machine: Color | None = None
    counted: bool = True

    def name(self, color: Color) -> str:
        """Return a player's name for use in text: one line of at most 40 characters, or ""."""
        return inline_name(self.white if color is Color.WHITE else self.black)

    def lettered(self, limit: int = NAME_LIMIT) -> "Caption":
        """Return the caption for a picture, with names shortened to what the font can render."""
        white, black = (renderable_name(name, limit=limit) for name in (self.white, self.black))
        return replace(self, white=white, black=black)


NO_CAPTION: Final = Caption()

_COUNTED: Final = (None, Ending.COUNT)


def headline(position: Position, words: Words, caption: Caption) -> str:
    """Return the headline: who has to move or place, or how the game ended.

    >>> from renderer.words import ENGLISH
    >>> headline(Position.initial(), ENGLISH, Caption(white="Ann"))
    'Ann to place a red piece'
    """
    if position.turn is None or caption.ending is not None:
        return _end(position, words, caption)
    assert position.turn is not None  # the game is not over # noqa: S101
    if position.phase is Phase.MOVEMENT:
        plain, named = words.to_move, words.player_to_move
    elif position.to_place == "R":
        plain, named = words.to_place_red, words.player_to_place_red
    else:
        plain, named = words.to_place, words.player_to_place
    return _sentence_about(plain, named, position.turn, caption)


def details(
    position: Position, words: Words, caption: Caption, *, to_choose: bool = False
) -> list[str]:
    """Return the phrases below the headline, about the turn or the ending, and about lost pieces.

    A picture for choosing a move doesn't mention the pieces that the last move removed. If there
    are no phrases, the only human player is told their color.
    """
    texts = standing(position, words, caption)
    if is_over(position, caption):
        if caption.ending in _COUNTED:
            higher, lower = sorted((position.score(color) for color in Color), reverse=True)
            texts.insert(0, words.counted.format(more=higher, fewer=lower))
        return texts
    lost = [] if to_choose else cut_off(position, words)
    happened = [*lost, *passes(position, words, caption)]
    return [*texts, *(happened or own_color(words, caption))]


def own_color(words: Words, caption: Caption) -> list[str]:
    """Return a phrase with the color of the only human player, if there is one."""
    return [] if caption.you is None else [words.you_are.for_color(caption.you).removesuffix(".")]


def standing(position: Position, words: Words, caption: Caption) -> list[str]:
    """Return the phrases about the turn, or about the end and the number of moves."""
    if not caption.counted:
        return []
    if not is_over(position, caption):
        if position.phase is Phase.PLACEMENT:
            total = len(POINTS)
            return [words.placement.format(number=position.plies + 1, total=total)]
        return [words.move.format(number=position.plies + 1 - caption.dealt)]
    texts = [] if caption.ending in _COUNTED else [_ending_sentence(words, caption)]
    return texts + move_total(position, words, caption)


def move_total(position: Position, words: Words, caption: Caption) -> list[str]:
    """Return the phrase about an ended game's number of moves."""
    if not caption.counted or not moves_made(position):
        return []
    return [words.after_moves.format(number=position.plies - caption.dealt)]


def ending_phrase(position: Position, words: Words, caption: Caption) -> list[str]:
    """Return a phrase about the ending, unless the counts already show it."""
    if caption.ending not in _COUNTED:
        return [_ending_sentence(words, caption)]
    return [] if winner(position, caption) else [words.draw]


def moves_made(position: Position) -> int:
    """Count the moves that led to a position, excluding placements."""
    # In a game from a position that was set up, only moves from there are counted.
    placed = len(POINTS) if position.plies >= len(POINTS) else 0
    return 0 if position.phase is Phase.PLACEMENT else position.plies - placed


def cut_off(position: Position, words: Words) -> list[str]:
    """Return a phrase about the pieces that each side has just lost."""
    tops = "".join(pieces[-1] * len(pieces) for pieces in position.removed.values())
    lost = [
        words.lost.for_color(color).format(count=tops.count(color.value))
        for color in Color
        if color.value in tops
    ]
    return [words.cut_off.format(lost=", ".join(lost))] if lost else []


def passes(position: Position, words: Words, caption: Caption) -> list[str]:
    """Return phrases about players who had to pass after the last move."""
    return [
        _sentence_about(words.passed, words.player_passed, color, caption)
        for color in position.passed
    ]


def is_over(position: Position, caption: Caption) -> bool:
    """Return True if the game has ended, whether by the rules or earlier."""
    return position.turn is None or caption.ending is not None


def winner(position: Position, caption: Caption) -> Color | None:
    """Return the winner of an ended game, or None."""
    return position.winner if caption.ending in _COUNTED else caption.winner


def _end(position: Position, words: Words, caption: Caption) -> str:
    if caption.ending is Ending.ABORT:
        return words.no_result
    won = winner(position, caption)
    if won is None:
        return words.draw
    return _sentence_about(words.wins, words.player_wins, won, caption)


def _ending_sentence(words: Words, caption: Caption) -> str:
    ending, won = caption.ending, caption.winner
    if ending is Ending.RESIGNATION and won is not None:
        return _sentence_about(words.resigned, words.player_resigned, won.opponent, caption)
    if ending is Ending.TIME:
        if won is None:
            return words.time_over
        return _sentence_about(words.out_of_time, words.player_out_of_time, won.opponent, caption)
    return words.agreed if ending is Ending.AGREEMENT else words.aborted


def _sentence_about(plain: PerColor, named: str, color: Color, caption: Caption) -> str:
    """Return a sentence about a player, by name if it is known."""
    name = caption.name(color)
    return named.format(player=name) if name else plain.for_color(color)

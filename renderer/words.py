"""The words that pictures and their text twins use, handed in so that they can be translated."""

from dataclasses import dataclass

from dvonn import Color


@dataclass(frozen=True, slots=True)
class PerColor:
    """A sentence for each player, whole, since languages bend their words differently."""

    white: str
    black: str

    def of(self, color: Color) -> str:
        """The sentence for a player."""
        return self.white if color is Color.WHITE else self.black


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is written in a picture or told by its text twin; `{names}` are filled in."""

    # Above the board, and in the twin with full stops.
    board: str = "Board {number}"
    to_place: PerColor = PerColor("White to place", "Black to place")
    to_place_red: PerColor = PerColor("White to place a red piece", "Black to place a red piece")
    to_move: PerColor = PerColor("White to move", "Black to move")
    wins: PerColor = PerColor("White wins", "Black wins")
    draw: str = "A draw"
    placement: str = "Placement {number} of {total}"
    movement: str = "Movement"
    passed: PerColor = PerColor("White had to pass", "Black had to pass")
    over: str = "End of the game"

    # In the twin only.
    boards: str = "Boards to choose from: {count}."
    may_go: str = "From {source} you can go to {landings}."
    may_not_go: str = "{source} cannot move."
    may_choose: str = "You can choose {landings}."
    last_move: str = "Last move {move}."
    left: str = "Left the board:"
    score: str = "White controls {white}, Black {black}."
    result: str = "White {white}, Black {black}."
    empty: str = "The board is empty."
    on_board: str = "On the board:"
    owned: str = "{owner} {stacks}."
    white: str = "White"
    black: str = "Black"
    red: str = "Red"
    height: str = "{height} high"
    reds: str = "{count} red"
    surrounded: str = "Surrounded: {points}."


ENGLISH = Words()

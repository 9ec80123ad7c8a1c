"""The chapters of the primer.

White is to move in all steps except one.

Unless a comment says otherwise, a position is from a game between two random players. The game
endings in `dvonn.puzzles` also are, and some of them are used here.
"""

from collections.abc import Iterable
from typing import Final

from dvonn.board import Point
from dvonn.notation import parse_move, parse_moves
from dvonn.pieces import Color
from dvonn.primer.goals import (
    AnyMove,
    Best,
    CutOff,
    End,
    Free,
    KeepAll,
    LandOn,
    Overload,
    PlaceWell,
    Silence,
)
from dvonn.primer.step import Chapter, PrimerStep


def _chapter(name: str, steps: Iterable[PrimerStep]) -> Chapter:
    return Chapter(name=name, steps=tuple(steps))


_FULL: Final = "BWWBRWWWR/WBBBWWWBBB/WBBWWBBWBWB/WWWBBBBRWW/WWBBWBBBW W move"

_FIRST: Final = (
    # Newsletter no. 48 of pergioco.net: on a full board only stacks at the edge can move.
    PrimerStep(
        name="surrounded",
        text=_FULL,
        goal=AnyMove(),
        choices=parse_moves("d3-c3 b1-c1 e3-e4 h3-i3"),
    ),
    PrimerStep(
        name="single",
        text="9/B9/1R9/bBRwW7/RW7 W move",
        goal=AnyMove(Point("d5")),
        choices=parse_moves("d5-e5 d5-b3 d5-d4"),
        stack=Point("d5"),
    ),
    # The same newsletter: the first stack of two can go in exactly three directions.
    PrimerStep(
        name="pair",
        text="BWWBRWWWR/1bWBBWWWBBB/WBBWWBBWBWB/WWWBBBBRWW/WWBBWBB1wB W move",
        goal=AnyMove(Point("b2")),
        choices=parse_moves("b2-c2 b2-d4 b2-d3"),
        stack=Point("b2"),
    ),
    PrimerStep(
        name="jump",
        text="9/10/5rW5/3WwwBwrB4/2wW2brW3 W move",
        goal=AnyMove(Point("h5")),
        choices=parse_moves("h5-h2 h5-f3 h5-e5"),
        stack=Point("h5"),
    ),
    PrimerStep(
        name="take", text="bbB1W6/1RbbwW7/1bWBwW7/1wBbW7/W2RrW4 W move", goal=LandOn(Color.BLACK)
    ),
    PrimerStep(name="red", text="1RbB6/2wrW7/1wbWW8/wBRbBwbwB6/2B6 W move", goal=LandOn(None)),
    PrimerStep(name="cut", text="1rB7/rbBW8/1wWrB8/wbB9/B8 W move", goal=CutOff(4)),
    PrimerStep(name="link", text="8rB/BR6bBW/1R8wB/9bW/9 W move", goal=CutOff(0)),
    PrimerStep(name="pass", text="9/4bwB5/5WrBrbB2wbW/9rB/9 W move", goal=Silence()),
    PrimerStep(name="end", text="7rbWrbB/10/11/10/rBWW6 W move", goal=End(1)),
)

_MOBILITY: Final = (
    PrimerStep(
        name="free",
        text="1brbwwbW4BwW1/4wwWBrwBWbW1/5wbBrbbwWwwBbB2/6W3/9 W move",
        goal=Free(),
        stack=Point("h2"),
    ),
    PrimerStep(name="silence", text="rW8/1wwB8/B1wrbW8/RbB8/WW7 W move", goal=Silence()),
    # An endgame that White wins by having moves left, though Black owns more pieces.
    PrimerStep(
        name="alone",
        text="9/bwbwB9/1bbBrbwwwwbbbB2rbbwwbB4wwwwrW/8wbbwbbbwWW/6WWW W move",
        goal=End(1),
    ),
    PrimerStep(
        name="shot",
        text="9/bwbwB9/1bbBrbwwwwbbbB2rbbwwbB4wwwwrW/8wbbwbbbwWW/8wW W move",
        goal=End(1),
        stack=Point("c3"),
    ),
)

_CUTTING: Final = (
    PrimerStep(name="lifeline", text="7B1/8wW1/7wWBbrwbBrW/6WwbB2/8R W move", goal=KeepAll()),
    PrimerStep(
        name="carry", text="B2W5/1wB2rwB5/wbbbBrW9/1bwW2RW4/1wB1wwBBbW3 W move", goal=CutOff(8)
    ),
    # Two endgames in which a big cut is possible but loses.
    PrimerStep(
        name="greed",
        text="4wwwB4/2WwwbbbWbW5/rB2wrwBwwBbWW4/1rBbwB1wbbwB5/9 W move",
        goal=End(1),
    ),
    PrimerStep(
        name="quiet",
        text="9/10/3wbwwB2rrwbbwB4/2WWwbwbWbbwbwB4/3wwbrW5 W move",
        goal=End(1),
    ),
)

_OVERLOADING: Final = (
    PrimerStep(
        name="load",
        text="1bB7/wbWW8/1rBB8/1R8/RbbW7 W move",
        goal=Overload(Point("b3")),
        stack=Point("b3"),
    ),
    PrimerStep(
        name="retake",
        text="RbbbwW7/RWbbbW1wbrwB5/BwB1BwbWbwB5/10/9 W move",
        goal=Overload(Point("b3")),
        stack=Point("b3"),
    ),
    PrimerStep(name="spoil", text="9/W9/WRB8/rwBbwbrwbW8/9 W move", goal=End(1), stack=Point("c3")),
    PrimerStep(name="decoy", text="2WRB4/3WwwbwbwB4brB/3wbW5rbW1/9bwwbW/9 W move", goal=End(1)),
)

_COUNTING: Final = (
    PrimerStep(name="ahead", text="9/9W/9RW/8wwBR/8rB W move", goal=End(1)),
    PrimerStep(name="quarrel", text="9/10/1RwwwBwbbwwBbwbW6/RWbwwB7/R8 W move", goal=End(1)),
    # The endgame from the newsletter, after White's only move: 14 to 12 now, 5 to 21 at the end.
    PrimerStep(name="reversal", text="9/8bbbBbB/9rbrwWbbbbB/7BwwwwW1/6rwwW2 B move", goal=End(16)),
)

_PLACING: Final = (
    PrimerStep(
        name="place",
        text="WWB1BWWWB/WBB1WR1B2/WBWW1RBRBBW/WBB2BWWWW/1BBBBWBWB W place",
        goal=AnyMove(),
        choices=parse_moves("c2 d2 f2 g2"),
    ),
    # In 28,000 games White scored 57% with the red pieces 14 or more steps apart, otherwise 52%.
    PrimerStep(
        name="reds",
        text="R8/4R5/11/10/9 W place",
        goal=PlaceWell(apart=10),
    ),
    PrimerStep(
        name="edge",
        text="WWWW1BBWW/RWBBB1WWB1/B1BBWB1BWW1/RRBWWWWWBB/WBWBBB1BB W place",
        goal=PlaceWell(steps=2),
    ),
    # Beside red instead of three steps away: 1.4 ± 0.4 pieces more, in 2,500 pairs of play-outs
    # from the engine's games. Beside two red pieces instead of one: 0.6 ± 0.4, too little to tell.
    PrimerStep(
        name="beside",
        text="9/B1W1B1WR1W/R10/10/4BRB2 W place",
        goal=PlaceWell(reds=1),
    ),
)

# All of these are from games of the engine (version 4, level 8) against itself.

_GUARDING: Final = (
    PrimerStep(
        name="back",
        text="9/wBrwB8/1wbbWrwBwBW5rbW/3wbbWW4bW/1BB6 W move",
        goal=End(1),
        stack=Point("d3"),
    ),
    PrimerStep(
        name="guard",
        text="5bW3/5wbWwwbbW3/2bBRbwwwBbbwbWW3rB/2wbbbwBrwbWbwwB4wB/2bW6 W move",
        goal=End(1),
        stack=Point("e3"),
    ),
    PrimerStep(
        name="swoop",
        text="8wB/3wW4bbWR/3wwbbwbW5bWwwB/1rBWbbW4wbbwwbwB1/wwBRbwbW6 W move",
        goal=End(1),
    ),
    PrimerStep(
        name="trade",
        text="4wB2bWR/4bW3wwbbwbbwBbwbwwB/4wbwbbWW2bwB2/3rwB2wB3/3RbWbW3 W move",
        goal=End(1),
    ),
)

_MELEE: Final = (
    PrimerStep(
        name="melee",
        text="WW1WW2WrbbwB/1WW1B2bW2/1wbWWW1bwBBBBbWW/BBwwBWWWBBW1/BRRBBBBBW W move",
        goal=Best(parse_move("f4-f5")),
        choices=parse_moves("h2-j4 f4-f5 j4-k5 k5-j4"),
    ),
    PrimerStep(
        name="settle",
        text="2RbwbWbbwbWbwwbW3/1wwbbwwBwwBRbbwB1bbbwB3/1wbwWW4wB2W/9rbB/9 W move",
        goal=End(1),
        stack=Point("b2"),
    ),
    PrimerStep(
        name="heap",
        text="9/1bwBwbbwrbwwB4wwBbwbW1/rbbwwbbW7R2/W9/wbW8 W move",
        goal=End(1),
    ),
    PrimerStep(
        name="rescue",
        text="W6B1/wwBbW5BBbwwwB/WwwbbwbbwB6bwwBRR/R8wbbW/9 W move",
        goal=End(1),
    ),
)

_LASTING: Final = (
    PrimerStep(
        name="reserve",
        text="wbwBW7/W8B/rbWbW7wBrwB/RwbW7bwB/9 W move",
        goal=End(1),
    ),
    PrimerStep(
        name="order",
        text="2rbwBbbwrbB5/10/9wbbwB1/7bWWwW/6wwbwbrW2 W move",
        goal=End(1),
    ),
    PrimerStep(
        name="patience",
        text="wwB8/rBbbwbW8/1rbW5bwbwBW2/1wwB6wBrB/1WW5B W move",
        goal=End(1),
    ),
    PrimerStep(
        name="tempo",
        text="rW8/W5bwbWBB1/W7rwBbbwB1/8rWwB/7bW1 W move",
        goal=End(1),
    ),
)

_BRIDGES: Final = (
    PrimerStep(
        name="bridge",
        text="bwbW8/bbWRrB5bWwB/1wbwBwwbbwbbwB6W1/8wwbbWrwbW/8bbW W move",
        goal=End(1),
        stack=Point("j3"),
    ),
    PrimerStep(
        name="choke",
        text="9/wW6wbwwbbbWbwwwbbW1/rB7WwW1/wbW3bwbwBBbBR2/4B2rB1 W move",
        goal=End(1),
        stack=Point("i3"),
    ),
    PrimerStep(
        name="severed",
        text="3B4W/3B3bbWRR/wwbbbwwbbbwwB2wwbwW7/WBbbWW6/rbwB8 W move",
        goal=End(1),
    ),
    PrimerStep(
        name="outpost",
        text="9/W1wbbwB1wbwbwBbwWwbbbW3/1wwrbWW3bbwwwBwB2R/3wwwbWRbB3B/9 W move",
        goal=End(1),
    ),
)

_SHOOTING: Final = (
    PrimerStep(
        name="snipe",
        text="6W2/rbWbW3wbWW3/6rbwbWwwbbWbwB2/4bbwBRwwBbwbbwB2/5bwbwB3 W move",
        goal=End(1),
        stack=Point("i4"),
    ),
    PrimerStep(
        name="lift",
        text="9/7wbwwbwwbW2/6wbwbrBB2W/7bbWRW/7bwbWR W move",
        goal=End(1),
    ),
    PrimerStep(
        name="sniper",
        text="1wB7/1bbW5W2/2bbwBwB1wbwwwBRW3/1wbbwrbwbbwwB4rbW3/6bwbwwbW2 W move",
        goal=End(1),
    ),
    PrimerStep(
        name="offering",
        text="9/4bbbwwwBrW4/5bwbwBbwwbrWW3/7WbWwbW/RbwwbbwB7 W move",
        goal=End(1),
    ),
)

CHAPTERS: Final = (
    _chapter("first", _FIRST),
    _chapter("mobility", _MOBILITY),
    _chapter("cutting", _CUTTING),
    _chapter("bridges", _BRIDGES),
    _chapter("guarding", _GUARDING),
    _chapter("overloading", _OVERLOADING),
    _chapter("shooting", _SHOOTING),
    _chapter("melee", _MELEE),
    _chapter("counting", _COUNTING),
    _chapter("lasting", _LASTING),
    _chapter("placing", _PLACING),
)
"""All chapters. The first is the guided game. The others can be taken in any order."""

"""The chapters of the primer.

White is to move in all steps except one.

Unless a comment says otherwise, a position is from a game between two random players. The game
endings in `dvonn.puzzles` also are, and some of them are used here.
"""

from collections.abc import Iterable
from typing import Final

from dvonn._rules.board import Point
from dvonn._rules.notation import parse_move, parse_moves
from dvonn._rules.pieces import Color
from dvonn_lessons.primer.goals import (
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
from dvonn_lessons.primer.step import Chapter, PrimerStep


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
    # From the same newsletter: the first stack of two can move in exactly three directions.
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
    # In 28,000 games, White scored 57% if the red pieces were at least 14 steps apart, else 52%.
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
    # A piece beside a red one instead of three steps away is worth 1.4 ± 0.4 pieces, in 2,500 pairs
    # of play-outs from the engine's games. Beside two red pieces instead of one, it is worth 0.6 ±
    # 0.4 pieces more, which is too little to be sure.
    PrimerStep(
        name="beside",
        text="9/B1W1B1WR1W/R10/10/4BRB2 W place",
        goal=PlaceWell(reds=1),
    ),
)

# The rest are from self-play games of the engine. docs/engine.md explains how the best moves
# of the fights, which are not proven, were chosen.

_MELEE: Final = (
    PrimerStep(
        name="outnumbered",
        text="WBBbbWBRRwB1/1WWwwBWWbbWWwB1/bW1wW1BWBwBbwB2/R1wB2B4/1bwB2BWB2 W move",
        goal=Best(parse_move("f3-g3"), puzzle="22b2417d"),
        choices=parse_moves("c2-d2 d1-g1 f3-g3 h5-g4"),
    ),
    PrimerStep(
        name="elbowroom",
        text="1WRBwB1bWBW/BbWRbbWB2WWW/B2bwwBwwbW1BWWWB/5WBBWB/2BBBW1wBR W move",
        goal=Best(parse_move("h3-i4"), puzzle="3bd0c90a"),
        choices=parse_moves("e3-a3 g1-e1 h3-i4 h5-g4"),
    ),
    PrimerStep(
        name="unlocking",
        text="W3WBB2/1W2BWB3/bWWRwBBWWbrbWBB1/1rwbbwWBwBWWBWwB1/3BBWwbwBB1 W move",
        goal=Best(parse_move("h3-d3"), puzzle="52cd29be"),
        choices=parse_moves("a3-a1 e1-f1 h3-d3 h5-i5"),
    ),
    PrimerStep(
        name="smothering",
        text="9/bbWwBRwbbW4bWwB/1wbbWRWBWWWbwBBR/2WwwBWWB1BB/BBWWBWW1wB W move",
        goal=Best(parse_move("f3-e3"), puzzle="afc58984"),
        choices=parse_moves("a2-d5 e5-e4 f3-e3 i2-k4"),
    ),
)

_SINGLES: Final = (
    PrimerStep(
        name="gateway",
        text="BB1BBWWBW/RB1WWWWWBW/BBB1WWBWWBbW/WbwwBBbWwwBR1BB1/1B1bWRW1BW W move",
        goal=Best(parse_move("h3-g3"), puzzle="8c758164"),
        choices=parse_moves("b4-a3 d2-d1 e4-c4 h3-g3"),
    ),
    PrimerStep(
        name="neighbour",
        text="2BBB1bwB1W/bWwBBWBW1bWRR/RBWWBWWwBBbWB/BBWBWB1wBW1/WWWWWW1BB W move",
        goal=Best(parse_move("j4-i3"), puzzle="46301336"),
        choices=parse_moves("g3-h3 g5-g4 j3-j5 j4-i3"),
    ),
    PrimerStep(
        name="firstblood",
        text="4WBBbW1/1wbWwBbW1WBWWR/2BWbWWWBWWB/bWWRBBBBWBB/BwwBRBBWWwB1 W move",
        goal=Best(parse_move("c4-c3"), puzzle="7fda1ca8"),
        choices=parse_moves("c4-c3 d2-f4 e3-c3 f3-f4"),
    ),
    PrimerStep(
        name="opening",
        text="BwB1B1wBW1bW/BwB1BWBBRRB/WWWBWWWBBwBB/RWWWWBbWbWwB1/bbWB2WW3 W move",
        goal=Best(parse_move("e2-f2"), puzzle="1cc02541"),
        choices=parse_moves("a3-b3 c3-b2 e2-f2 g1-g2"),
    ),
)

_ESCAPING: Final = (
    PrimerStep(
        name="leap",
        text="BBWWBwW2rwbW/BBWBWWWwwBbbWB/BBWWWBBW1BwB/RWbW1WB4/R1bwB1BB3 W move",
        goal=Best(parse_move("i1-e1"), puzzle="597382f1"),
        choices=parse_moves("c1-b1 d1-e1 h3-h2 i1-e1"),
        stack=Point("i1"),
    ),
    PrimerStep(
        name="sidestep",
        text="WWBBRR1BB/1bbrWBBWBwBbWBB/2WWWwB1BWWB/wBwbBWWW2wWBwW/3BwB1WB1 W move",
        goal=Best(parse_move("h2-f2"), puzzle="8229f933"),
        choices=parse_moves("d4-c4 f4-f3 h2-f2 i4-g2"),
        stack=Point("h2"),
    ),
    PrimerStep(
        name="shelter",
        text="WwB7/RWbbW2wbW1wWWW/BWWBwBwwBbWwwBBbW1/bBbbWB1BRRwBwB1/1B3bbW3 W move",
        goal=Best(parse_move("c4-f4"), puzzle="adceb8f1"),
        choices=parse_moves("a1-b1 c2-f2 c4-f4 j3-h3"),
        stack=Point("c4"),
    ),
    PrimerStep(
        name="flight",
        text="BB4BwB1/bbwbWBwB3wBwB2/RBBWW1bbWwwbbW3/WBBWWRBwB2/WWWbW1R3 W move",
        goal=Best(parse_move("h3-c3"), puzzle="d2aa1d80"),
        choices=parse_moves("d3-c2 e3-f4 g3-d3 h3-c3"),
        stack=Point("h3"),
    ),
)

_GRABBING: Final = (
    PrimerStep(
        name="twins",
        text="1BB3wbWRW/bW2B3BRwwB/WbW1bWW2bwBbbWwBW/RwbWBBWW1B2/1wB1BW2B1 W move",
        goal=Best(parse_move("k3-j3"), puzzle="1e09fcac"),
        choices=parse_moves("a2-c4 g1-g4 i1-j2 k3-j3"),
    ),
    PrimerStep(
        name="plunder",
        text="BwB1BB1WWB/RB2BWbW3/WRbwbW1wbbWBW1bwBbW1/wBbW2WW1wbwwB2/3BBWWwBR W move",
        goal=Best(parse_move("j3-j5"), puzzle="937be2f2"),
        choices=parse_moves("g1-h1 g2-i4 h1-g1 j3-j5"),
    ),
    PrimerStep(
        name="prize",
        text="B1BB1W3/1wB1W2wwBwbWbwwBbW/1bwBbW1WwBW1BRR/2BWWW2bbWwB/RwB1bbbWB4 W move",
        goal=Best(parse_move("f1-g2"), puzzle="4515c4ca"),
        choices=parse_moves("d2-c1 f1-g2 g3-g2 j2-h2"),
    ),
    PrimerStep(
        name="harvest",
        text="1wB3WB2/rB1BwbwbbW1wwwBB3/1rbWbbwBbBwbB2BWbWW/1wBbbW3bWWW1/5W1WrW W move",
        goal=Best(parse_move("b3-e3"), puzzle="04f25943"),
        choices=parse_moves("b3-e3 f1-g1 i3-h3 j3-h3"),
    ),
)

_HOLDING: Final = (
    PrimerStep(
        name="hold",
        text="RbW1WW2W1/1wB2bWW2wwbW1/B3bWwbwBwBRRwbW1/BBWWbW1wbbWBwBB/BBW1B1B1B W move",
        goal=Best(parse_move("j3-g3"), puzzle="fa22d020"),
        choices=parse_moves("b1-d1 d1-e1 f2-f3 j3-g3"),
    ),
    PrimerStep(
        name="anchor",
        text="BBBwB5/2WrbWRbB4/2B1WBbbwwwB2wB1/WBW1wbWwbW1WbbWR/WWW2BBbwbWW W move",
        goal=Best(parse_move("d2-d5"), puzzle="038fa230"),
        choices=parse_moves("c2-b1 d2-d5 e3-d2 g4-d1"),
    ),
    PrimerStep(
        name="rope",
        text="2bW4BrB/3WbwwbBWW2wB/1bWWbwbW2wbbWWwbW2/rbwbWRwwB2BWW2/BBBB1B3 W move",
        goal=Best(parse_move("b4-g4"), puzzle="1f556fe3"),
        choices=parse_moves("b4-g4 c1-c3 d2-e2 f2-e2"),
    ),
    PrimerStep(
        name="snip",
        text="W2wBB4/W1B1wBbW3R/RBBwB2wbwwwBWWbbWR/bwwBBwB2WBWbbWbbW/1B3WW1wB W move",
        goal=Best(parse_move("f2-h4"), puzzle="652c03ca"),
        choices=parse_moves("a1-a2 a2-b3 f2-h4 j3-g3"),
    ),
)

# All of these are from games of level 8 (version 4).

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
)

_LASTING: Final = (
    PrimerStep(
        name="settle",
        text="2RbwbWbbwbWbwwbW3/1wwbbwwBwwBRbbwB1bbbwB3/1wbwWW4wB2W/9rbB/9 W move",
        goal=End(1),
        stack=Point("b2"),
    ),
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
)

CHAPTERS: Final = (
    _chapter("first", _FIRST),
    _chapter("melee", _MELEE),
    _chapter("singles", _SINGLES),
    _chapter("escaping", _ESCAPING),
    _chapter("grabbing", _GRABBING),
    _chapter("holding", _HOLDING),
    _chapter("cutting", (*_BRIDGES, *_CUTTING)),
    _chapter("guarding", (*_GUARDING, *_SHOOTING)),
    _chapter("overloading", _OVERLOADING),
    _chapter("mobility", _MOBILITY),
    _chapter("counting", _COUNTING),
    _chapter("lasting", _LASTING),
    _chapter("placing", _PLACING),
)
"""All chapters. The first is the guided game. The others can be taken in any order."""

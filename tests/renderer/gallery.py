"""Positions that together show everything that can be in a picture."""

from dataclasses import dataclass, fields, replace
from itertools import combinations

import renderer
from dvonn import Color, Coordinates, Move, Point, Position, parse_move
from renderer import Look

# Two random games. In the first, a move on ply 72 cuts off fourteen stacks, including the moved
# one. In the second, White has to pass after ply 81, with two red pieces in one stack.
GREAT_CUT = """
    g2 j4 g4 i1 g3 f5 e4 j5 g5 e1 k5 a1 i4 b3 j2 h2 e5 h5 i2 k3 d5 g1 c2 d4 h1 j3 e3 b1 f1 e2 i5 d1
    h3 c1 k4 c5 a3 i3 f4 f3 b4 c4 d3 c3 f2 b2 d2 a2 h4 j2-i1 j3-k4 i2-h2 e1-f1 e5-d5 h5-h4 b4-c4
    e2-d1 e4-f5 j5-i4 d3-d4 f3-f2 g3-f2 i3-h2 g5-f4 b3-b2 k5-j4 f1-h1 c4-a2 a1-a2 h3-g2 h4-f2 f4-d4
    g1-h2 g2-i4 k3-k4 i5-i4
"""
WHITE_PASSES = """
    d1 g1 h1 h3 e2 j5 e3 b3 h5 i2 k5 c1 g2 i4 g4 g5 e4 d5 g3 d2 i5 b1 a1 d3 k3 c3 j3 c4 j4 c2 e5 f2
    a3 f3 e1 a2 i3 b2 h2 c5 f5 f4 d4 k4 h4 i1 j2 b4 f1 k5-j4 c5-b4 j4-h4 k4-k3 f1-g2 c4-c3 i5-h5
    c3-e5 f5-e4 b2-a1 h4-h1 c2-d2 d4-e4 k3-i3 h5-h3 b3-b4 j3-i3 f4-e3 g3-f3 d3-d2 e4-b4 i4-j5 g4-f3
    i2-j2 h1-d1 d2-g2 e2-f2 e3-e1 h2-i3 a2-a1 f3-i3 b1-c1 c1-e1
"""


@dataclass(frozen=True)
class Shown:
    """The data of one picture."""

    position: Position
    last: Move | None = None
    coordinates: Coordinates = Coordinates.STANDARD
    width_px: int = 1100
    marks: renderer.Marking | None = None
    caption: renderer.Caption = renderer.NO_CAPTION

    def png(self, look: Look) -> bytes:
        """Return the picture in a look, which also sets its width."""
        return renderer.render(
            self.position,
            coordinates=self.coordinates,
            last=self.last,
            marks=self.marks,
            caption=self.caption,
            look=look,
        )


def after(game: str, plies: int) -> Shown:
    """Return a game after a number of plies."""
    position, last = Position.initial(), None
    for text in game.split()[:plies]:
        last = parse_move(text)
        position = position.play(last)
    assert position.plies == plies
    return Shown(position, last)


def moved(stacks: dict[str, str], turn: Color, move: str) -> Shown:
    """Return a position of the movement phase after a move."""
    last = parse_move(move)
    return Shown(Position.from_stacks(stacks, turn=turn).play(last), last)


def set_up(stacks: dict[str, str], turn: Color, coordinates: Coordinates) -> Shown:
    """Return a position of the movement phase without a last move."""
    return Shown(Position.from_stacks(stacks, turn=turn), coordinates=coordinates)


def choosing(shown: Shown, source: str) -> Shown:
    """Return the same position with a chosen stack."""
    return replace(shown, marks=renderer.Marks.for_stack(shown.position, Point(source)))


def pointed(
    shown: Shown, played: str = "", better: str = "", line: str = "", width_px: int = 1100
) -> Shown:
    """Return the same position with arrows."""
    arrows = renderer.Arrows(
        played=parse_move(played) if played else None,
        better=parse_move(better) if better else None,
        line=tuple(map(parse_move, line.split())),
    )
    return replace(shown, marks=arrows, last=None, width_px=width_px)


def worth(shown: Shown) -> renderer.Heat:
    """Return a random winning chance for each free space."""
    free = [move.target for move in shown.position.legal_moves()]
    return renderer.Heat({point: 0.31 + 0.37 * (at * 7 % 19) / 19 for at, point in enumerate(free)})


def _with(shown: Shown, coordinates: Coordinates, width_px: int = 1100) -> Shown:
    return replace(shown, coordinates=coordinates, width_px=width_px)


def _longer(text: str) -> str:
    """Return a text that is 40% longer. Its placeholders come first."""
    return text + "n" * -(-len(text) * 4 // 10)


def _wordy() -> renderer.Words:
    longer: dict[str, str | renderer.PerColor] = {}
    for field in fields(renderer.Words):
        match getattr(renderer.ENGLISH, field.name):
            case renderer.PerColor(white, black):
                longer[field.name] = renderer.PerColor(_longer(white), _longer(black))
            case str(text):
                longer[field.name] = _longer(text)
    return replace(renderer.ENGLISH, **longer)  # type: ignore[arg-type]  # each as it was


WORDY = _wordy()
"""English texts as long as those of the longest language."""

GALLERY: dict[str, Shown] = {
    "empty": Shown(Position.initial()),
    "second-red": after(GREAT_CUT, 2),
    "placement-pergioco": _with(after(GREAT_CUT, 30), Coordinates.PERGIOCO),
    "full-board": after(GREAT_CUT, 49),
    "melee": after(GREAT_CUT, 60),
    "great-cut": after(GREAT_CUT, 72),
    "white-passes": after(WHITE_PASSES, 81),
    "towers-pergioco": set_up(
        {
            "c3": "BWRBWBWBWBWWBB",
            "d3": "WBRBW",
            "e3": "BBWBWBWBB",
            "d2": "WWBWBWW",
            "e4": "WW",
            "e2": "BWB",
            "d4": "W",
            "f4": "B",
            "f3": "RB",
        },
        Color.WHITE,
        Coordinates.PERGIOCO,
    ),
    # The arrow passes below a red piece, a number, a ring and a removed stack's number.
    "long-arrow": moved(
        {
            "a3": "B",
            "b3": "RWBWBWBW",
            "c3": "WB",
            "e3": "R",
            "f3": "BBW",
            "g3": "W",
            "h3": "BWBWBB",
            "j3": "WWW",
            "f4": "B",
            "i3": "W",
            "g2": "WB",
            "k4": "WRB",
        },
        Color.WHITE,
        "b3-j3",
    ),
    "three-reds-over": set_up(
        {"f3": "RBRWR" + "WB" * 19, "g3": "WWB", "f4": "BW"}, Color.BLACK, Coordinates.STANDARD
    ),
    "phone": _with(after(GREAT_CUT, 66), Coordinates.STANDARD, 400),
    # Landings on a red piece, on immovable stacks, and beside each other.
    "choice": choosing(after(GREAT_CUT, 60), "f3"),
    # Labels between a tall stack's number and the marks of red pieces, with names of three
    # characters.
    "choice-pergioco": choosing(
        set_up(
            {
                "h3": "BB",
                "j3": "WBWBWBWBW",
                "f3": "W",
                "h5": "WB",
                "j5": "WBWWBWW",
                "h1": "B",
                "j4": "RRRW",
                "i4": "B",
                "k4": "W",
                "g3": "W",
                "h4": "W",
                "i3": "W",
                "i2": "B",
            },
            Color.BLACK,
            Coordinates.PERGIOCO,
        ),
        "h3",
    ),
    "arrows": pointed(after(GREAT_CUT, 60), played="d1-f3", better="h4-j4", width_px=800),
    # One arrow crosses another, two have the same target, and one passes the mark of a red piece.
    "arrows-line": pointed(
        after(GREAT_CUT, 60), line="f3-f4 f2-g2 i4-k4 g3-g2 k4-g4", width_px=800
    ),
    "arrows-phone": pointed(after(GREAT_CUT, 66), "f1-h1", "b2-b4", "d4-d3 h4-h2", width_px=400),
    "arrows-placement": pointed(after(GREAT_CUT, 30), played="a2", better="f3", width_px=600),
    "choice-phone": _with(choosing(after(GREAT_CUT, 60), "f3"), Coordinates.PERGIOCO, 400),
}

GALLERY["heat"] = replace(after(GREAT_CUT, 20), marks=worth(after(GREAT_CUT, 20)), width_px=800)
GALLERY["heat-phone"] = replace(
    after(GREAT_CUT, 31), marks=worth(after(GREAT_CUT, 31)), width_px=400
)

_PLAYERS = renderer.Caption(white="Ann", black="Bartholomew")


def ended(game: str, plies: int, ending: renderer.Ending, winner: Color | None) -> Shown:
    """Return a game that ended after a number of plies, with its score history."""
    before = [after(game, number).position for number in range(49, plies + 1)]
    scores = tuple((item.score(Color.WHITE), item.score(Color.BLACK)) for item in before)
    shown = after(game, plies)
    return replace(shown, caption=replace(_PLAYERS, ending=ending, winner=winner, scores=scores))


GALLERY["names"] = replace(after(GREAT_CUT, 72), caption=_PLAYERS)
GALLERY["machine"] = replace(
    after(GREAT_CUT, 72),
    caption=replace(_PLAYERS, face=11, machine=Color.BLACK, dealt=49),
    width_px=600,
)
GALLERY["end"] = ended(WHITE_PASSES, 82, renderer.Ending.COUNT, Color.WHITE)
GALLERY["resigned"] = ended(GREAT_CUT, 66, renderer.Ending.RESIGNATION, Color.BLACK)

CHARTED = renderer.Reel.line(
    after(GREAT_CUT, 49).position, map(parse_move, GREAT_CUT.split()[49:]), caption=_PLAYERS
)
CHARTS: dict[str, tuple[int, renderer.Caption, int | None]] = {
    "chart": (9, renderer.NO_CAPTION, None),
    "chart-marked": (4, replace(_PLAYERS, scores=CHARTED.scores), 63),
    "chart-dealt": (4, renderer.Caption(dealt=49), 63),
}
"""The seed of a game's review, the players' names and counts, and a marked ply."""

PROGRESS = tuple(
    renderer.Step(rating, solved)
    for rating, solved in (
        (1_300.0, True),
        (1_382.0, True),
        (1_310.0, False),
        (1_366.0, True),
        (1_301.0, False),
        (1_349.0, True),
    )
)


def course(
    start: float, steps: str, *, deviation: float = 350.0
) -> tuple[renderer.RatedPoint, ...]:
    """Return ratings that rise (+) and fall (-), with smaller and smaller steps and deviations."""
    points = [renderer.RatedPoint(start, deviation, is_settled=deviation < 110)]
    for step in steps:
        deviation = max(deviation * 0.9, 60.0)
        rating = points[-1].rating + (0.3 if step == "+" else -0.3) * deviation
        points.append(renderer.RatedPoint(rating, deviation, is_settled=deviation < 110))
    return tuple(points)


CURVES = (
    renderer.Curve(
        "Slow games: 1651", course(1_500, "++-+--++-+-+--++-++"), "Mar 2, 2026", "Nov 22, 2026"
    ),
    renderer.Curve("Live games: 1345?", course(1_500, "-+--"), "Nov 20, 2026", "Nov 22, 2026"),
)
"""A settled rating, and one that isn't settled."""


def rounds_of(text: str) -> tuple[renderer.Cell, ...]:
    """Parse rounds as a standings table shows them: "+3 =1 − *4"."""
    return tuple(
        renderer.Cell(renderer.RoundResult(row[0]), int(row[1:]) if row[1:] else None)
        for row in text.split()
    )


STANDINGS = renderer.StandingsTable(
    title="Autumn Swiss",
    when="After round 3 of 3",
    tie_breaks=(
        renderer.TieBreak.BUCHHOLZ,
        renderer.TieBreak.SONNEBORN_BERGER,
        renderer.TieBreak.MARGIN,
    ),
    rows=tuple(
        renderer.StandingsRow(
            name=name,
            points=points,
            ties=ties,
            rounds=rounds_of(rounds),
            place=place,
            out=name == "Finn",
        )
        for place, name, points, ties, rounds in (
            (1, "Ann", 3.0, (5.5, 5.5, 31.0), "+7 +4 +2"),
            (2, "Bob", 2.0, (5.0, 2.0, 9.0), "+6 +3 −1"),
            (3, "Christopher", 2.0, (4.5, 2.25, 2.0), "+ −2 +5"),
            (4, "Dee", 1.5, (4.5, 1.75, -4.0), "+5 −1 =6"),
            (4, "Eve Underwood-Smythe", 1.5, (4.5, 1.75, -4.0), "−4 +7 *3"),
            (6, "Finn", 0.5, (4.5, 0.75, -20.0), "−2 · =4"),
            (7, "", 0.0, (4.5, 0.0, -14.0), "−1 −5 ·"),
        )
    ),
)


def crosstable(players: int, games: int) -> renderer.StandingsTable:
    """Return a division of a league, whose players all meet each other once or twice."""
    signs = renderer.RoundResult
    mirrored = {signs.WON: signs.LOST, signs.LOST: signs.WON}
    cells: list[list[renderer.Cell]] = [[] for _ in range(players)]
    for game in range(games):
        for one, other in combinations(range(players), 2):
            went = (signs.WON, signs.WON, signs.DRAW, signs.LOST, signs.OPEN)[
                (one * other + other + game) % 5
            ]
            cells[one].append(renderer.Cell(went, other + 1))
            cells[other].append(renderer.Cell(mirrored.get(went, went), one + 1))
    first = ("Ann", "Bartholomew", "Cid", "Dee", "Eve Underwood-Smythe", "Finn")
    names = (*first, "Gus", "Wilhelmina Weatherwax", "Ida", "Jo", "Kim")
    return renderer.StandingsTable(
        title="The Long League 3B",
        when="41 of 55 games are over",
        tie_breaks=(renderer.TieBreak.SONNEBORN_BERGER,),
        is_crosstable=True,
        rows=tuple(
            renderer.StandingsRow(
                name=name,
                points=sum({signs.WON: 1, signs.DRAW: 0.5}.get(cell.result, 0) for cell in own),
                place=4 if number in (4, 5) else number,
                ties=(55.25 - number,),
                rounds=tuple(own),
                out=name == "Jo",
            )
            for number, (name, own) in enumerate(zip(names, cells, strict=False), start=1)
        ),
    )

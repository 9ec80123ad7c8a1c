"""The standings of a tournament as a picture: who is where, by what, and how each round went."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from PIL import Image

from renderer.lettering import Weight, font, letterable
from renderer.look import DEFAULT, Look
from renderer.picture import Painter, painter_of
from renderer.plot import TEXT, Plot
from renderer.words import ENGLISH, Words

PAGE_ROWS: Final = 16
"""So many players are on one picture: more would be too small on a phone."""
LONGEST_TITLE: Final = 40

# In halves (see geometry.Layout).
_LEFT: Final = 0.7
_RIGHT: Final = 23.7
_TITLE_AT: Final = 1.25
_TITLE: Final = 0.95
_UNDER_TITLE_AT: Final = 2.25
_HEADER_AT: Final = 3.6
_FIRST_LINE: Final = 3.95
_ROW: Final = 1.28
_BASELINE: Final = 0.9
"""From the line above a row to the baseline of its words."""
_GAP: Final = 0.62
"""Between two columns."""
_LEAST_NAME: Final = 5.2
_MOST_NAME: Final = 9.5
_LEGEND_STEP: Final = 1.0
_FOOT: Final = 0.7
_HAIR: Final = 0.05


class TieBreak(StrEnum):
    """What decides between players with the same points."""

    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    MARGIN = "margin"


class Went(StrEnum):
    """How a round went for somebody."""

    WON = "+"
    DRAW = "="
    LOST = "−"
    OPEN = "…"
    OUT = "·"
    """They were not paired."""


class Cell(NamedTuple):
    """One round of one player."""

    went: Went
    against: int | None = None
    """The number of the row of whoever they met; None: nobody. A win against nobody is a bye."""

    def __str__(self) -> str:
        """As a table shows it: "+3"."""
        return f"{self.went}{self.against or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One player of a table.

    Attributes:
        name: what they are called; empty where that is not known.
        points: so many.
        ties: a number for each of the table's tie-breaks.
        rounds: a cell for each round that has begun, or each game.
        equal: whether somebody else has the same place.
        out: whether they have left the tournament.
    """

    name: str
    points: float
    ties: tuple[float, ...] = ()
    rounds: tuple[Cell, ...] = ()
    equal: bool = False
    out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """Standings.

    Attributes:
        title: the tournament's name.
        when: of which moment they are, such as "After round 2 of 3".
        by_game: whether cells stand below each other by each one's first game, second game and so
            on, where not everybody plays once in each round.
        by_points: whether places go by points, so that they are shown.
        tie_breaks: by what equal points are told apart, in this order.
        rows: the players, the first one on top; their numbers in it name them.
    """

    title: str
    when: str
    by_game: bool = False
    by_points: bool = True
    tie_breaks: tuple[TieBreak, ...] = ()
    rows: tuple[StandingsRow, ...]

    @property
    def pages(self) -> int:
        """How many pictures it takes, at least one."""
        return max(-(-len(self.rows) // PAGE_ROWS), 1)


def standings(table: StandingsTable, page: int = 0, *, look: Look = DEFAULT) -> bytes:
    """Render one page of a table as a PNG.

    Args:
        table: what is shown.
        page: 0 is the first; each has `PAGE_ROWS` players.
        look: the colours, the width (300 to 2400 pixels), and the words.

    Raises:
        ValueError: if there is no such page, or the width is out of bounds.
    """
    _check(table, page)
    painter = painter_of(look.theme, look.width_px)
    return painter.encode(_Table(painter, table, page, look.words).render())


def describe_standings(table: StandingsTable, page: int = 0, *, words: Words = ENGLISH) -> str:
    """Tell what the picture shows, place by place; the rounds are left to the picture.

    Raises:
        ValueError: if there is no such page.
    """
    _check(table, page)
    first = page * PAGE_ROWS
    told = []
    for number, row in enumerate(table.rows[first : first + PAGE_ROWS], start=first + 1):
        sentence = words.standing if table.by_points else words.place
        if row.out:
            sentence = words.standing_out if table.by_points else words.place_out
        player = _name(number, row, words)
        told.append(
            sentence.format(number=_number(number, row), player=player, points=amount(row.points))
        )
    heading = words.standings_at if table.by_points else words.places_at
    return f"{heading.format(when=table.when)} {'; '.join(told)}."


def amount(points: float) -> str:
    """Points as tables have them, to the quarter: "2½", "−3"."""
    whole, quarters = divmod(round(abs(points) * 4), 4)
    sign, rest = "−" if points < 0 else "", ("", "¼", "½", "¾")[quarters]
    return f"{sign}{whole if whole or not rest else ''}{rest}"


def _check(table: StandingsTable, page: int) -> None:
    if not 0 <= page < table.pages:
        raise ValueError(f"there is no page {page!r} of {table.pages}")


def _number(number: int, row: StandingsRow) -> str:
    return f"{number}=" if row.equal else str(number)


def _name(number: int, row: StandingsRow, words: Words) -> str:
    return letterable(row.name) or words.unnamed_player.format(number=number)


class _Column(NamedTuple):
    """What stands below each other, and how broad it is, in halves."""

    header: str
    cells: tuple[str, ...]
    breadth: float


class _Table(Plot):
    """One page, as a frame of palette indices."""

    def __init__(self, painter: Painter, table: StandingsTable, page: int, words: Words) -> None:
        super().__init__(painter)
        self._table = table
        self._words = words
        self._page = page
        first = page * PAGE_ROWS
        self._rows = table.rows[first : first + PAGE_ROWS]
        self._numbers = range(first + 1, first + 1 + len(self._rows))

    def render(self) -> Image.Image:
        """The whole picture."""
        legend = self._legend()
        foot = _FIRST_LINE + _ROW * len(self._rows)
        self._begin(foot + _LEGEND_STEP * len(legend) + 0.2 + _FOOT)
        for number in range(len(self._rows) + 1):
            y = _FIRST_LINE + _ROW * number
            strong = number in (0, len(self._rows))
            ink = self._theme.quiet_text if strong else self._theme.chart_ground
            self._rectangle((_LEFT, y, _RIGHT, y + _HAIR), ink)
        self._settle()
        self._head()
        self._columns()
        for number, line in enumerate(legend, start=1):
            baseline = foot + 0.2 + _LEGEND_STEP * number
            self._write(line, _LEFT, baseline, size=0.7, quiet=True, room=_RIGHT - _LEFT)
        return self._frame

    def _head(self) -> None:
        title = letterable(self._table.title, most=LONGEST_TITLE) or self._words.standings
        self._write(title, _LEFT, _TITLE_AT, size=_TITLE, room=_RIGHT - _LEFT)
        when = self._table.when
        if self._table.pages > 1:
            last = self._numbers[-1] if self._numbers else 0
            when = self._words.rows_of.format(
                when=when, first=self._numbers[0], last=last, count=len(self._table.rows)
            )
        self._write(when, _LEFT, _UNDER_TITLE_AT, quiet=True, room=_RIGHT - _LEFT)

    def _columns(self) -> None:
        numbers = self._column("", [_number(n, row) for n, row in self._numbered()])
        points = []
        if self._table.by_points:
            told = [amount(row.points) for row in self._rows]
            points.append(self._column(self._words.points, told))
        ties = [self._tie(which) for which in range(len(self._table.tie_breaks))]
        free = _RIGHT - _LEFT - sum(one.breadth + _GAP for one in (numbers, *points, *ties))
        rounds = self._rounds(free - _LEAST_NAME)
        free -= sum(one.breadth + _GAP for one in rounds)
        x = _LEFT + numbers.breadth
        self._stand(numbers, x)
        breadth = min(free, _MOST_NAME)
        self._names(x + _GAP, breadth)
        x += _GAP + breadth
        # With few columns these stand together at the right, so that rows are read across.
        x += free - breadth
        for column in (*points, *ties, *rounds):
            x += _GAP + column.breadth
            self._stand(column, x)

    def _numbered(self) -> list[tuple[int, StandingsRow]]:
        return list(zip(self._numbers, self._rows, strict=True))

    def _tie(self, which: int) -> _Column:
        header = {
            TieBreak.BUCHHOLZ: self._words.buchholz_short,
            TieBreak.SONNEBORN_BERGER: self._words.sonneborn_short,
            TieBreak.MARGIN: self._words.margin_short,
        }[self._table.tie_breaks[which]]
        return self._column(header, [amount(row.ties[which]) for row in self._rows])

    def _rounds(self, room: float) -> list[_Column]:
        """The newest rounds for which there is room, oldest first."""
        found: list[_Column] = []
        count = max((len(row.rounds) for row in self._rows), default=0)
        for number in range(count, 0, -1):
            cells = [
                str(row.rounds[number - 1]) if number <= len(row.rounds) else ""
                for row in self._rows
            ]
            sort = self._words.game_short if self._table.by_game else self._words.round_short
            header = sort.format(number=number)
            column = self._column(header, cells)
            room -= column.breadth + _GAP
            if room < 0:
                break
            found.insert(0, column)
        return found

    def _column(self, header: str, cells: Sequence[str]) -> _Column:
        face = font(Weight.MEDIUM, round(self._half * TEXT))
        breadth = max(face.getlength(text) for text in (header, "0", *cells)) / self._half
        return _Column(header, tuple(cells), breadth)

    def _stand(self, column: _Column, right: float) -> None:
        """Write a column whose right edge is there."""
        room = column.breadth + _GAP / 2
        self._write(column.header, right, _HEADER_AT, side=1, quiet=True, room=room)
        for number, text in enumerate(column.cells):
            if text:
                self._write(text, right, self._baseline(number), side=1, room=room)

    def _names(self, left: float, room: float) -> None:
        for place, (number, row) in enumerate(self._numbered()):
            name = _name(number, row, self._words)
            whole = self._words.player_out if row.out else "{player}"
            text = self._shortened(name, whole, room)
            self._write(text, left, self._baseline(place), quiet=row.out, room=room)

    def _shortened(self, name: str, whole: str, room: float) -> str:
        """As much of a name as fits at its full size."""
        face = font(Weight.MEDIUM, round(self._half * TEXT))
        text, kept = whole.format(player=name), name.rstrip("…")
        while face.getlength(text) > room * self._half and len(kept) > 1:
            kept = kept[:-1].rstrip()
            text = whole.format(player=f"{kept}…")
        return text

    def _baseline(self, row: int) -> float:
        return _FIRST_LINE + _ROW * row + _BASELINE

    def _legend(self) -> list[str]:
        """What the signs mean, where there are any."""
        words, lines = self._words, []
        if any(row.rounds for row in self._rows):
            lines.append(words.table_signs)
        told = {
            TieBreak.BUCHHOLZ: words.buchholz,
            TieBreak.SONNEBORN_BERGER: words.sonneborn,
            TieBreak.MARGIN: words.margin,
        }
        if self._table.tie_breaks:
            lines.append(" · ".join(told[one] for one in self._table.tie_breaks))
        return lines

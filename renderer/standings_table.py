"""A tournament's standings as a picture: places, points, and results by round or by opponent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from PIL import Image

from renderer.chart_parts import TEXT, Plot
from renderer.lettering import Weight, font, inline_name, is_whole, renderable_name
from renderer.look import DEFAULT, Look
from renderer.picture import Painter, painter_of
from renderer.words import ENGLISH, Words

PAGE_ROWS: Final = 16
"""Maximum number of players in one picture. More would be too small on a phone."""
LONGEST_TITLE: Final = 80
LONGEST_NAME: Final = 32
"""Maximum number of characters in a name. Without enough room, names are cut."""

# Lengths in half-cells (see `dvonn.svg.geometry`).
_LEFT: Final = 0.7
_RIGHT: Final = 23.7
_TITLE_AT: Final = 1.25
_TITLE: Final = 0.95
_UNDER_TITLE_AT: Final = 2.25
_HEADER_AT: Final = 3.6
_FIRST_LINE: Final = 3.95
_ROW: Final = 1.28
_BASELINE: Final = 0.9
"""Distance from the line above a row to the baseline of the row's text."""
_GAP: Final = 0.62
"""The gap between two columns."""
_LEAST_NAME: Final = 5.2
_CROSSTABLE: Final = 0.7
_CROSSTABLE_GAP: Final = 0.25
"""Font size of a crosstable's columns, and the gap between them.

At these sizes, 11 columns leave room for names.
"""
_ITSELF: Final = "■"
_LEGEND_STEP: Final = 1.0
_LEGEND: Final = 0.7
_SEPARATOR: Final = "; "
_FOOT: Final = 0.7
_HAIR: Final = 0.05


class TieBreak(StrEnum):
    """Tie-breaks between players with equal points."""

    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    MARGIN = "margin"


class RoundResult(StrEnum):
    """Results that a player can have in a round, with the signs that the table shows."""

    WON = "+"
    DRAW = "="
    LOST = "−"
    OPEN = "*"
    OUT = "·"
    """The player was not paired."""


class Cell(NamedTuple):
    """One player's result in one round."""

    result: RoundResult
    against: int | None = None
    """The opponent's row number, or None if there was no opponent.

    A win without an opponent is a bye.
    """

    def __str__(self) -> str:
        """Return the text that the table shows, such as "+3"."""
        return f"{self.result}{self.against or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One player of a table.

    Attributes:
        name: The player's name, or "" if unknown.
        points: The player's points.
        place: The player's place, which several players may share. None before the first result,
            when rows have only numbers.
        ties: The player's value of each of the table's tie-breaks.
        rounds: One cell for each round that has begun, or for each game.
        out: True if the player has left the tournament.
    """

    name: str
    points: float
    place: int | None = None
    ties: tuple[float, ...] = ()
    rounds: tuple[Cell, ...] = ()
    out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """The standings of a tournament.

    Attributes:
        title: The tournament's name.
        when: When the standings were taken, for example "After round 2 of 3".
        by_points: True if points decide the places and are shown. If False, players don't all play
            once per round, so the columns are each player's first game, second game, and so on.
        tie_breaks: The tie-breaks for equal points, in order.
        is_crosstable: True to show a column for each opponent instead of each round, for up to 11
            players.
        rows: The players, best first. Their row numbers identify them.
    """

    title: str
    when: str
    by_points: bool = True
    tie_breaks: tuple[TieBreak, ...] = ()
    is_crosstable: bool = False
    rows: tuple[StandingsRow, ...]

    @property
    def pages(self) -> int:
        """Number of pictures, at least one."""
        return max(-(-len(self.rows) // PAGE_ROWS), 1)

    def place(self, number: int) -> str:
        """Return a row's place, such as "4", or "4=" if others share it."""
        place = self.rows[number - 1].place
        if place is None:
            return str(number)
        places = [row.place for row in self.rows]
        return f"{place}=" if places.count(place) > 1 else str(place)


def standings(table: StandingsTable, page: int = 0, *, look: Look = DEFAULT) -> bytes:
    """Render one page of a table as a PNG.

    Args:
        table: The table.
        page: Number of the page, from 0. Each page has `PAGE_ROWS` players.
        look: Colors, width (300 to 2400 pixels), and texts.

    Raises:
        ValueError: if there is no such page, or the width is out of bounds.
    """
    _check(table, page)
    painter = painter_of(look.theme, look.width_px)
    return painter.encode(_Table(painter, table, page, look.words).render())


def describe_standings(table: StandingsTable, page: int = 0, *, words: Words = ENGLISH) -> str:
    """Describe the picture as text, place by place, without the rounds.

    A crosstable's results and tie-breaks are included.

    Raises:
        ValueError: if there is no such page.
    """
    _check(table, page)
    first = page * PAGE_ROWS
    sentences, results = list[str](), list[str]()
    for number, row in enumerate(table.rows[first : first + PAGE_ROWS], start=first + 1):
        player = _spoken(number, row, words)
        if row.out:
            player = words.player_out.format(player=player)
        points = amount(row.points)
        if table.is_crosstable:
            ties = zip(table.tie_breaks, row.ties, strict=True)
            points = ", ".join([points, *(f"{_short(tie, words)} {amount(n)}" for tie, n in ties)])
            signs = [(_results(row, other), other) for other in range(1, len(table.rows) + 1)]
            cells = [f"{sign}{other}" for sign, other in signs if sign]
            results += [f"{number}: {' '.join(cells)}"] if cells else []
        place = f"{table.place(number)}. {player}"
        sentences.append(f"{place}, {points}" if table.by_points else place)
    if not sentences:
        return f"{table.when}."
    heading = words.standings_at if table.by_points else "{when}."
    legend = _signs(_met(table.rows), words) if results else []
    lists = (f"{_SEPARATOR.join(items)}." for items in (sentences, legend, results) if items)
    return " ".join([heading.format(when=table.when), *lists])


def amount(points: float) -> str:
    """Format points as in tables, to the nearest quarter: "2½", "−3"."""
    whole, quarters = divmod(round(abs(points) * 4), 4)
    sign, rest = "−" if points < 0 else "", ("", "¼", "½", "¾")[quarters]
    return f"{sign}{whole if whole or not rest else ''}{rest}"


def _check(table: StandingsTable, page: int) -> None:
    if not 0 <= page < table.pages:
        raise ValueError(f"there is no page {page!r} of {table.pages}")


def _name(number: int, row: StandingsRow, words: Words) -> str:
    """Return a name that can be rendered. If only part of it can, the row number is added."""
    name = renderable_name(row.name, limit=LONGEST_NAME)
    if not name:
        return words.unnamed_player.format(number=number)
    return name if is_whole(row.name) else f"{name} {number}"


def _spoken(number: int, row: StandingsRow, words: Words) -> str:
    """Return a name for running text: in any script, without invisible characters."""
    return inline_name(row.name, limit=LONGEST_NAME) or words.unnamed_player.format(number=number)


def _results(row: StandingsRow, opponent: int) -> str:
    """Return the signs of a player's games against an opponent, such as "", "+" or "+−"."""
    return "".join(cell.result for cell in row.rounds if cell.against == opponent)


def _met(rows: Iterable[StandingsRow]) -> list[Cell]:
    """Return all cells that have an opponent."""
    return [cell for row in rows for cell in row.rounds if cell.against]


def _short(tie: TieBreak, words: Words) -> str:
    return {
        TieBreak.BUCHHOLZ: words.buchholz_short,
        TieBreak.SONNEBORN_BERGER: words.sonneborn_short,
        TieBreak.MARGIN: words.margin_short,
    }[tie]


def _signs(cells: Iterable[Cell], words: Words, *, numbered: bool = True) -> list[str]:
    """Explain the signs of results, and the opponents' numbers if `numbered`."""
    against = {
        RoundResult.WON: words.sign_won if numbered else words.cross_won,
        RoundResult.DRAW: words.sign_tied,
        RoundResult.LOST: words.sign_lost,
        RoundResult.OPEN: words.sign_open,
    }
    byes = {RoundResult.WON: words.sign_bye, RoundResult.OUT: words.sign_out}
    kinds = {(cell.result, cell.against is None) for cell in cells}
    return [
        *(text for went, text in against.items() if (went, False) in kinds),
        *(text for went, text in byes.items() if (went, True) in kinds),
    ]


class _Column(NamedTuple):
    """A column, and its lengths in half-cells."""

    header: str
    cells: tuple[str, ...]
    breadth: float
    gap: float = _GAP
    size: float = TEXT


class _Columns(NamedTuple):
    """The columns of one page of the standings."""

    places: list[str]
    equal: float
    """Width of the sign for shared places, or 0 if there are none."""
    ordinals: _Column
    """The column of places, without the signs for shared places."""
    numbers: list[_Column]
    free: float
    """Available width for names, in half-cells."""
    amounts: list[_Column]
    """Columns of points and tie-breaks."""
    rounds: list[_Column]


class _Table(Plot):
    """One page of a table, as a frame of palette indices."""

    def __init__(self, painter: Painter, table: StandingsTable, page: int, words: Words) -> None:
        super().__init__(painter)
        self._table = table
        self._words = words
        self._page = page
        first = page * PAGE_ROWS
        self._rows = table.rows[first : first + PAGE_ROWS]
        self._numbers = range(first + 1, first + 1 + len(self._rows))

    def render(self) -> Image.Image:
        columns = self._columns()
        legend = self._legend(len(columns.rounds))
        foot = _FIRST_LINE + _ROW * len(self._rows)
        self._begin(foot + _LEGEND_STEP * len(legend) + 0.2 + _FOOT)
        for number in range(len(self._rows) + 1):
            y = _FIRST_LINE + _ROW * number
            strong = number in (0, len(self._rows))
            ink = self._theme.quiet_text if strong else self._theme.chart_ground
            self._rectangle((_LEFT, y, _RIGHT, y + _HAIR), ink)
        self._settle()
        self._head()
        self._place(columns)
        for number, line in enumerate(legend, start=1):
            baseline = foot + 0.2 + _LEGEND_STEP * number
            self._write(line, _LEFT, baseline, size=_LEGEND, quiet=True, room=_RIGHT - _LEFT)
        return self._frame

    def _head(self) -> None:
        title = renderable_name(self._table.title, limit=LONGEST_TITLE) or self._words.standings
        title = self._shortened(title, "{player}", _RIGHT - _LEFT, size=_TITLE)
        self._write(title, _LEFT, _TITLE_AT, size=_TITLE, room=_RIGHT - _LEFT)
        when = self._table.when
        if self._table.pages > 1:
            last = self._numbers[-1] if self._numbers else 0
            when = self._words.rows_of.format(
                when=when, first=self._numbers[0], last=last, count=len(self._table.rows)
            )
        self._write(when, _LEFT, _UNDER_TITLE_AT, quiet=True, room=_RIGHT - _LEFT)

    def _columns(self) -> _Columns:
        """Return the columns, with as many rounds as there is room for."""
        places = [self._table.place(number) for number in self._numbers]
        equal = self._breadth_of("=", TEXT) if any(place.endswith("=") for place in places) else 0.0
        ordinals = self._column("", [place.removesuffix("=") for place in places])
        numbers = self._row_numbers()
        amounts = [amount(row.points) for row in self._rows]
        points = [self._column(self._words.points, amounts)] if self._table.by_points else []
        ties = [self._tie(number) for number in range(len(self._table.tie_breaks))]
        standing = (ordinals, *numbers, *points, *ties)
        free = _RIGHT - _LEFT - equal - sum(column.breadth + _GAP for column in standing)
        rounds = (
            self._opponents() if self._table.is_crosstable else self._rounds(free - _LEAST_NAME)
        )
        free -= sum(column.breadth + column.gap for column in rounds)
        return _Columns(places, equal, ordinals, numbers, free, [*points, *ties], rounds)

    def _place(self, columns: _Columns) -> None:
        x = _LEFT + columns.ordinals.breadth
        self._write_column(columns.ordinals, x)
        for row, place in enumerate(columns.places):
            if place.endswith("="):
                self._write("=", x, self._baseline(row))
        x += columns.equal
        for column in columns.numbers:
            x += _GAP + column.breadth
            self._write_column(column, x, quiet=True)
        self._names(x + _GAP, columns.free)
        x += _GAP + columns.free
        # A few columns are kept close together at the right, so that rows are easy to follow.
        for column in (*columns.amounts, *columns.rounds):
            x += column.gap + column.breadth
            self._write_column(column, x)

    def _row_numbers(self) -> list[_Column]:
        """Return the column of row numbers, or nothing if they equal the places.

        Cells identify opponents by row numbers. A crosstable doesn't need this column, because its
        diagonal shows which player a column belongs to.
        """
        table = self._table
        if (
            table.is_crosstable
            or not any(cell.against for row in table.rows for cell in row.rounds)
            or all(table.place(number) == str(number) for number in range(1, len(table.rows) + 1))
        ):
            return []
        return [self._column(self._words.number_short, [str(number) for number in self._numbers])]

    def _numbered(self) -> list[tuple[int, StandingsRow]]:
        return list(zip(self._numbers, self._rows, strict=True))

    def _tie(self, number: int) -> _Column:
        header = _short(self._table.tie_breaks[number], self._words)
        return self._column(header, [amount(row.ties[number]) for row in self._rows])

    def _rounds(self, room: float) -> list[_Column]:
        """Return the columns of the latest rounds that fit, in order."""
        columns: list[_Column] = []
        count = max((len(row.rounds) for row in self._rows), default=0)
        for number in range(count, 0, -1):
            cells = [
                str(row.rounds[number - 1]) if number <= len(row.rounds) else ""
                for row in self._rows
            ]
            sort = self._words.round_short if self._table.by_points else self._words.game_short
            header = sort.format(number=number)
            column = self._column(header, cells)
            room -= column.breadth + _GAP
            if room < 0:
                break
            columns.insert(0, column)
        return columns

    def _opponents(self) -> list[_Column]:
        """Return a column for each opponent, with a sign for each game against them."""
        columns: list[_Column] = []
        for opponent in range(1, len(self._table.rows) + 1):
            cells = [
                _ITSELF if number == opponent else _results(row, opponent)
                for number, row in self._numbered()
            ]
            gap = _CROSSTABLE_GAP if columns else _GAP
            columns.append(self._column(str(opponent), cells, gap, _CROSSTABLE))
        return columns

    def _column(
        self, header: str, cells: Sequence[str], gap: float = _GAP, size: float = TEXT
    ) -> _Column:
        face = font(Weight.MEDIUM, round(self._half * size))
        breadth = max(face.getlength(text) for text in (header, "0", *cells)) / self._half
        return _Column(header, tuple(cells), breadth, gap, size)

    def _write_column(self, column: _Column, right: float, *, quiet: bool = False) -> None:
        """Write a column that ends at the given right edge."""
        room, size = column.breadth + column.gap / 2, column.size
        self._write(column.header, right, _HEADER_AT, side=1, size=size, quiet=True, room=room)
        for number, text in enumerate(column.cells):
            if text:
                baseline = self._baseline(number)
                self._write(text, right, baseline, side=1, size=size, quiet=quiet, room=room)

    def _names(self, left: float, room: float) -> None:
        for place, (number, row) in enumerate(self._numbered()):
            name = _name(number, row, self._words)
            whole = self._words.player_out if row.out else "{player}"
            text = self._shortened(name, whole, room)
            self._write(text, left, self._baseline(place), quiet=row.out, room=room)

    def _shortened(self, name: str, whole: str, room: float, *, size: float = TEXT) -> str:
        """Cut a name to the available room, without making the font smaller."""
        face = font(Weight.MEDIUM, round(self._half * size))
        text, stem = whole.format(player=name), name.rstrip("…")
        while face.getlength(text) > room * self._half and len(stem) > 1:
            stem = stem[:-1].rstrip()
            text = whole.format(player=f"{stem}…")
        return text

    def _baseline(self, row: int) -> float:
        return _FIRST_LINE + _ROW * row + _BASELINE

    def _legend(self, rounds: int) -> list[str]:
        """Explain the symbols in the rounds that the table shows."""
        words = self._words
        ties = {
            TieBreak.BUCHHOLZ: words.buchholz,
            TieBreak.SONNEBORN_BERGER: words.sonneborn,
            TieBreak.MARGIN: words.margin,
        }
        if self._table.is_crosstable:
            signs = _signs(_met(self._rows), words, numbered=False)
        else:
            first = max((len(row.rounds) for row in self._rows), default=0) - rounds
            signs = _signs([cell for row in self._rows for cell in row.rounds[first:]], words)
        lines = self._lines(signs)
        return lines + self._lines([ties[tie_break] for tie_break in self._table.tie_breaks])

    def _lines(self, parts: Sequence[str]) -> list[str]:
        """Wrap the legend's parts into lines."""
        lines: list[str] = []
        for part in parts:
            longer = f"{lines[-1]}{_SEPARATOR}{part}" if lines else part
            if lines and self._breadth_of(longer, _LEGEND) <= _RIGHT - _LEFT:
                lines[-1] = longer
            else:
                lines.append(part)
        return lines

"""Tests for a tournament's standings: the text, and enough room for everything."""

from dataclasses import fields, replace
from functools import cache
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageChops

from renderer import (
    ENGLISH,
    PAGE_ROWS,
    THEMES,
    Cell,
    Look,
    RoundResult,
    StandingsRow,
    StandingsTable,
    TieBreak,
    Words,
    describe_standings,
    standings,
)
from renderer.chart_parts import ACROSS
from renderer.standings_table import _name, amount
from tests.renderer.gallery import STANDINGS, WORDY, crosstable
from tests.tiers import one_in

_ALT_LIMIT = 1_024
_HALVES = ACROSS
_GAP = 0.4
"""Gap between a name and its neighbors, in half-cells."""
WORDS = [field.name for field in fields(Words)]


def _table(players: int, rounds: int, *, name: str = "Wilhelmina Weatherwax") -> StandingsTable:
    rng = Random(players)
    return StandingsTable(
        title="The Grand Tournament of the Friends of the Rings",
        when=f"After round {rounds} of {rounds}",
        tie_breaks=tuple(TieBreak),
        rows=tuple(
            StandingsRow(
                name=name,
                points=rng.randrange(2 * rounds + 1) / 2,
                ties=(rounds * rounds + 0.5, rounds * rounds + 0.25, -float(rounds * 20)),
                rounds=tuple(Cell(rng.choice(list(RoundResult)), players) for _ in range(rounds)),
                place=1,
                out=number % 3 == 0,
            )
            for number in range(players)
        ),
    )


def test_the_clocks_state_is_described() -> None:
    assert describe_standings(STANDINGS) == (
        "After round 3 of 3. Place, player, points: 1. Ann, 3; 2. Bob, 2; 3. Christopher, 2; "
        "4=. Dee, 1½; 4=. Eve Underwood-Smythe, 1½; 6. Finn (left), ½; 7. Player 7, 0."
    )


def test_names_are_written_completely_in_their_own_script() -> None:
    rows = [
        replace(STANDINGS.rows[0], name=name)
        for name in ("דניאל", "Zoë \u202etsrever", "Jörg-Maximilian von der Lind", "\u200b\n")
    ]
    told = describe_standings(replace(STANDINGS, rows=tuple(rows)))
    names = [part.split(". ")[-1].split(",")[0] for part in told.split("; ")]
    assert names == [
        f"\u2068{rows[0].name}\u2069",
        "Zoë tsrever",
        "Jörg-Maximilian von der Lind",
        "Player 4",
    ]


def test_names_without_renderable_letters_become_numbers() -> None:
    names = ("Ann 王", "Ann 李", "王小明", "Ann", "W" * 40)
    rows = tuple(StandingsRow(name=name, points=1.0) for name in names)

    shown = [_name(number, row, ENGLISH) for number, row in enumerate(rows, start=1)]

    assert shown == ["Ann… 1", "Ann… 2", "Player 3", "Ann", "W" * 31 + "…"]


def test_places_that_are_shared_leave_rows_their_numbers() -> None:
    places = [STANDINGS.place(number) for number in range(1, 8)]
    assert places == ["1", "2", "3", "4=", "4=", "6", "7"]
    alone = replace(
        STANDINGS, rows=tuple(replace(row, place=n) for n, row in enumerate(STANDINGS.rows, 1))
    )
    # Numbers are only shown, and explained, if they differ from places.
    unheaded = Look(words=replace(ENGLISH, number_short="Nr."))
    assert standings(STANDINGS, look=unheaded) != standings(STANDINGS)
    assert standings(alone, look=unheaded) == standings(alone)
    last = replace(
        alone, rows=(*alone.rows[:-2], *(replace(row, place=6) for row in alone.rows[-2:]))
    )
    assert standings(last, look=unheaded) != standings(last), "the last place alone is shared"


@pytest.mark.parametrize("sign", [f for f in WORDS if f.startswith(("sign_", "cross_"))])
def test_only_signs_that_are_there_are_explained(sign: str) -> None:
    table = crosstable(11, 1) if sign.startswith("cross_") else STANDINGS
    other = Look(words=replace(ENGLISH, **{sign: "X"}))  # type: ignore[arg-type]
    none = replace(table, rows=tuple(replace(row, rounds=()) for row in table.rows))
    assert standings(table, look=other) != usual(table)
    assert standings(none, look=other) == usual(none)


@cache
def usual(table: StandingsTable) -> bytes:
    return standings(table)


def test_a_long_name_is_not_shortened_if_there_is_room() -> None:
    few = replace(STANDINGS, tie_breaks=())
    ends = [
        standings(replace(few, rows=(replace(few.rows[0], name=name), *few.rows[1:])))
        for name in ("Jörg-Maximilian von der Linden", "Jörg-Maximilian von der Linder")
    ]
    assert ends[0] != ends[1]


def test_columns_are_rounds_or_games() -> None:
    headings = ("R", "G")
    for by_points, shown in zip((True, False), headings, strict=True):
        table = replace(STANDINGS, by_points=by_points)
        others = (
            Look(words=replace(ENGLISH, **{name: "X"}))  # type: ignore[arg-type]
            for name in ("round_short", "game_short")
        )
        changed = [standings(table, look=look) != standings(table) for look in others]
        assert changed == [shown == heading for heading in headings]


def test_an_empty_place_lists_nobody() -> None:
    empty = replace(_table(2, 1), rows=(), when="Open to join")
    assert describe_standings(empty) == "Open to join."


def test_the_words_of_every_page_fit_beside_a_picture() -> None:
    table = _table(64, 7)
    told = [describe_standings(table, page, words=WORDY) for page in range(table.pages)]
    assert [text.count("Wilhelmina") for text in told] == [PAGE_ROWS] * 4
    assert max(map(len, told)) <= _ALT_LIMIT


@pytest.mark.parametrize(
    ("points", "text"),
    [(0, "0"), (0.5, "½"), (2.5, "2½"), (12.25, "12¼"), (0.75, "¾"), (-3, "−3"), (-0.5, "−½")],
)
def test_points_are_shown_to_the_quarter(points: float, text: str) -> None:
    assert amount(points) == text


@pytest.mark.parametrize("width_px", one_in(2, (400, 1_200)))
@pytest.mark.parametrize(
    ("players", "rounds"), [(2, 1), (3, 3), (16, 15), (17, 0), (64, 7), (64, 63)]
)
def test_everything_stays_within_the_picture(players: int, rounds: int, width_px: int) -> None:
    table = _table(players, rounds)
    for words in (ENGLISH, WORDY):
        for page in {0, table.pages - 1}:
            look = Look(theme=THEMES["light"], words=words, width_px=width_px)
            with Image.open(BytesIO(standings(table, page, look=look))) as opened:
                image = opened.convert("RGB")
            assert image.width == width_px
            # Nothing is drawn in the margins, so nothing is cut off.
            edge = width_px // 60
            for box in (
                (0, 0, edge, image.height),
                (image.width - edge, 0, image.width, image.height),
                (0, image.height - edge, image.width, image.height),
            ):
                assert image.crop(box).getcolors(1) is not None


@pytest.mark.parametrize("rounds", [7, 63])
def test_however_many_columns_names_keep_their_room(rounds: int) -> None:
    look = Look(words=WORDY, width_px=400)
    two = [_table(64, rounds, name=name) for name in ("Wilhelmina", "Wilhexmina")]
    assert standings(two[0], look=look) != standings(two[1], look=look)


@pytest.mark.parametrize("rounds", [7, 63])
def test_a_long_name_fills_the_space_that_all_columns_leave_at_full_size(rounds: int) -> None:
    table, look = _table(16, rounds, name="I"), Look(words=WORDY, width_px=400)
    one, other = (_second(table, "M" * letters, look) for letters in (1, 18))
    plain = _second(table, "I", look)
    left, top, right, bottom = _box(other, plain)
    _, highest, _, lowest = _box(one, plain)
    assert (top, bottom) == (highest, lowest), "it is cut off, and not made smaller"

    half = look.width_px / _HALVES
    assert right - left > 4.5 * half, "names keep their room however many columns there are"
    beside = other.crop((right, top, right + round(_GAP * half), bottom))
    assert beside.getcolors(1) is not None, "it touches nothing"


def _second(table: StandingsTable, name: str, look: Look) -> Image.Image:
    """Return the picture in which the second player has this name."""
    first, second, *rest = table.rows
    rows = (first, replace(second, name=name), *rest)
    return Image.open(BytesIO(standings(replace(table, rows=rows), look=look))).convert("L")


def _box(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int]:
    """Return where two pictures differ: left, top, right, bottom."""
    found = ImageChops.difference(one, other).getbbox()
    assert found is not None
    return found


def test_the_newest_rounds_are_shown_where_not_all_have_room() -> None:
    table = _table(64, 63)
    last = [replace(row, rounds=row.rounds[:-1]) for row in table.rows]
    first = [replace(row, rounds=(Cell(RoundResult.OUT), *row.rounds[1:])) for row in table.rows]
    shown = standings(table)
    assert standings(replace(table, rows=tuple(first))) == shown
    assert standings(replace(table, rows=tuple(last))) != shown


def test_a_rounds_results_are_shown_without_color() -> None:
    for went in RoundResult:
        others = {str(Cell(result, 3)) for result in RoundResult if result is not went}
        assert str(Cell(went, 3)) not in others
    rows = STANDINGS.rows
    for changed in (
        replace(rows[0], rounds=(Cell(RoundResult.LOST, 7), *rows[0].rounds[1:])),
        replace(rows[0], out=True),
        replace(rows[0], place=2),
    ):
        table = replace(STANDINGS, rows=(changed, *rows[1:]))
        grey = [
            Image.open(BytesIO(standings(game_table, look=Look(width_px=400))))
            .convert("L")
            .tobytes()
            for game_table in (table, STANDINGS)
        ]
        assert grey[0] != grey[1]


def _grey(table: StandingsTable, words: Words = ENGLISH) -> Image.Image:
    look = Look(words=words, width_px=400)
    return Image.open(BytesIO(standings(table, look=look))).convert("L")


def _changed(table: StandingsTable, row: int, game: int, went: RoundResult) -> StandingsTable:
    """Return a table with another result of one player's game."""
    cells = list(table.rows[row].rounds)
    cells[game] = cells[game]._replace(result=went)
    rows = list(table.rows)
    rows[row] = replace(rows[row], rounds=tuple(cells))
    return replace(table, rows=tuple(rows))


@pytest.mark.parametrize("games", [1, 2])
def test_a_crosstable_of_eleven_shows_every_game_on_a_phone_without_color(games: int) -> None:
    table = crosstable(11, games)
    usual = _grey(table)
    # Each row and each column is tested twice, because the same code draws all cells.
    columns = 10 * games
    for row, game in {(at % 11, (at + by) % columns) for at in range(columns + 1) for by in (0, 3)}:
        result = table.rows[row].rounds[game].result
        other = RoundResult.DRAW if result is not RoundResult.DRAW else RoundResult.OPEN
        assert _grey(_changed(table, row, game, other)) != usual, (row, game)


def test_a_crosstable_says_each_result_in_its_text() -> None:
    assert describe_standings(crosstable(3, 2)) == (
        "41 of 55 games are over. Place, player, points: 1. Ann, 2, SB 54¼; 2. Bartholomew, 1½, "
        "SB 53¼; 3. Cid, 1½, SB 52¼. +3 beat number 3; = drew; − lost; * still playing. "
        "1: +=2 =−3; 2: −=1 *+3; 3: =+1 *−2."
    )


def test_a_crosstable_before_its_first_game_has_no_signs() -> None:
    table = crosstable(5, 1)
    table = replace(table, rows=tuple(replace(row, rounds=()) for row in table.rows))
    assert describe_standings(table).endswith("4=. Eve Underwood-Smythe, 1½, SB 50¼.")
    assert _grey(table) != _grey(crosstable(5, 1))


@pytest.mark.parametrize("games", [1, 2])
def test_the_largest_crosstable_fits_its_text_and_leaves_room_for_names(games: int) -> None:
    table = crosstable(11, games)
    first, *rest = table.rows
    few, many = (
        _grey(replace(table, rows=(replace(first, name=letters), *rest)), WORDY)
        for letters in ("I", "M" * 18)
    )
    left, _, right, _ = _box(few, many)
    assert right - left > 4 * (400 / _HALVES)
    names = [replace(row, name="W" * 20) for row in table.rows]
    assert len(describe_standings(replace(table, rows=tuple(names)))) <= _ALT_LIMIT


def test_there_is_no_other_page() -> None:
    for show in (standings, describe_standings):
        for page in (-1, 1):
            with pytest.raises(ValueError, match="there is no page"):
                show(STANDINGS, page)

"""Tests for a review's chart: the turning points are visible without color."""

from dataclasses import replace

import pytest
from PIL import Image

from dvonn import Color, Coordinates, Estimate, Grade, Review
from renderer import WOOD, Caption, Look, Reel, chart, describe_chart, turning_points
from renderer.chart_parts import ACROSS
from renderer.chart_text_twin import TURNS_LIMIT
from tests.renderer.gallery import CHARTED
from tests.renderer.reviews import EXACT, reviewed
from tests.renderer.seeing import differing, picture, pixel
from tests.renderer.test_twin import ALT_TEXT_LIMIT

HALF = 45
LEFT, RIGHT = round(2.75 * HALF), round(23.6 * HALF)
TOP, FOOT = round(1.4 * HALF), round(6.1 * HALF)
REVIEW = reviewed(CHARTED, 9)
LIGHT, DARK = WOOD.white.top, WOOD.black.top


def sure(chance: float, margin: tuple[float, float] = (-3, 4)) -> Estimate:
    return Estimate(win_probability=chance, margin=margin, exact=False)


def even(review: Review, *chances: float) -> Review:
    """Return a review with one ply for each chance, all of them good moves."""
    after = [sure(chance) for chance in chances]
    before = [sure(0.5), *after]
    plies = tuple(
        replace(one, before=was, after=now, grade=Grade.GOOD)
        for one, was, now in zip(review.plies, before, after, strict=False)
    )
    return replace(review, plies=plies)


def share(review: Review, x: int) -> float:
    """Return how much of a column of the upper panel is light."""
    image = picture(chart(review))
    column = [pixel(image, x, y) for y in range(TOP, FOOT)]
    light, dark = column.count(LIGHT), column.count(DARK)
    return light / (light + dark)


def test_whites_chance_is_how_much_of_a_column_is_light() -> None:
    review = even(REVIEW, 0.5, 0.9, 0.2)
    step = (RIGHT - LEFT) / 3

    for number, chance in ((1, 0.5), (2, 0.9)):
        assert share(review, LEFT + round(step * number)) == pytest.approx(chance, abs=0.04)
    assert share(review, RIGHT - 4) == pytest.approx(0.2, abs=0.04)


def test_each_grade_has_a_shape_of_its_own() -> None:
    shapes = []
    for grade in (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER):
        flat = even(REVIEW, 0.2, 0.2, 0.2, 0.2)
        plies = list(flat.plies)
        plies[1] = replace(plies[1], grade=grade)
        image = picture(chart(replace(flat, plies=tuple(plies))))
        # the badge below the upper edge of the panel, as far from the curve as possible
        x, y = LEFT + (RIGHT - LEFT) // 2, TOP + round(0.65 * HALF)
        box = image.crop((x - HALF, y - HALF, x + HALF, y + HALF)).convert("RGB")
        gold = [
            [pixel(box, column, row) == WOOD.accent for column in range(box.width)]
            for row in range(box.height)
        ]
        breadths = [sum(row) for row in gold]
        shapes.append([breadths[HALF + round(HALF * at)] for at in (-0.36, 0.36)])
    disc, diamond, square = shapes

    assert diamond[0] < disc[0] < square[0]
    assert diamond[0] > 0
    assert square[0] > HALF * 0.7


def test_legend_badges_are_separate_and_nothing_touches_the_edge() -> None:
    mistakes = tuple(replace(ply, grade=Grade.MISTAKE) for ply in REVIEW.plies)
    for width in (400, 1100):
        look = Look(width_px=width)
        image = picture(chart(replace(REVIEW, plies=mistakes), look=look))
        half = int(width / ACROSS)
        left, top, right, foot = differing(image, empty(image)).getbbox() or (0, 0, 0, 0)
        assert min(left, width - right, image.height - foot) >= 0.2 * half
        assert top > 0
        first = round(1.3 * half)
        reach = round(0.7 * half)
        column = image.crop((first - reach, round(11.2 * half), first + reach, image.height))
        inked = differing(column, empty(column), 12)
        rows = [
            inked.crop((0, y, inked.width, y + 1)).getbbox() is not None
            for y in range(inked.height)
        ]
        seen = "".join("x" if row else " " for row in rows).split()
        assert len(seen) == TURNS_LIMIT // 2, "one below the other"


def empty(image: Image.Image) -> Image.Image:
    """Return a chart without curves."""
    return Image.new("RGB", image.size, WOOD.canvas)


def test_the_dearest_are_numbered_in_the_order_of_play() -> None:
    turns = turning_points(REVIEW)
    graded = [ply for ply in REVIEW.plies if ply.grade is not Grade.GOOD]

    assert 1 < len(turns) <= TURNS_LIMIT
    assert [turn.ply for turn in turns] == sorted(turn.ply for turn in turns)
    assert REVIEW.turning_point(None) in turns
    left_out = [review.loss for review in graded if review not in turns]
    assert min(turn.loss for turn in turns) >= max(left_out, default=0)
    many = replace(REVIEW, plies=tuple(replace(ply, grade=Grade.MISTAKE) for ply in REVIEW.plies))
    assert len(turning_points(many)) == TURNS_LIMIT
    assert turning_points(even(REVIEW, 0.5)) == ()


def test_a_bracket_is_where_all_is_proven() -> None:
    y = round((6.1 + 0.32) * HALF)
    image = picture(chart(REVIEW))
    line = [x for x in range(LEFT, RIGHT) if pixel(image, x, y) == WOOD.label]

    assert REVIEW.exact_from is not None
    count = len(REVIEW.plies)
    assert REVIEW.exact_from == REVIEW.plies[0].ply + count - EXACT
    begin = LEFT + (RIGHT - LEFT) * (count - EXACT) / count
    assert line[0] == pytest.approx(begin, abs=4)
    assert line[-1] == pytest.approx(RIGHT, abs=4)
    doubtful = picture(chart(even(REVIEW, *[0.5] * count)))
    assert all(pixel(doubtful, x, y) == WOOD.canvas for x in range(LEFT, RIGHT))


def test_the_current_ply_has_a_line_through_both_panels() -> None:
    count = len(REVIEW.plies)
    ply = REVIEW.plies[4].ply
    plain, marked = picture(chart(REVIEW)), picture(chart(REVIEW, marked=ply))

    left, top, right, foot = differing(plain, marked).getbbox() or (0, 0, 0, 0)
    x = LEFT + (RIGHT - LEFT) * 5 / count
    assert left < x < right
    assert right - left < HALF
    assert top < TOP
    assert foot == pytest.approx(10.2 * HALF, abs=4)


def test_the_lead_so_far_is_a_line_where_counts_are_known() -> None:
    told = Caption(scores=CHARTED.scores)
    panel = (LEFT, round(7.6 * HALF), RIGHT, round(10.1 * HALF))

    plain, counted = (
        picture(chart(REVIEW)).crop(panel),
        picture(chart(REVIEW, caption=told)),
    )

    assert WOOD.accent not in {color for _, color in plain.getcolors(1 << 20) or ()}
    assert WOOD.accent in {color for _, color in counted.crop(panel).getcolors(1 << 20) or ()}


def test_the_twin_describes_all_marks() -> None:
    text = describe_chart(REVIEW, caption=Caption(white="Ann"), coordinates=Coordinates.PERGIOCO)
    turns = turning_points(REVIEW)

    assert text.startswith("Ann's chance to win: ")
    assert text.endswith(f" Exact from move {REVIEW.exact_from} on.")
    for number, review in enumerate(turns, start=1):
        assert f"Mark {number}: {review.ply}. " in text
    assert str(turns[0].played) not in text, "moves are named in the system of the game"
    assert describe_chart(even(REVIEW, 0.25)) == (
        "White's chance to win: 50% before the first move, 25% at the end."
    )
    assert describe_chart(even(REVIEW, 0.999)).endswith("99% at the end."), "it is not proven"


def test_the_text_twin_counts_moves_after_dealt_placements() -> None:
    text = describe_chart(REVIEW, caption=Caption(dealt=49))
    for number, review in enumerate(turning_points(REVIEW), start=1):
        assert f"Mark {number}: {review.ply - 49}. " in text
    assert REVIEW.exact_from is not None
    assert text.endswith(f" Exact from move {REVIEW.exact_from - 49} on.")


def test_the_twin_describes_the_course_of_the_lead() -> None:
    scores = ((23, 23), (24, 20), (19, 22), (19, 21))

    text = describe_chart(REVIEW, caption=Caption(white="Ann", scores=scores))
    unnamed = describe_chart(REVIEW, caption=Caption(scores=scores))

    course = "0 before the first move, −2 at the end, lowest −3, highest +4. "
    assert f" Ann's lead in pieces: {course}" in text
    assert f" White's lead in pieces: {course}" in unnamed
    own = describe_chart(REVIEW, caption=Caption(white="Ann", scores=scores, you=Color.BLACK))
    course = "0 before the first move, +2 at the end, lowest −4, highest +3. "
    assert f" Your lead in pieces: {course}" in own
    assert "lead" not in describe_chart(REVIEW, caption=Caption(scores=scores[:1]))


def test_a_chart_for_black_is_the_same_curve_upside_down() -> None:
    """The reader's color is below the curve, and their chance is the part above 0."""
    plain, own = picture(chart(REVIEW)), picture(chart(REVIEW, caption=Caption(you=Color.BLACK)))
    foot = round(6.1 * HALF) - 3
    x = (LEFT + RIGHT) // 2
    assert pixel(plain, x, foot) == WOOD.white.top
    assert pixel(own, x, foot) == WOOD.black.top


@pytest.mark.parametrize("seed", range(20))
def test_every_chart_is_rendered_and_its_twin_fits(seed: int) -> None:
    review = reviewed(CHARTED, seed, exact=seed % 9)
    caption = Caption(white="W" * 40, black="Б" * 40, scores=CHARTED.scores)
    look = Look(theme=WOOD, width_px=(300, 900)[seed % 2])

    image = picture(chart(review, caption=caption, look=look))

    assert image.width == look.width_px
    assert image.height <= image.width * 0.64, "Discord shows all of it"
    assert pixel(image, 0, 0) == WOOD.canvas
    assert len(describe_chart(review, caption=caption)) <= ALT_TEXT_LIMIT


def test_a_review_without_a_move_has_no_chart() -> None:
    reel = Reel.line(CHARTED.positions[0], ())
    nothing = reviewed(reel, 1)

    for made in (chart, describe_chart):
        with pytest.raises(ValueError, match="no move"):
            made(nothing)


def test_a_single_ply_is_charted() -> None:
    assert picture(chart(even(REVIEW, 0.3))).width == 1100


def test_the_pointer_of_a_ply_near_the_left_stays_off_the_title() -> None:
    review = reviewed(CHARTED, 4)
    for ply in (review.plies[0].ply, review.plies[1].ply):
        plain, marked = (picture(chart(review, marked=item)) for item in (None, ply))
        half = plain.width / ACROSS
        title = (0, 0, plain.width, round(half * 1.2))
        assert differing(plain.crop(title), marked.crop(title)).getbbox() is None, ply
        assert differing(plain, marked).getbbox() is not None

"""Tests for the row above a board: nothing overlaps, leaves its place, or is too small to read."""

from dataclasses import replace
from itertools import pairwise

import pytest

from bot.base.languages import reader_for
from bot.play.words.pictures import look_of
from dvonn import Color, Phase, Position
from dvonn.svg.geometry import Layout
from renderer import ENGLISH, Caption, Ending, Words
from renderer.head import CHIP, LEAST, MIDDLE, Head, HeadText, head_of, phrases
from renderer.lettering import fitting
from renderer.scene import Scene
from tests.games import positions_of, random_game
from tests.renderer.gallery import GREAT_CUT, WHITE_PASSES, after

WIDTHS = (300, 400, 550, 1100)
LANGUAGES = ("en", "de", "es", "fr", "it", "nl")
NAMES = (
    ("W" * 18, "W" * 18),
    ("W" * 18, "Bo"),
    ("Bartholomew Underwood", "Дмитрий Достоевский"),
    ("", ""),
    ("王小明", "محمد"),
)


def words_of(language: str) -> Words:
    return look_of(reader_for(language)).words


def scenes() -> list[Scene]:
    """Return positions with everything that a header can show, separately and together."""
    passed = next(
        (one, move)
        for seed in range(400)
        for moves in (random_game(seed),)
        for one, move in zip(positions_of(moves)[1:], moves, strict=True)
        if one.passed and one.removed
    )
    running = [
        Scene(Position.initial()),
        Scene(after(GREAT_CUT, 2).position),
        Scene(after(GREAT_CUT, 30).position),
        Scene(after(GREAT_CUT, 72).position, last=after(GREAT_CUT, 72).last),
        Scene(after(WHITE_PASSES, 81).position),
        Scene(*passed[:1], last=passed[1]),
    ]
    position = after(GREAT_CUT, 66).position
    ends = [
        Scene(position, caption=Caption(ending=ending, winner=winner))
        for ending in Ending
        for winner in (Color.BLACK, None)
        if ending is not Ending.RESIGNATION or winner
    ]
    return running + ends + [Scene(after(WHITE_PASSES, 82).position)]


SCENES = scenes()


def lines(head: Head) -> list[HeadText]:
    told = [] if head.phrases is None else [head.phrases]
    return told + [
        line for chip in head.chips for line in (chip.name, chip.score, chip.lost) if line
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", NAMES, ids=lambda names: names[0][:4] or "none")
@pytest.mark.parametrize("machine", [None, Color.BLACK])
def test_no_text_overlaps_leaves_its_place_or_is_too_small(
    language: str, names: tuple[str, str], machine: Color | None
) -> None:
    words = words_of(language)
    for scene in SCENES:
        caption = replace(scene.caption, white=names[0], black=names[1], face=3, machine=machine)
        shown = replace(scene, caption=caption.lettered())
        for width in WIDTHS:
            layout = Layout(width)
            head = head_of(shown, words, width / layout.half)
            assert_clear(head, layout)


def assert_clear(head: Head, layout: Layout) -> None:
    half, spans = layout.half, []
    for chip in head.chips:
        assert chip.left >= 0
        assert chip.right <= layout.width / half
        inside = [line for line in (chip.name, chip.score, chip.lost) if line]
        edges = [(chip.icon, chip.icon + 0.44)]
        edges += [(line.left, line.left + drawn(line, layout)) for line in inside]
        for (_, end), (begin, _) in pairwise(sorted(edges)):
            assert begin >= end - 0.03
        assert chip.right - edges[-1][1] >= 0.3
        spans.append((chip.left, chip.right))
    if head.phrases is not None:
        spans.append((head.phrases.left, head.phrases.left + drawn(head.phrases, layout)))
    if head.red is not None:
        spans.append((head.red - 0.44, head.red + 0.44))
    for (_, end), (begin, _) in pairwise(sorted(spans)):
        assert begin > end
    for line in lines(head):
        assert line.size >= LEAST - 1e-9
        assert round(Layout(400).half * line.size) >= 9
    assert MIDDLE - CHIP >= 0
    assert (MIDDLE + CHIP) * half <= layout.strip_height


def drawn(line: HeadText, layout: Layout) -> float:
    """Return the length of a line as it is drawn, in half-cells."""
    room = -(-line.room * layout.half // 1)
    face = fitting(line.weight, round(layout.half * line.size), line.text, room)
    return face.getlength(line.text) / layout.half


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_most_important_text_stays(language: str) -> None:
    words = words_of(language)
    for scene in SCENES:
        for white, black in NAMES:
            caption = replace(scene.caption, white=white, black=black).lettered()
            shown = replace(scene, caption=caption)
            told = head_of(shown, words, 23.5).phrases
            plain = phrases(replace(shown, caption=replace(caption, white="", black="")), words)
            wanted = [item for item in plain if item.weight == max(plain).weight]
            if wanted:
                assert told is not None, (white, wanted)


def test_counts_losses_and_the_marked_player_follow_the_rules() -> None:
    for scene in SCENES:
        position, head = scene.position, head_of(scene, ENGLISH, 23.0)
        for chip in head.chips:
            placing = position.phase is Phase.PLACEMENT
            assert chip.score is None if placing else chip.score is not None
            if chip.score is not None:
                assert chip.score.text == str(position.score(chip.color))
            lost = sum(len(row) for row in position.removed.values() if row[-1] == chip.color)
            assert (chip.lost.text if chip.lost else "−0") == f"−{lost}"
            assert chip.marked == (chip.color is scene.marked)
            assert (chip.star is not None) == (scene.is_over and chip.marked)
        placing_red = scene.placing and position.to_place == "R"
        assert (head.red is not None) == placing_red


def test_a_name_that_fits_is_not_shortened() -> None:
    caption = Caption(white="Bartholomew Feath", black="Ann")
    head = head_of(Scene(after(GREAT_CUT, 60).position, caption=caption), ENGLISH, 23.0)

    assert head.chips[0].name.text == "Bartholomew Feath"
    assert head.phrases is not None

"""Tests that an animation has the same pixels as the pictures of `render`."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from dvonn import Color, Coordinates, GameRecord, Position
from dvonn.svg.geometry import Layout
from renderer import WOOD, Caption, Ending, Look, Reel, animate, animation, render
from tests.games import random_game
from tests.renderer.gallery import WHITE_PASSES, after
from tests.renderer.seeing import differing, picture, pixel

ROOT = Path(__file__).resolve().parents[2]
WIDTH_PX = 400  # small pictures render faster
LOOK = Look(width_px=WIDTH_PX)
LAYOUT = Layout(WIDTH_PX)
HEAD_PX = round(LAYOUT.half * 0.7)
GAME = Reel.line(
    Position.initial(), random_game(3), caption=Caption(white="Ann", black="Bartholomew")
)
PLAYED = len(GAME.positions)


class Frame(NamedTuple):
    """A visible image, and its duration."""

    image: Image.Image
    ms: int


def frames_of(gif: bytes) -> list[Frame]:
    """Return the frames as a viewer shows them."""
    shown = Image.open(BytesIO(gif))
    assert isinstance(shown, Image.Image)
    assert shown.format == "GIF"
    frames = []
    for number in range(getattr(shown, "n_frames", 1)):
        shown.seek(number)
        frames.append(Frame(shown.convert("RGB"), shown.info["duration"]))
    return frames


@cache
def whole() -> list[Frame]:
    return frames_of(animate(GAME, width_px=WIDTH_PX))


def shows(frame: Frame, png: bytes) -> bool:
    """Return True if a frame is exactly a picture, below the progress bar."""
    expected, top = picture(png), HEAD_PX
    part = frame.image.crop((0, top, WIDTH_PX, top + expected.height))
    return differing(part, expected).getbbox() is None


def bar(frame: Frame) -> float:
    """Return how much of the progress bar at the top is filled, 0 to 1."""
    row = [pixel(frame.image, x, HEAD_PX // 2) for x in range(WIDTH_PX)]
    filled, empty = row.count(WOOD.label), row.count(WOOD.chip)
    return filled / (filled + empty)


def playing(caption: Caption) -> Caption:
    """Return the caption as it is before the end, without the move number."""
    return replace(caption, ending=None, winner=None, counted=False)


def test_each_frame_is_the_picture_of_its_position() -> None:
    players = playing(GAME.caption)
    steps = list(GAME.steps())[:-1]

    for frame, (position, last) in zip(whole(), steps, strict=False):
        png = render(position, last=last, caption=players, aids=False, look=LOOK)
        assert shows(frame, png), position.plies


def test_a_turned_look_rotates_each_frame() -> None:
    reel = Reel.line(GAME.positions[0], GAME.moves[:3])
    frames = frames_of(animate(reel, look=Look(turned=True), width_px=WIDTH_PX))

    for frame, (position, last) in zip(frames, reel.steps(), strict=True):
        look = replace(LOOK, turned=True)
        png = render(position, last=last, caption=playing(Caption()), aids=False, look=look)
        assert shows(frame, png), position.plies


def test_the_last_frame_is_the_picture_of_the_end() -> None:
    caption = replace(GAME.caption, scores=GAME.scores)
    png = render(GAME.positions[-1], last=GAME.moves[-1], caption=caption, look=LOOK)

    assert shows(whole()[-1], png)


def test_the_towers_below_each_position_are_as_long_as_the_counts() -> None:
    panel = LAYOUT.height + HEAD_PX
    for frame, position in zip(whole()[49:PLAYED], GAME.positions[49:], strict=False):
        counts = [position.score(color) for color in Color]
        lengths = [
            tower(frame.image, panel + round(LAYOUT.half * at)) / LAYOUT.half for at in (0.72, 1.83)
        ]
        for count, length in zip(counts, lengths, strict=True):
            layer = min(0.5, 18 / max(counts))
            assert length == pytest.approx(count * layer + 0.36, abs=0.9), position.plies
    placing = whole()[20].image
    assert tower(placing, panel + LAYOUT.half) == 0, "none while pieces are placed"


def tower(image: Image.Image, y: int) -> int:
    """Return how far a tower reaches in a row of pixels."""
    left = round(LAYOUT.half * 0.8)
    row = [pixel(image, x, y) for x in range(left, WIDTH_PX)]
    gap = round(LAYOUT.half * 0.3)
    ends = (x for x in range(len(row)) if set(row[x : x + gap]) == {WOOD.cell})
    return next(ends)


def test_the_animation_pauses_at_events() -> None:
    shown = [frame.ms for frame in whole()]
    final = PLAYED - 1

    assert shown[0] == animation.FIRST_MS > animation.MOVE_MS
    assert shown[1:49] == [animation.PLACEMENT_MS] * 48
    for position, ms in zip(GAME.positions[49:final], shown[49:final], strict=True):
        happened = position.removed or position.passed
        assert ms == (animation.EVENT_MS if happened else animation.MOVE_MS)
    assert {animation.EVENT_MS, animation.MOVE_MS} <= set(shown[49:final])
    assert shown[final] == animation.BEFORE_END_MS
    assert len(shown) == PLAYED + 1
    assert shown[-1] == animation.LAST_MS == max(shown)


def test_a_pass_is_shown_longer() -> None:
    reel = Reel.line(Position.initial(), random_game(0))
    part = replace(reel, positions=reel.positions[88:], moves=reel.moves[88:])
    assert part.positions[1].passed
    assert not part.positions[1].removed

    assert frames_of(animate(part, width_px=WIDTH_PX))[1].ms == animation.EVENT_MS


def test_the_bar_fills_from_the_first_frame_to_the_last() -> None:
    filled = [bar(frame) for frame in whole()]

    assert filled[0] == 0
    assert filled == sorted(filled)
    assert filled[PLAYED // 2] == pytest.approx(0.5, abs=0.02)
    assert set(filled[PLAYED - 1 :]) == {1}


def test_it_begins_again() -> None:
    assert Image.open(BytesIO(animate(GAME, width_px=WIDTH_PX))).info["loop"] == 0


def in_docs() -> GameRecord:
    return GameRecord.from_text((ROOT / "docs" / "game.txt").read_text(encoding="utf-8"))


def longest() -> GameRecord:
    """Return the game with the largest file among 200, by players with the longest names."""
    names = {
        "White": "Maximilian_von_Hohenzollern_1871",
        "Black": "xX_TheDestroyerOfWorldsToCome_Xx",
    }
    return GameRecord(tuple(random_game(0)), names)


@pytest.mark.parametrize(("game", "moves"), [(in_docs, 80), (longest, 90)])
def test_a_whole_game_is_small(game: Callable[[], GameRecord], moves: int) -> None:
    record = game()

    gif = animate(record)

    assert Image.open(BytesIO(gif)).width == 720
    assert len(record.moves) == moves
    assert len(gif) <= 660 * 1024


def row(*indices: int) -> Image.Image:
    """Return a picture of one row of palette indices."""
    return Image.frombytes("L", (len(indices), 1), bytes(indices))


def test_short_unchanged_gaps_are_written() -> None:
    still = Image.new("L", (40, 7), 3)
    moved = still.copy()
    for x in (2, 4, 12, 21):  # gaps of 1, 7 and 8
        moved.paste(4, (x, 1, x + 1, 3))

    written = list(
        animation.patches(
            iter([animation.Shot(still, 10), animation.Shot(still, 20), animation.Shot(moved, 30)])
        )
    )

    assert [(patch.picture.size, patch.corner, patch.ms) for patch in written] == [
        ((40, 7), (0, 0), 10),
        ((1, 1), (0, 0), 20),
        ((20, 2), (2, 1), 30),
    ]
    line = [4, 3, 4, *7 * [3], 4, *8 * [255], 4]
    assert list(written[-1].picture.tobytes()) == 2 * line


def test_mostly_changed_frames_are_written_completely() -> None:
    before, after_it = row(*80 * [3]), row(*32 * [4], *16 * [3], *32 * [4])

    *_, patch = animation.patches(iter([animation.Shot(before, 10), animation.Shot(after_it, 10)]))

    assert patch.picture.tobytes() == after_it.tobytes()


def test_frames_similar_to_an_earlier_one_are_written_as_its_changes() -> None:
    pictures = [row(1, 1, 1, 1), row(2, 2, 2, 1), row(1, 1, 1, 2), row(2, 1, 1, 2)]
    asides = [False, True, False, False]
    taken = [animation.Shot(*item) for item in zip(pictures, 4 * [10], asides, strict=True)]

    written = list(animation.patches(iter(taken)))

    assert [list(patch.picture.tobytes()) for patch in written] == [
        [1, 1, 1, 1],
        [2, 2, 2],
        [2],
        [2],
    ]
    assert [patch.corner for patch in written] == [(0, 0), (0, 0), (3, 0), (0, 0)]
    assert [patch.disposal for patch in written] == [1, 3, 1, 1]


def test_a_part_of_a_game_that_runs_has_no_end() -> None:
    reel = Reel.line(after(WHITE_PASSES, 60).position, GAME.moves[:0])
    part = replace(GAME, positions=GAME.positions[49:60], moves=GAME.moves[49:59])

    frames = frames_of(animate(part, width_px=WIDTH_PX))

    assert len(frames) == 11
    assert frames[-1].ms == animation.LAST_MS
    players = playing(GAME.caption)
    png = render(part.positions[-1], last=part.moves[-1], caption=players, aids=False, look=LOOK)
    assert shows(frames[-1], png)
    assert frames[0].image.height == HEAD_PX + LAYOUT.height
    assert [frame.ms for frame in frames_of(animate(reel, width_px=WIDTH_PX))] == [
        animation.LAST_MS
    ]


def test_names_coordinates_and_the_end_come_from_the_record() -> None:
    headers = {"White": "Ann", "Black": "Bob", "Result": "0-1", "Termination": "resignation"}
    record = GameRecord(GAME.moves[:70], headers, Coordinates.PERGIOCO)
    caption = Caption(white="Ann", black="Bob", ending=Ending.RESIGNATION, winner=Color.BLACK)

    reel = Reel.from_record(record, first=49)

    assert reel.caption == caption
    assert (len(reel.positions), len(reel.moves)) == (22, 21)
    frames = frames_of(animate(reel, width_px=WIDTH_PX))
    position, last = reel.positions[-1], reel.moves[-1]
    pergioco = Coordinates.PERGIOCO
    end = replace(caption, scores=reel.scores)
    assert shows(
        frames[-1], render(position, coordinates=pergioco, last=last, caption=end, look=LOOK)
    )
    running = playing(caption)
    assert shows(
        frames[21],
        render(position, coordinates=pergioco, last=last, caption=running, aids=False, look=LOOK),
    )


def test_arguments_take_precedence_over_the_record() -> None:
    record = GameRecord(GAME.moves[:3], {"White": "Ann"})
    caption = Caption(white="Zoë")

    gif = animate(
        record,
        coordinates=Coordinates.PERGIOCO,
        caption=caption,
        look=Look(theme=WOOD),
        width_px=WIDTH_PX,
    )

    look = Look(theme=WOOD, width_px=WIDTH_PX)
    png = render(
        GAME.positions[0],
        coordinates=Coordinates.PERGIOCO,
        caption=playing(caption),
        aids=False,
        look=look,
    )
    assert shows(frames_of(gif)[0], png)


@pytest.mark.parametrize("result", ["1-0", "*"])
def test_an_unknown_end_is_ignored(result: str) -> None:
    headers = {"Result": result, "Termination": "earthquake" if result != "*" else "time"}
    record = GameRecord(GAME.moves[:60], headers)

    assert Reel.from_record(record).caption.ending is None


def test_an_index_beyond_a_games_moves_is_refused() -> None:
    record = GameRecord(GAME.moves[:3])

    assert len(Reel.from_record(record, first=3).positions) == 1
    for first in (-1, 4):
        with pytest.raises(ValueError, match="3 moves"):
            Reel.from_record(record, first=first)
    with pytest.raises(ValueError, match="not 100"):
        animate(record, width_px=100)

"""Contact sheets of every kind of picture, from real and extreme games, to be looked at by people.

`.venv/bin/python -m tests.renderer.contact_sheets FOLDER` writes PNGs, with each picture 400 pixels
wide and at full size. Pages need a browser: see tests/page.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageSequence

import renderer
from bot.base.languages import reader_for
from bot.play.words.pictures import look_of
from dvonn import Color, Position
from dvonn_lessons.primer import CHAPTERS
from renderer import Arrows, Caption, Ending, Look, Marks
from renderer.faces import FACES
from tests.games import positions_of, random_game
from tests.renderer.gallery import (
    CHARTED,
    CHARTS,
    CURVES,
    GALLERY,
    PROGRESS,
    STANDINGS,
    Shown,
    crosstable,
)
from tests.renderer.reviews import reviewed
from tests.renderer.seeing import picture
from tests.renderer.test_head import LANGUAGES, NAMES
from tests.renderer.test_standings_table import _table

PHONE: Final = 400
WIDE: Final = ("W" * 18, "W" * 18)
_GAP: Final = 8
_TITLE: Final = 14
Named = Iterator[tuple[str, Image.Image]]


def drawn(shown: Shown, look: Look, width_px: int = PHONE) -> Image.Image:
    return picture(shown.png(replace(look, width_px=width_px)))


def games() -> Iterator[tuple[str, Shown]]:
    """Yield positions of real games: ordinary ones, cuts, passes, and each kind of ending."""
    moves = random_game(5)
    positions = positions_of(moves)
    for ply in (0, 1, 12, 48, 50, 60, 70):
        caption = Caption(white="Ann", black="Bartholomew")
        yield f"ply {ply}", Shown(positions[ply], moves[ply - 1] if ply else None, caption=caption)
    cuts = [at for at, one in enumerate(positions) if len(one.removed) > 1]
    for at in cuts[:2]:
        yield (
            f"cut {at}",
            Shown(positions[at], moves[at - 1], caption=Caption(white="A", black="B")),
        )
    yield from GALLERY.items()
    scores = tuple(
        (position.score(Color.WHITE), position.score(Color.BLACK)) for position in positions[49:]
    )
    for ending in Ending:
        for winner in winners(ending):
            caption = Caption(
                white="Ann", black="Bob", ending=ending, winner=winner, scores=scores[:25]
            )
            yield f"{ending} {winner}", Shown(positions[74], moves[73], caption=caption)
    whole = Caption(white=WIDE[0], black=WIDE[1], scores=scores)
    yield "end", Shown(positions[-1], moves[-1], caption=whole)


def winners(ending: Ending) -> tuple[Color | None, ...]:
    """Return the possible winners of a game with that ending."""
    if ending is Ending.RESIGNATION:
        return (Color.BLACK,)
    return (Color.BLACK, None) if ending is Ending.TIME else (None,)


def heights() -> Shown:
    """Return a board with stacks of all heights that contain red pieces."""
    stacks = {"a1": "RWBW", "b1": "W", "c1": "RW" * 1, "d1": "BWBWBWBWBWR"[::-1][:11]}
    stacks |= {"e1": "W" * 2, "f1": "BB" * 6, "g1": "W" * 7, "h1": "B"}
    return Shown(Position.from_stacks(stacks, turn=Color.WHITE))


def boards(theme: str) -> Named:
    look = Look(theme=renderer.THEMES[theme])
    for name, shown in games():
        yield name, drawn(shown, look)
    yield "turned", drawn(GALLERY["melee"], replace(look, turned=True))
    yield "heights", drawn(heights(), look)
    for step in (step for chapter in CHAPTERS for step in chapter.steps):
        marks = Marks(step.stack, only_outlined=True) if step.stack else None
        shown = Shown(step.position, marks=marks)
        yield step.name, drawn(shown, look)
        better = replace(shown, marks=Arrows(better=step.solutions[0]))
        yield f"{step.name} better", drawn(better, look)


def full(theme: str) -> Named:
    for name in ("melee", "great-cut", "choice", "arrows-line", "end", "resigned", "heat"):
        yield name, drawn(GALLERY[name], Look(theme=renderer.THEMES[theme]), 1100)


def heads() -> Named:
    """Return header rows in all languages, with all kinds of names."""
    shown = [GALLERY["great-cut"], GALLERY["white-passes"], GALLERY["second-red"]]
    shown += [one for name, one in games() if name.startswith(tuple(Ending))]
    for language in LANGUAGES:
        look = look_of(reader_for(language))
        for white, black in NAMES:
            for number, one in enumerate(shown):
                caption = replace(one.caption, white=white, black=black, face=3)
                caption = replace(caption, machine=Color.BLACK if number % 2 else None)
                image = drawn(replace(one, caption=caption), look)
                yield f"{language} {white[:3]} {number}", image.crop((0, 0, PHONE, 26))


def charts(theme: str) -> Named:
    for width in (PHONE, 800):
        look = Look(theme=renderer.THEMES[theme], width_px=width)
        for name, (seed, caption, marked) in CHARTS.items():
            png = renderer.chart(reviewed(CHARTED, seed), caption=caption, marked=marked, look=look)
            yield f"{name} {width}", picture(png)
        yield f"progress {width}", picture(renderer.progress(1_200, PROGRESS, look=look))
        curves = renderer.rating_curves(CURVES, beaten=set(FACES) - {2, 9}, look=look)
        yield f"ratings {width}", picture(curves)
        yield f"standings {width}", picture(renderer.standings(STANDINGS, look=look))
        yield f"long {width}", picture(renderer.standings(_table(20, 9), look=look))
        yield f"crosstable {width}", picture(renderer.standings(crosstable(11, 2), look=look))
    yield "themes", picture(renderer.theme_sheet())


def film() -> Named:
    gif = renderer.animate(CHARTED, width_px=PHONE)
    (Path(sys.argv[1]) / "film.gif").write_bytes(gif)
    with Image.open(Path(sys.argv[1]) / "film.gif") as frames:
        for number, frame in enumerate(ImageSequence.Iterator(frames)):
            if number % 4 == 0 or number > len(CHARTED.moves) - 2:
                yield f"frame {number}", frame.convert("RGB")


def sheet(pictures: Named, across: int) -> Image.Image:
    """Arrange named pictures in rows."""
    found = list(pictures)
    width = max(image.width for _, image in found) + _GAP
    rows = [found[at : at + across] for at in range(0, len(found), across)]
    tall = [max(image.height for _, image in row) + _TITLE + _GAP for row in rows]
    whole = Image.new("RGB", (width * across, sum(tall)), (120, 120, 120))
    brush, top = ImageDraw.Draw(whole), 0
    for row, height in zip(rows, tall, strict=True):
        for column, (name, image) in enumerate(row):
            brush.text((column * width + 2, top), name, fill=(255, 255, 255))
            whole.paste(image, (column * width, top + _TITLE))
        top += height
    return whole


def main(folder: Path) -> None:
    """Write all sheets."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in renderer.THEMES:
        sheet(boards(theme), 5).save(folder / f"boards-{theme}.png")
        sheet(full(theme), 2).save(folder / f"full-{theme}.png")
        sheet(charts(theme), 3).save(folder / f"charts-{theme}.png")
    sheet(heads(), 4).save(folder / "heads.png")
    sheet(film(), 5).save(folder / "film.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Tests for PNG files: any library that compresses them gives the same pixels."""

import zlib
from importlib.util import find_spec
from io import BytesIO

import pytest
from PIL import Image

from renderer import ENGLISH, WOOD
from renderer import png as writer
from renderer.picture import painter_of
from renderer.png import in_chunks, png
from renderer.scene import Scene
from tests.renderer.gallery import GALLERY

FAST = "fast"


def drawn(name: str) -> tuple[Image.Image, bytes]:
    painter, shown = painter_of(WOOD, 1100), GALLERY[name]
    scene = Scene(shown.position, shown.coordinates, shown.last, shown.marks, shown.caption)
    return painter.frame(scene, ENGLISH), painter.palette.rgb


def colors(frame: Image.Image, palette: bytes) -> bytes:
    shown = frame.copy()
    shown.putpalette(palette)
    return shown.convert("RGB").tobytes()


@pytest.mark.parametrize("name", ["empty", "melee", "great-cut", "end"])
def test_every_way_writes_the_same_picture(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, palette = drawn(name)
    files = [png(frame, palette), in_chunks(frame, palette, zlib.compress)]
    monkeypatch.setattr(writer, FAST, None)
    files.append(png(frame, palette))

    for file in files:
        image = Image.open(BytesIO(file))
        image.verify()
        read = Image.open(BytesIO(file))
        assert (read.format, read.mode, read.size) == ("PNG", "P", frame.size)
        assert bytes(read.getpalette() or ()) == palette, "nobody looks which colors a frame uses"
        assert read.convert("RGB").tobytes() == colors(frame, palette)
        assert len(file) <= 76 * 1024


def test_the_fast_way_is_taken_where_it_is_installed() -> None:
    assert (getattr(writer, FAST) is None) == (find_spec("isal") is None)


def test_a_frame_is_the_same_after_it_was_written() -> None:
    frame, palette = drawn("melee")
    before = frame.tobytes()
    png(frame, palette)
    assert frame.mode == "L"
    assert frame.tobytes() == before

"""Fixtures that compare pictures with golden ones."""

import platform
from collections.abc import Callable
from pathlib import Path

import PIL
import pytest
from PIL import features

from tests.renderer.seeing import picture, side_by_side

GOLDEN = Path(__file__).parent / "golden"
OUTPUT = Path(__file__).resolve().parents[1] / "output"

# The library version that made the golden pictures renders the same pixels again, so every change
# is found. Other versions differ in soft edges. With them, a picture fails if more than a number of
# pixels differ by at least this much (of 255, in the worst channel).
DRAWN_WITH = GOLDEN / "drawn-with.txt"
PIXEL_TOLERANCE = 40
SHARE_TOLERANCE = 0.0005


def draws() -> str:
    """Return the version of the library that renders text here."""
    fonts = features.version("freetype2")
    return f"Pillow {PIL.__version__}, FreeType {fonts}, {platform.system()} {platform.machine()}\n"


@pytest.fixture
def same_as_golden(request: pytest.FixtureRequest) -> Callable[[str, bytes], None]:
    """Return a check that a PNG looks like the golden one of that name.

    If the check fails, it leaves pictures behind.
    """

    def check(name: str, drawn: bytes) -> None:
        path = GOLDEN / f"{name}.png"
        if request.config.getoption("--update-golden"):
            path.write_bytes(drawn)
            DRAWN_WITH.write_text(draws(), encoding="utf-8")
            return
        assert path.exists(), f"no golden picture {path.name} yet: run pytest with --update-golden"
        expected, actual = picture(path.read_bytes()), picture(drawn)
        assert actual.size == expected.size, f"{name} is {actual.size}, golden {expected.size}"
        is_exact = DRAWN_WITH.read_text(encoding="utf-8") == draws()
        sheet, share = side_by_side(expected, actual, 1 if is_exact else PIXEL_TOLERANCE)
        if share > (0 if is_exact else SHARE_TOLERANCE):
            OUTPUT.mkdir(exist_ok=True)
            report = OUTPUT / f"{name}.png"
            sheet.save(report)
            pytest.fail(
                f"{name}: {share:.2%} of the pixels differ. See {report}, from top to bottom: "
                "golden, drawn, difference. If the new picture is meant: --update-golden"
            )

    return check

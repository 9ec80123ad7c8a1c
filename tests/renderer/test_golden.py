"""Pictures compared with ones that were looked at and found good."""

from collections.abc import Callable

import pytest

from renderer import render
from tests.renderer.conftest import GOLDEN
from tests.renderer.gallery import GALLERY


@pytest.mark.parametrize("name", GALLERY)
def test_pictures_look_as_they_did(name: str, same_as_golden: Callable[[str, bytes], None]) -> None:
    shown = GALLERY[name]

    same_as_golden(
        name,
        render(
            shown.position,
            coordinates=shown.coordinates,
            last=shown.last,
            marks=shown.marks,
            width_px=shown.width_px,
        ),
    )


def test_no_golden_picture_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(GALLERY)


def test_the_golden_pictures_stay_small() -> None:
    assert sum(path.stat().st_size for path in GOLDEN.glob("*.png")) < 700 * 1024

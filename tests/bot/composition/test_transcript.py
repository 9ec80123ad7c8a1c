"""Tests that no text and no button has changed."""

import pytest

from tests.bot.composition.transcript import (
    functions,
    keep,
    kept_features,
    stored_transcript,
    transcript,
)


@pytest.mark.parametrize("feature", functions())
def test_no_text_has_changed(feature: str, request: pytest.FixtureRequest) -> None:
    """If a change is intended, run this with --update-golden, and read the difference."""
    said = transcript(feature)
    if request.config.getoption("--update-golden"):
        keep(feature, said)
    assert said.splitlines() == stored_transcript(feature).splitlines()


def test_no_part_is_left_over() -> None:
    assert kept_features() == set(functions())

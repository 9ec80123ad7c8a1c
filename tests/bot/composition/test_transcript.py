"""Tests that everything said is what it was: sentences, and what buttons and lists do."""

import pytest

from tests.bot.composition.transcript import SAID_FOLDER, functions, transcript


@pytest.mark.parametrize("feature", functions())
def test_everything_is_said_as_before(feature: str, request: pytest.FixtureRequest) -> None:
    """Where another sentence is meant, run this with --update-golden, and read the difference."""
    kept, said = SAID_FOLDER / f"{feature}.txt", transcript(feature)
    if request.config.getoption("--update-golden"):
        SAID_FOLDER.mkdir(exist_ok=True)
        kept.write_text(said, encoding="utf-8")
    assert said.splitlines() == kept.read_text(encoding="utf-8").splitlines()


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in SAID_FOLDER.glob("*")} == set(functions())

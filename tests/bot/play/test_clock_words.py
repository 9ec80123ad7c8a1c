"""Clocks in words: in a challenge, on the first board, and as choices."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.base.ids import ChallengeId, ChannelId, GuildId
from bot.base.locales import IN_ENGLISH
from bot.play.model.clock import TimeControl
from bot.play.model.events import Started
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    Defaults,
    Place,
)
from bot.play.words.boards import board
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.clocks import clock_choices
from bot.play.words.durations import control
from dvonn import Coordinates
from tests.bot.replayed import ANN, BOB, A, B, fresh, play, step


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("none", "no clock"),
        ("15m", "15 minutes each, live"),
        ("10m+5s", "10 minutes + 5 seconds per move, live"),
        ("1h", "1 hour each for the whole game"),
        ("14d", "14 days each for the whole game"),
        ("1d+1d/1d", "1 day per move"),
        ("3d+1d/3d", "3 days + 1 day per move (max 3 days)"),
        ("3d+90m", "3 days + 90 minutes per move"),
        ("10d+36h/10d", "10 days + 36 hours per move (max 10 days)"),
        (
            "3d+1d/3d~Europe/Berlin",
            "3 days + 1 day per move (max 3 days); paused at weekends (Europe/Berlin)",
        ),
    ],
)
def test_a_control_in_words(text: str, words: str) -> None:
    assert control(IN_ENGLISH, TimeControl.from_text(text)) == words


def challenge(clock: TimeControl | None) -> str:
    terms = ChallengeTerms(
        guild=GuildId(1),
        channel=ChannelId(2),
        challenger=ANN,
        opponent=BOB,
        colour=ColourChoice.WHITE,
        coordinates=Coordinates.STANDARD,
        clock=clock,
        place=Place.HERE,
    )
    row = ChallengeRow(
        id=ChallengeId(3),
        terms=terms,
        state=ChallengeState.OPEN,
        game=None,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    return challenge_post(IN_ENGLISH, row).content


def test_a_challenge_tells_its_clock() -> None:
    line = "\nClock: 3 days + 1 day per move (max 3 days)."
    assert challenge(TimeControl.from_text("3d+1d/3d")) == challenge(None) + line


def test_the_first_board_tells_the_clock_and_the_second_does_not() -> None:
    game = fresh()
    game = replace(game, row=replace(game.row, clock=TimeControl.from_text("15m")))
    game, update = step(game, Started(), BOB)
    assert board(IN_ENGLISH, update).content.startswith(
        f"{A}, your turn.\nWhite: {A}. Black: {B}.\nClock: 15 minutes each, live.\n"
    )
    _, (second,) = play(game, "d2")
    assert "Clock:" not in board(IN_ENGLISH, second).content


# Choices


def offered(typed: str) -> dict[str, str]:
    return {option.label: option.value for option in clock_choices(IN_ENGLISH, typed)}


def test_at_first_the_presets_are_offered() -> None:
    assert offered("") == {
        "1 day per move": "1 day per move",
        "3 days per move": "3 days per move",
        "10+5: 10 minutes + 5 seconds per move, live": "10+5",
        "15+10: 15 minutes + 10 seconds per move, live": "15+10",
        "none: no clock": "none",
        "7 days per move": "7 days per move",
        "3 days + 1 day: 3 days + 1 day per move (max 3 days)": "3 days + 1 day",
        "240 hours + 36 hours: 10 days + 36 hours per move (max 10 days)": "240 hours + 36 hours",
        "15 minutes: 15 minutes each, live": "15 minutes",
    }


def test_what_is_usual_in_a_server_comes_first() -> None:
    usual = Defaults(clock=TimeControl.from_text("2d+2d/2d"))
    first = clock_choices(IN_ENGLISH, " ", usual)[0]
    assert (first.label, first.value) == ("2 days per move (usual in this server)", "2d+2d/2d")
    assert clock_choices(IN_ENGLISH, "10", usual) == clock_choices(IN_ENGLISH, "10")
    assert clock_choices(IN_ENGLISH, "", Defaults()) == clock_choices(IN_ENGLISH, "")


def test_what_is_typed_is_explained_as_soon_as_it_can_be_read() -> None:
    assert offered("2w + 12h") == {
        "2w + 12h: 14 days + 12 hours per move (max 14 days)": "2w + 12h"
    }
    assert list(offered("10").values()) == ["10+5", "15+10"]
    assert list(offered("10+5").values()) == ["10+5"]
    assert list(offered("10 minutes").values()) == ["10 minutes"]
    assert offered("2w + ") == {}


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "1d 1h 1m + 1d 1h 1m up to 2d 2h 2m",
        "61d" + " " * 200,
        "x" * 4_000,
        "1" * 100,
        "9" * 99 + "d",
    ],
)
def test_whatever_is_typed_the_choices_are_within_discords_limits(typed: str) -> None:
    for option in clock_choices(IN_ENGLISH, typed):
        assert 1 <= len(option.label) <= 100
        assert 1 <= len(option.value) <= 100

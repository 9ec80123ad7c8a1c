"""Tests that the length of every text is checked before it is parsed, and that parsing is fast."""

import sys
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from types import FrameType
from typing import Any, cast

import pytest

from bot.base import spelling, zones
from bot.base.zones import UnknownZone
from bot.people.model import BadTime
from bot.people.use_cases import choices as preferences
from bot.play.model import typed, typed_clocks
from bot.play.model.refusals import BadClock, BadList
from dvonn import Coordinates, Position

BOT = 1_090_000_000_000_000_000
MENTION = f"<@{BOT}>"
NAMES = spelling.BotNames(BOT)


class Unread:
    """A text that fails the test if anything except its length is read."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> str:
        return "?" * int(part.stop)  # the start, as quoted in an error


def unread(length: int) -> str:
    return cast(str, Unread(length))


@pytest.mark.parametrize("length", [4_000, 6_000, 10**9])
def test_texts_that_are_too_long_are_refused_unread(length: int) -> None:
    text, start = unread(length), Position.initial()
    assert spelling.meaning(text, NAMES) == (spelling.Meaning.TALK, "")
    assert spelling.without_mention(text, NAMES) is text
    assert not spelling.looks_like_a_move(text)
    assert typed.narrow(text, start.legal_moves(), Coordinates.STANDARD) == []
    assert spelling.without_courtesies(text) is text
    assert spelling.move_among_courtesies(text, Coordinates.STANDARD) is None
    assert spelling.moves_among_words(text, start, Coordinates.STANDARD) == ()
    assert not spelling.may_contain_move(text)
    assert zones.suggest_zones(text, 25) == []
    refusing: list[tuple[type[Exception], Callable[[], object]]] = [
        (BadList, lambda: typed.read_entry(text, Coordinates.STANDARD, start)),
        (BadList, lambda: typed.read_typed(text, Coordinates.STANDARD, start)),
        (BadList, lambda: typed.read_plan(text, Coordinates.STANDARD, start)),
        (BadTime, lambda: preferences.read_time(text)),
        (BadClock, lambda: typed_clocks.read_time_control(text, None)),
        (UnknownZone, lambda: zones.read_zone(text)),
    ]
    for refusal, read in refusing:
        with pytest.raises(refusal):
            read()


def test_other_languages_make_no_text_longer() -> None:
    text = f"{MENTION} " + "a1 a b1 " * 90
    assert len(text) <= spelling.LONGEST_CALL
    assert len(spelling.plain(text)) <= len(text)
    # it is still short enough to be read
    assert spelling.meaning(text, NAMES)[1].startswith("a1-b1")


def steps(work: Callable[[], object], file: str | None) -> int:
    """Return how many lines of a file are executed by a call."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line" and frame.f_code.co_filename == file
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "part", [" ", ", ", f"{MENTION} ", MENTION, f"{MENTION}<@!{BOT}>,", "<@", "\u2003:"]
)
@pytest.mark.parametrize("behind", ["", "x", "d2-d4!"])
def test_mentions_are_taken_off_step_by_step(part: str, behind: str) -> None:
    """Check that twice the length takes at most twice the steps."""
    took = []
    for length in (100, 200, 400, 800):
        text = (part * length)[: length - len(behind)] + behind
        took.append(steps(partial(spelling.meaning, text, NAMES), spelling.__file__))
    assert all(later <= 2 * sooner + 60 for sooner, later in pairwise(took)), took


@pytest.mark.parametrize("part", [" ", "!", "ok ", " gg", "thanks, ", ":) ", "お願いします", "- "])
@pytest.mark.parametrize("middle", ["", "x", "d2-d4"])
def test_courtesies_are_taken_off_step_by_step(part: str, middle: str) -> None:
    """Check that twice the length takes at most about twice the steps."""
    took = []
    for count in (5, 10, 20):
        text = part * count + middle + part * count
        work = partial(spelling.without_courtesies, text)
        took.append(steps(work, spelling.__file__))
    assert all(later <= 2 * sooner + 60 for sooner, later in pairwise(took)), took

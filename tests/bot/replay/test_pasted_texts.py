"""Tests for the rate limit for pasted texts, and for parsing them outside the event loop."""

import threading
from datetime import UTC, datetime, timedelta

import pytest

from bot.base.ids import UserId
from bot.play.model.refused_starts import TooSoon
from bot.replay.model import pasted
from bot.replay.use_cases import pasted_texts
from bot.replay.use_cases.pasted_texts import BURST, PACE, PastedTexts

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANN, BOB = UserId(1), UserId(2)


class Hour:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


async def test_a_person_pastes_some_texts_at_once_and_then_at_a_pace() -> None:
    hour = Hour()
    texts = PastedTexts(now=hour)
    for _ in range(BURST):
        await texts.read("d2 c3", ANN)
    with pytest.raises(TooSoon) as caught:
        await texts.read("d2 c3", ANN)
    assert caught.value.wait == PACE
    await texts.read("d2 c3", BOB)
    hour.now += PACE
    await texts.read("d2 c3", ANN)
    with pytest.raises(TooSoon):
        await texts.read("d2 c3", ANN)
    hour.now += PACE * BURST
    for _ in range(BURST):
        await texts.read("d2 c3", ANN)


async def test_limits_are_remembered_only_while_they_apply() -> None:
    hour = Hour()
    texts = PastedTexts(now=hour)
    for number in range(pasted_texts._MAX_PEOPLE):
        texts._check_pace(UserId(number))
    hour.now += PACE + timedelta(seconds=1)
    texts._check_pace(ANN)
    assert len(texts._paused_at) == pasted_texts._MAX_PEOPLE
    texts._check_pace(UserId(pasted_texts._MAX_PEOPLE))
    assert set(texts._paused_at) == {ANN, UserId(pasted_texts._MAX_PEOPLE)}


async def test_a_text_is_read_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def record_thread(*_: object) -> None:
        threads.append(threading.get_ident())

    monkeypatch.setattr(pasted, "read", record_thread)
    await PastedTexts(now=Hour()).read("d2 c3", ANN)
    assert len(threads) == 1
    assert threads != [threading.get_ident()]

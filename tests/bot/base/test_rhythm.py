"""Tests for the intervals between periodic checks."""

from dataclasses import asdict
from datetime import timedelta

from bot.base.rhythm import EVERYDAY


def test_a_bot_checks_as_often_as_its_documents_say() -> None:
    assert asdict(EVERYDAY) == {
        "clocks": timedelta(seconds=1),
        "deliveries": timedelta(seconds=2),
        "absences": timedelta(seconds=2),
        "dailies": timedelta(seconds=5),
        "reception": timedelta(seconds=30),
        "second_bots": timedelta(seconds=10),
        "expiries": timedelta(minutes=10),
        "retention": timedelta(hours=1),
    }

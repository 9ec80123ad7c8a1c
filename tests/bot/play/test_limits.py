"""Tests for the time limit on a board, and for when it must be corrected."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.play.model.limits import UNKNOWN_LIMIT, Limit
from bot.play.model.pauses import Pause, PauseReason

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
AWAY = Pause(begins=NOON, ends=NOON + DAY, reason=PauseReason.VACATION)
STOPPED = Pause(begins=NOON, ends=NOON + DAY, reason=PauseReason.STOPPED)
LONGER = Pause(begins=NOON, ends=NOON + 2 * DAY, reason=PauseReason.VACATION)


@pytest.mark.parametrize(
    ("told", "true", "of_days", "of_live"),
    [
        (Limit(NOON), Limit(NOON), True, True),
        (Limit(NOON), Limit(NOON + SECOND), True, True),
        (Limit(NOON), Limit(NOON + 59 * SECOND), True, False),
        (Limit(NOON), Limit(NOON - 60 * SECOND), False, False),
        (Limit(NOON), Limit(None), False, False),
        (Limit(None), Limit(None), True, True),
        (Limit(NOON), Limit(NOON, AWAY), False, False),
        (Limit(NOON, AWAY), Limit(NOON, AWAY), True, True),
        (Limit(NOON, AWAY), Limit(NOON, STOPPED), False, False),
        (Limit(NOON, AWAY), Limit(NOON, LONGER), False, False),
    ],
)
def test_a_board_is_wrong_by_a_minute_or_more_and_a_live_one_by_two_seconds(
    told: Limit, true: Limit, of_days: bool, of_live: bool
) -> None:
    assert true.is_shown_by(told.data, live=False) is of_days
    assert true.is_shown_by(told.data, live=True) is of_live


def test_a_board_with_an_unknown_limit_needs_a_correction() -> None:
    assert not Limit(NOON).is_shown_by(UNKNOWN_LIMIT, live=False)
    assert not Limit(None).is_shown_by(UNKNOWN_LIMIT, live=False)

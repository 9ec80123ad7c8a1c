"""Tests for the limits on how often and how much one person is answered."""

from datetime import UTC, datetime, timedelta

from bot.connection.bounded_cache import ConcurrencyLimit, Cooldown

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def test_explanations_are_repeated_only_after_a_while_and_per_person() -> None:
    said: Cooldown[str] = Cooldown(MINUTE)
    assert said.allows("Ann", NOON)
    assert not said.allows("Ann", NOON + MINUTE)
    assert said.allows("Bob", NOON)
    later = NOON + MINUTE * 1.1
    assert not said.allows("Ann", later, may_repeat=False)
    assert said.allows("Ann", later), "a question in vain puts nothing off"
    assert not said.allows("Ann", later + MINUTE)


def test_one_persons_work_is_limited_at_a_time() -> None:
    going_on: ConcurrencyLimit[str] = ConcurrencyLimit(2)
    with going_on.slot("Ann") as first, going_on.slot("Ann") as second:
        with going_on.slot("Ann") as third, going_on.slot("Bob") as of_another:
            assert (first, second, third, of_another) == (True, True, False, True)
        with going_on.slot("Ann") as still:
            assert not still
    for _ in range(3):
        with going_on.slot("Ann") as is_new:
            assert is_new


def test_each_leaver_makes_room_for_one() -> None:
    going_on: ConcurrencyLimit[str] = ConcurrencyLimit(2)
    with going_on.slot("Ann"):
        with going_on.slot("Ann"):
            pass
        with going_on.slot("Ann") as second, going_on.slot("Ann") as third:
            assert (second, third) == (True, False)

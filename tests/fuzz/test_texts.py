"""Tests for a short run of `python -m tests.fuzz.texts`."""

from tests.e2e.loop_steps import MOST_CALLS, calls
from tests.fuzz.texts import fuzz
from tests.tiers import share_of


def test_whatever_is_typed_only_the_readers_own_errors_come_back() -> None:
    count = share_of(20_000)
    with calls() as spent:
        readers, faults = fuzz(count, 8, spent)

    assert faults == []
    assert sum(reader.outcomes.total() for reader in readers) == count
    for reader in readers:  # neither always valid nor always invalid
        assert reader.outcomes["read"] > 0, reader.name
        assert reader.most < MOST_CALLS, (reader.name, reader.slowest)
        assert not reader.refuses or reader.outcomes.total() > reader.outcomes["read"]

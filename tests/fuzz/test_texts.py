"""The short form of `python -m tests.fuzz.texts`."""

from tests.fuzz.texts import fuzz


def test_whatever_is_typed_only_the_readers_own_errors_come_back() -> None:
    readers, faults = fuzz(20_000, seed=7)

    assert faults == []
    assert sum(reader.outcomes.total() for reader in readers) == 20_000
    for reader in readers:  # neither always nonsense nor always sense
        assert reader.outcomes["read"] > 5, reader.name
        assert not reader.refuses or reader.outcomes.total() > reader.outcomes["read"] + 5

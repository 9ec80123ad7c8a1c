"""Tests for nonces, which let Discord recognize a board that is sent twice."""

from dataclasses import replace

import pytest

from bot.base.ids import GameId, Revision, SourceId
from bot.play.delivery.boards import nonce_of
from bot.play.game_changes import GameUpdate
from tests.bot.replayed import play, started

UPDATE = play(started(), "d2", "e3")[1][-1]


def after(update: GameUpdate, **changes: object) -> GameUpdate:
    """The update of another event at the same time."""
    (told,) = update.events
    event = replace(told.event, **changes)  # type: ignore[arg-type]
    return replace(update, events=(replace(told, event=event),))


@pytest.mark.parametrize(
    "changes", [{"source": SourceId(1 << 62)}, {"source": None}, {"revision": Revision(9)}]
)
def test_moves_replayed_after_a_restore_have_another_nonce(
    changes: dict[str, object],
) -> None:
    assert nonce_of(after(UPDATE, **changes)) != nonce_of(UPDATE)
    assert nonce_of(after(UPDATE)) == nonce_of(UPDATE)


def test_there_is_room_for_it() -> None:
    largest = {"game": GameId(10**10), "revision": Revision(999), "source": SourceId((1 << 63) - 1)}
    assert len(f"{nonce_of(after(UPDATE, **largest))}-a") <= 25

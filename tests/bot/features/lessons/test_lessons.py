"""How far people have come with the lessons, in the database."""

from datetime import timedelta

from bot.features.lessons.store import LessonTable
from bot.features.lessons.use_cases import next_step
from bot.play.store.tables import Store
from dvonn.primer import STEPS, find
from tests.bot.conftest import Clock
from tests.bot.replayed import ANN, BOB


async def test_progress_is_kept_shown_to_its_owner_and_deleted(store: Store, clock: Clock) -> None:
    began = clock()
    lessons = store.of(LessonTable)
    await lessons.add(ANN, "pair", at=began)
    await lessons.add(ANN, "place", at=began + timedelta(minutes=1))
    await lessons.add(ANN, "pair", at=began + timedelta(minutes=2))  # once more changes nothing
    await lessons.add(BOB, "end", at=began)
    assert await lessons.of(ANN) == {"pair": began, "place": began + timedelta(minutes=1)}
    assert (await store.privacy.export(ANN))["lessons"] == [
        {"player_id": ANN, "step": "pair", "solved_at": began},
        {"player_id": ANN, "step": "place", "solved_at": began + timedelta(minutes=1)},
    ]
    await store.privacy.erase(ANN, at=began)
    assert (await store.privacy.export(ANN))["lessons"] == []
    assert await lessons.of(BOB) == {"end": began}


def test_one_goes_on_behind_what_one_has_solved_and_comes_back_to_what_is_left() -> None:
    names = [step.name for step in STEPS]
    assert next_step(frozenset()) == STEPS[0]
    assert next_step(frozenset({"place", "single"})) == find("pair")
    assert next_step(frozenset({"jump"})) == find("surrounded")
    assert next_step(frozenset(names[1:])) == STEPS[0]
    assert next_step(frozenset({*names, "of an older bot"})) is None

"""Tests that long-lived objects are frozen for the garbage collector, and released in time."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from bot.base.garbage_collection import collect_often, freeze_objects
from bot.base.metrics import REGISTRY
from bot.client.client import BotClient


class _Knot:
    """An object that refers to itself, so that only the garbage collector can free it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Unfreeze all objects for a test, and freeze them again for the others."""
    threshold = gc.get_threshold()
    gc.unfreeze()
    yield
    gc.freeze()
    gc.set_threshold(*threshold)


def test_the_collector_ignores_frozen_objects() -> None:
    freeze_objects()
    lasting = gc.get_freeze_count()
    assert lasting > 10_000
    assert len(gc.get_objects()) < lasting
    told = REGISTRY.get_sample_value("dvonn_lasting_objects")
    assert told == pytest.approx(lasting, abs=100)  # some may be freed in between


def test_removed_dependencies_are_uninstalled_next_time() -> None:
    knot = _Knot()
    gone = ref(knot)
    freeze_objects()
    del knot
    gc.collect()
    assert gone() is not None  # because no collection has run
    freeze_objects()
    assert gone() is None


async def test_work_starts_once_all_servers_are_known() -> None:
    await BotClient.on_ready(object.__new__(BotClient))
    assert gc.get_freeze_count() > 0


def test_the_first_portion_is_not_all_objects_of_imported_modules() -> None:
    gc.unfreeze()
    collect_often()
    assert len(gc.get_objects()) < 1_000 < gc.get_freeze_count()


def test_garbage_of_requests_is_freed_in_small_portions() -> None:
    collect_often()
    assert gc.isenabled()
    young, middle, old = gc.get_threshold()
    assert (young, middle) == (700, 10)
    assert old > 100  # no full collection before the startup objects are frozen
    freeze_objects()
    assert gc.get_threshold() == (700, 10, 3)

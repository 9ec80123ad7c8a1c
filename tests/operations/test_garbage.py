"""Garbage is looked for in what is new only; what stopped being of use later goes as well."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.edge.client import DvonnClient


class Circle:
    """Points to itself, so that only a look for garbage finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """What the other tests know is garbage some day."""
    yield
    gc.unfreeze()


async def ready() -> None:
    """Discord has told of all servers."""
    await DvonnClient.on_ready(object.__new__(DvonnClient))


async def test_what_is_known_when_all_is_ready_is_not_looked_through_again() -> None:
    circle = Circle()
    await ready()
    known, is_there = id(circle), weakref.ref(circle)
    del circle
    gc.collect()
    assert is_there() is not None
    assert known not in {id(one) for one in gc.get_objects()}


async def test_what_a_session_knew_goes_with_the_next_one() -> None:
    circle = Circle()
    await ready()
    is_there = weakref.ref(circle)
    del circle
    await ready()
    assert is_there() is None


async def test_what_comes_later_is_looked_through() -> None:
    await ready()
    circle = Circle()
    is_there = weakref.ref(circle)
    del circle
    gc.collect()
    assert is_there() is None

import copy
import dataclasses
import pickle
from collections.abc import Callable

import pytest

from dvonn import Estimate, Motif
from dvonn._rules.frozen import Value
from dvonn_lessons.primer import KeepAll, Silence

EVEN = Estimate(win_probability=0.5, margin=(-1.0, 1.0), exact=False)
WON = Estimate(win_probability=1.0, margin=(4.0, 4.0), exact=True)


def test_values_are_equal_where_all_fields_are() -> None:
    again = Estimate(exact=False, margin=(-1.0, 1.0), win_probability=0.5)
    assert again == EVEN
    assert len({EVEN, again, WON}) == 2
    assert Silence() == Silence() != KeepAll()
    assert repr(WON) == "Estimate(win_probability=1.0, margin=(4.0, 4.0), exact=True)"


def test_values_survive_copies_and_pickles_and_dataclass_functions() -> None:
    assert pickle.loads(pickle.dumps(EVEN)) == copy.deepcopy(EVEN) == EVEN  # noqa: S301 - our own
    changed = EVEN.replace(exact=True)
    assert changed == dataclasses.replace(EVEN, exact=True) != EVEN
    assert dataclasses.asdict(changed) == changed.as_dict()
    assert dataclasses.replace(Few(one=2), one=3) == Few(3)


def test_fields_are_never_set_again() -> None:
    with pytest.raises(AttributeError, match="'exact' of Estimate never changes"):
        EVEN.exact = True  # type: ignore[misc]  # what the test is about
    with pytest.raises(AttributeError, match="never changes"):
        del EVEN.exact
    assert not EVEN.exact


class Few(Value):
    one: int
    other: Motif = Motif.TAKEN


MISTAKES = {
    "Few lacks 'one'": Few,
    "Few has no 'none'": lambda: Few(1, none=2),  # type: ignore[call-arg]
    "Few got too many arguments": lambda: Few(1, one=2),  # type: ignore[misc]
    "Estimate got too many arguments": lambda: Estimate(0.5),  # type: ignore[call-arg]
}


@pytest.mark.parametrize("make", MISTAKES.values(), ids=MISTAKES)
def test_fields_are_given_once_each(
    make: Callable[[], Value], request: pytest.FixtureRequest
) -> None:
    with pytest.raises(TypeError, match=request.node.callspec.id):
        make()

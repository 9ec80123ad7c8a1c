"""Tests for compiling functions, which delays a first start."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from numba.core import types

from dvonn.engine.moves import key


def test_constants_that_are_handed_over_make_no_functions_of_their_own() -> None:
    for kind in (0, 4):
        key.compile((types.int64, types.int64, types.literal(kind)))  # type: ignore[attr-defined]  # a dispatcher of numba

    assert key.signatures == [(types.int64, types.int64, types.int64)]  # type: ignore[attr-defined]

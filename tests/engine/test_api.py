"""Tests for the package's API, also if numba is missing or can't write."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from dvonn import Phase, Position, engine
from dvonn.engine import EngineMissingError, analyse, choose
from dvonn.machine import LEVELS
from tests.games import positions_of, random_game

Ask = Callable[[], object]

ROOT = Path(__file__).resolve().parents[2]
POSITIONS = positions_of(random_game(4))

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from dvonn import Position
from dvonn.engine import EngineMissingError, analyse, choose
assert not {"numpy", "llvmlite"} & set(sys.modules)
for ask in (lambda p: choose(p, level=12), analyse):
    try:
        ask(Position.initial())
    except EngineMissingError as error:
        print(error)
"""


def run(program: str, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_without_numba_it_says_so_when_it_is_asked() -> None:
    words = " ".join(run(WITHOUT_NUMBA))
    assert words.count("the machine player needs numba: python -m pip install numba numpy") == 2


def test_the_error_names_the_package_in_another_process_too() -> None:
    sent = pickle.dumps(EngineMissingError("numpy"))
    received = pickle.loads(sent)  # noqa: S301 - it is our own
    assert received.package == "numpy"
    assert repr(received) == "EngineMissingError('numpy')"


ASKED = (partial(choose, Position.initial(), level=1), partial(analyse, Position.initial()))


@pytest.mark.parametrize("ask", ASKED, ids=["choose", "analyse"])
class TestWithoutIt:
    @pytest.fixture
    def missing(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
        """Make our modules fail as if a module of that name were missing."""

        def hide(name: str | None) -> None:
            class Hiding(MetaPathFinder):
                def find_spec(self, fullname: str, *_: object) -> None:
                    if fullname in {"dvonn.engine.player", "dvonn.engine.analysis"}:
                        raise ModuleNotFoundError(name=name)

            for ours in ("player", "analysis"):
                monkeypatch.delitem(sys.modules, f"dvonn.engine.{ours}", raising=False)
                monkeypatch.delattr(engine, ours, raising=False)
            monkeypatch.setattr(sys, "meta_path", [Hiding(), *sys.meta_path])

        return hide

    @pytest.mark.parametrize("name", ["numba", "numba.core.types", "numpy", "llvmlite.ir"])
    def test_the_missing_package_is_named(
        self, ask: Ask, name: str, missing: Callable[[str | None], None]
    ) -> None:
        missing(name)
        with pytest.raises(EngineMissingError) as told:
            ask()
        assert told.value.package == name.partition(".")[0]

    @pytest.mark.parametrize("name", ["scipy", "dvonn.engine.numba", None])
    def test_other_missing_modules_are_bugs(
        self, ask: Ask, name: str | None, missing: Callable[[str | None], None]
    ) -> None:
        missing(name)
        with pytest.raises(ModuleNotFoundError) as told:
            ask()
        assert told.value.name == name


class TestWithNumba:
    @pytest.fixture(autouse=True)
    def _numba(self) -> None:
        pytest.importorskip("numba", reason="the extra `engine` is not installed")

    def test_analyse(self) -> None:
        middle = POSITIONS[60]
        told = analyse(middle)
        assert told == analyse(middle, nodes=300_000, lines=3)
        assert told.nodes > analyse(middle, nodes=10_000, lines=1).nodes
        assert len(analyse(middle, nodes=10_000, lines=1).lines) == 1

    def test_choose(self) -> None:
        for ply in (0, 20, 55):
            move = choose(POSITIONS[ply], level=2, seed=1)
            assert move in POSITIONS[ply].legal_moves()
            assert choose(POSITIONS[ply], level=2, seed=1) == move
        seeds: tuple[dict[str, int], ...] = ({}, {"seed": 0}, {"seed": 1})
        first, second, other = (
            [choose(position, level=1, **seed) for position in POSITIONS[50:70]] for seed in seeds
        )
        assert first == second != other
        assert POSITIONS[-1].phase is Phase.OVER
        with pytest.raises(ValueError, match="over"):
            choose(POSITIONS[-1], level=2)

    def test_time_ends_a_search_before_its_nodes(self) -> None:
        # Without the limit this would take days.
        told = analyse(POSITIONS[55], nodes=10**14, seconds=0.2)
        assert len(told.lines) == 3
        assert told.nodes < 10**12
        move = choose(POSITIONS[55], level=LEVELS[-1], seconds=0.01)
        assert move in POSITIONS[55].legal_moves()

    def test_enough_time_changes_nothing(self) -> None:
        assert analyse(POSITIONS[60], nodes=5_000, seconds=600) == analyse(
            POSITIONS[60], nodes=5_000
        )
        assert choose(POSITIONS[60], level=3, seconds=600) == choose(POSITIONS[60], level=3)

    @pytest.mark.parametrize("seconds", [0, -1.0])
    def test_no_time_is_refused(self, seconds: float) -> None:
        with pytest.raises(ValueError, match="seconds"):
            analyse(POSITIONS[60], seconds=seconds)
        with pytest.raises(ValueError, match="seconds"):
            choose(POSITIONS[60], level=1, seconds=seconds)

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest

import dvonn


def test_all_names_exactly_what_the_package_offers() -> None:
    assert all(getattr(dvonn, name) is not None for name in dvonn.__all__)  # some load now
    offered = {
        name
        for name, value in vars(dvonn).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }
    assert sorted(dvonn.__all__) == sorted(offered)


def test_the_docstring_example_holds() -> None:
    result = doctest.testmod(dvonn)
    assert result.attempted > 0
    assert result.failed == 0


def test_what_it_does_not_offer_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'dvonn' has no attribute 'chess'"):
        dvonn.chess  # type: ignore[attr-defined] # noqa: B018


LOADING = """
import json, sys
calls = 0
def count(frame, event, argument):
    global calls
    calls += event == "call"
before = set(sys.modules)
sys.setprofile(count)
import dvonn
sys.setprofile(None)
print(json.dumps([sorted(set(sys.modules) - before), calls]))
"""


def test_an_import_loads_and_works_out_little() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-c", LOADING],
        cwd=Path(dvonn.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    modules, calls = json.loads(done.stdout)
    later = {"dvonn.record", "dvonn.starts", "dvonn.engine", "dvonn.formats", "dvonn.puzzles"}
    heavy = {
        "dataclasses",
        "inspect",
        "hashlib",
        "random",
        "socket",
        "subprocess",
        "logging",
        "asyncio",
        "numpy",
        "numba",
    }
    assert "dvonn.position" in modules
    assert not set(modules) & (later | heavy)
    assert calls < 20_000  # its tables and patterns; it was 87,000, which took twice as long

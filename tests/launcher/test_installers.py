"""Tests for the installers: uv where possible, otherwise pip, which reads its own settings."""

import json
import os
import sys

import pytest

from tests.launcher.conftest import Checkout

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="the environment's Python is a shell script"
)

PYTHON = """\
#!/bin/sh
case "$*" in
    "-m uv pip install "*) echo uv >> installed; test -z "$UV_FAILS" ;;
    "-m pip "*$PIP_FAILS*) echo pip >> installed; exit 1 ;;
    "-m pip "*) echo pip >> installed; echo "$PIP_SAYS" ;;
esac
"""
"""The Python of an environment that only records which programs should install something."""


@pytest.fixture
def recording(checkout: Checkout) -> Checkout:
    """A checkout with an empty environment, whose Python installs nothing."""
    folder = checkout.root / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "python").write_text(PYTHON, encoding="utf-8")
    (folder / "python").chmod(0o755)
    version = "{}.{}".format(*sys.version_info)
    made_by = [str(checkout.root), version, os.path.realpath(sys.base_prefix)]
    state = json.dumps({"made_by": made_by, "steps": {}})
    (checkout.root / ".venv" / "set-up.json").write_text(state, encoding="utf-8")
    return checkout


def installed(
    checkout: Checkout,
    command: str,
    pip_says: str = "",
    uv_fails: str = "",
    pip_fails: str = "nothing",
) -> list[str]:
    """Return which programs install something for a command, in their order."""
    done = checkout.run(command, PIP_SAYS=pip_says, UV_FAILS=uv_fails, PIP_FAILS=pip_fails)
    assert done.returncode == 0, done.stderr
    file = checkout.root / "installed"
    if not file.exists():
        return []
    programs = file.read_text(encoding="utf-8").splitlines()
    file.unlink()
    return programs


def test_pip_suffices_to_install_the_bot(recording: Checkout) -> None:
    assert installed(recording, "sandbox") == ["pip"]
    assert installed(recording, "engine") == ["pip"]


def test_pip_installs_uv_for_the_tests_and_uv_the_rest(recording: Checkout) -> None:
    assert installed(recording, "lock") == ["pip"]
    # The project itself is built by pip.
    assert installed(recording, "bench") == ["uv", "uv", "pip", *["uv"] * 5]
    assert installed(recording, "bench") == []


def test_where_pip_asks_another_index_uv_is_not_used(recording: Checkout) -> None:
    says = "Looking in indexes: https://mirror.example/simple"
    assert installed(recording, "bench", pip_says=says) == ["pip"] * 9


def test_pip_installs_what_uv_cannot_and_the_rest(recording: Checkout) -> None:
    assert installed(recording, "bench", uv_fails="1") == ["pip", "uv", *["pip"] * 8]


def test_a_part_that_neither_installs_is_tried_again(recording: Checkout) -> None:
    fails = "engine.txt"
    assert installed(recording, "bench", uv_fails="1", pip_fails=fails)[-1:] == ["pip"]
    assert installed(recording, "bench", pip_fails=fails) == ["pip"]

"""Tests for errors that `./run` reports. After an error, nothing may have changed."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launcher.conftest import TOKEN, Checkout, machine_environment
from tests.powerless import powerless

MAKES_IT = pytest.mark.later("it makes an environment, some 3 s each")


def test_help_names_every_command(checkout: Checkout) -> None:
    done = checkout.run("--help")

    assert done.returncode == 0
    for command in ("sandbox", "check", "demo", "engine", "test", "bench", "lint", "lock"):
        assert f"./run {command} " in done.stdout


def test_an_unknown_command_is_refused_with_the_help(checkout: Checkout) -> None:
    done = checkout.run("tset")

    assert done.returncode == 2
    assert "no command 'tset'" in done.stderr
    assert "./run test" in done.stderr


def test_a_missing_venv_module_is_named_with_its_cure(checkout: Checkout, tmp_path: Path) -> None:
    # Debian's Python without python3-venv lacks ensurepip. Here, a broken module hides it.
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "ensurepip.py").write_text("raise ImportError", encoding="utf-8")

    done = checkout.run("check", DISCORD_TOKEN=TOKEN, PYTHONPATH=str(shadow))

    assert done.returncode == 2
    assert "no venv module" in done.stderr
    assert "apt install python3-venv" in done.stderr
    assert not (checkout.root / ".venv").exists()


def test_an_old_python_gets_a_clear_message(checkout: Checkout) -> None:
    launcher = checkout.root / "run"
    # It must get as far as that message, so old Pythons must be able to parse it.
    ast.parse(launcher.read_text(encoding="utf-8"), feature_version=(3, 7))
    older = (
        "import runpy, sys; sys.version_info = (3, 10, 4, 'final', 0); sys.argv = ['run'];"
        f"runpy.run_path({str(launcher)!r}, run_name='__main__')"
    )

    done = subprocess.run(
        [sys.executable, "-c", older], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "needs Python 3.11 or newer" in done.stderr
    assert "is Python 3.10." in done.stderr


@pytest.mark.parametrize(
    ("written", "may_be_active"),
    [
        (None, False),
        ("# DISCORD_TOKEN=commented-out\nDISCORD_TOKEN=\nMACHINE=off\n", False),
        ("DISCORD_TOKEN=  # later\n", False),
        pytest.param("export discord_token = 'x'\n", True, marks=MAKES_IT),
        pytest.param("DISCORD_TOKN=x\n", True, marks=MAKES_IT),
    ],
)
def test_check_installs_nothing_before_there_is_a_token(
    checkout: Checkout, written: str | None, may_be_active: bool
) -> None:
    if written is not None:
        (checkout.root / ".env").write_text(written, encoding="utf-8")
    (checkout.root / "locks" / "run.txt").write_text("no-such-package==x\n", encoding="utf-8")

    done = checkout.run("check")

    assert ("DISCORD_TOKEN isn't set" not in done.stderr) is may_be_active
    assert (checkout.root / ".venv").exists() is may_be_active
    assert done.returncode == 2


@MAKES_IT
def test_without_a_network_the_network_is_named_on_one_screen(checkout: Checkout) -> None:
    (checkout.root / "locks" / "run.txt").write_text(
        "".join(f"package-{n}==1 --hash=sha256:{n:064}\n" for n in range(40)), encoding="utf-8"
    )

    done = checkout.run(
        "check",
        DISCORD_TOKEN=TOKEN,
        PIP_CONFIG_FILE=os.devnull,
        PIP_INDEX_URL="http://127.0.0.1:9/simple",
        PIP_RETRIES="1",
        PIP_FIND_LINKS="",
    )

    assert done.returncode == 2
    assert done.stderr.endswith("(pip reads no .env), and start this again.\n")
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 20


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@MAKES_IT
def test_a_full_disk_is_named(checkout: Checkout) -> None:
    checkout.run("check", DISCORD_TOKEN=TOKEN)
    (checkout.root / ".venv" / "set-up.new").symlink_to("/dev/full")
    (checkout.root / "locks" / "run.txt").write_text("# another version\n", encoding="utf-8")

    done = checkout.run("check", DISCORD_TOKEN=TOKEN)

    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert done.stderr.endswith("run: Free some space on the disk, and start this again.\n")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="root is held back only there")
@MAKES_IT
def test_a_folder_of_another_user_is_named(checkout: Checkout) -> None:
    checkout.root.chmod(0o555)
    try:
        done = subprocess.run(
            [*powerless(), *checkout.command("check")],
            env=machine_environment() | {"DISCORD_TOKEN": TOKEN},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        checkout.root.chmod(0o755)

    assert done.returncode == 2
    assert f"Run it as a user who may write to {checkout.root}, and" in done.stderr
    assert "Traceback" not in done.stderr

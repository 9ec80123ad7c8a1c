"""Tests for the systemd unit, which systemd itself reads if it is installed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "deploy" / "dvonn-bot.service"
PROGRAM = "/opt/dvonn-bot/.venv/bin/dvonn-bot"
WORST_EXPOSURE = 15
"""In tenths, on systemd's own scale from 0 to 10. Below 2 counts as good."""


def settings() -> dict[str, list[str]]:
    """Return the unit's settings. Some names occur twice."""
    found: dict[str, list[str]] = {}
    lines = re.findall(r"^(\w+)=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    for name, value in lines:
        found.setdefault(name, []).append(value)
    return found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The unit with a program that exists. Otherwise systemd reports a missing file."""
    unit = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8")
    assert f"ExecStart={PROGRAM}\n" in text
    unit.write_text(text.replace(PROGRAM, sys.executable), encoding="utf-8")
    return unit


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze."""
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed here")
    command = [tool, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_understands_every_line(copy: Path) -> None:
    done = analyze("verify", copy)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_systemd_finds_little_that_is_open(copy: Path) -> None:
    done = analyze("security", "--offline=true", f"--threshold={WORST_EXPOSURE}", copy)

    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze is too old to look at a file")
    assert done.returncode == 0, done.stdout


def test_the_service_runs_without_privileges_and_writes_to_one_folder() -> None:
    unit = settings()

    assert unit["DynamicUser"] == ["yes"]
    assert "User" not in unit
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["NoNewPrivileges"] == ["yes"]
    assert unit["CapabilityBoundingSet"] == [""]
    (folder,) = unit["StateDirectory"]
    assert unit["WorkingDirectory"] == [f"/var/lib/{folder}"]
    assert unit["Environment"] == [
        f"DATABASE_URL=sqlite:////var/lib/{folder}/dvonn.sqlite3",
        f"NUMBA_CACHE_DIR=/var/lib/{folder}/compiled",
        "MALLOC_ARENA_MAX=2",
    ]
    assert not unit.keys() & {"ReadWritePaths", "BindPaths"}


def test_a_returning_process_may_finish() -> None:
    unit = settings()

    assert unit["Restart"] == ["on-failure"]
    (wait,), (burst,) = unit["RestartSec"], unit["StartLimitBurst"]
    # Starts that fail at once must be too many within ten minutes, or they would go on forever.
    assert unit["StartLimitIntervalSec"] == ["10min"]
    assert int(wait.removesuffix("s")) * int(burst) < 600
    (patience,) = unit["TimeoutStopSec"]
    assert int(patience.removesuffix("s")) > 10


def test_systemds_watchdog_uses_the_bots_signals() -> None:
    unit = settings()

    assert unit["Type"] == ["notify"]
    (patience,) = unit["WatchdogSec"]
    assert int(patience.removesuffix("min")) >= 1
    # The notification socket is local.
    assert "AF_UNIX" in unit["RestrictAddressFamilies"][0]


def test_the_file_is_in_the_documented_place() -> None:
    paper = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    home = PROGRAM.partition("/.venv")[0]

    assert f"sudo git clone ADDRESS {home}\n" in paper
    assert settings()["EnvironmentFile"] == [f"{home}/.env"]
    assert f"sudo cp deploy/{UNIT.name} /etc/systemd/system/" in paper
    assert f"enable --now {UNIT.stem}" in paper

"""The systemd service that runs the bot, where one is installed: with which settings, and where."""

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.base.environment import WrongSetting, read_file

NAME = "dvonn-bot"

_ASKED = ("LoadState", "WorkingDirectory", "Environment", "EnvironmentFiles")
_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class Service:
    """The settings with which systemd starts the bot."""

    folder: Path
    settings: Mapping[str, str]
    """The variables that systemd sets."""
    unread: str | None
    """Reason why a file of settings could not be read; then there may be others."""


def installed_service() -> Service | None:
    """Return the service as systemd has read it, with all changes of it; None without."""
    tool = shutil.which("systemctl")
    if tool is None:
        return None
    command = [tool, "show", NAME, f"--property={','.join(_ASKED)}"]
    try:
        done = subprocess.run(  # noqa: S603 - the command is ours
            command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    told: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        told.setdefault(name, []).append(value)
    if told.get("LoadState") != ["loaded"]:
        return None
    return _service(told)


def _service(told: Mapping[str, list[str]]) -> Service:
    settings: dict[str, str] = {}
    unread = None
    for line in told.get("Environment", ()):
        settings |= dict(one.split("=", 1) for one in shlex.split(line) if "=" in one)
    for line in told.get("EnvironmentFiles", ()):
        try:
            settings |= read_file(Path(line.partition(" (ignore_errors=")[0]))
        except WrongSetting as error:
            unread = str(error)
    # An exclamation mark is in front of a folder that may be missing.
    (folder,) = told.get("WorkingDirectory", [""])[:1]
    return Service(Path(folder.lstrip("!-") or "/"), settings, unread)

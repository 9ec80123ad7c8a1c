"""Notifies systemd of the bot's state, and reads the settings of the bot's service.

The protocol is sd_notify(3): lines in a datagram to the socket named in NOTIFY_SOCKET. Without that
variable nothing is sent.
"""

import asyncio
import os
import shlex
import shutil
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import structlog

from bot.base.environment import SettingsFileError, read_file, shell_only_names
from bot.connection.liveness import Liveness

_log = structlog.get_logger()


class ServiceManager:
    """Sends notifications to the service manager that started the bot, if it wants them."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        pid = environment.get("WATCHDOG_PID", "")
        microseconds = environment.get("WATCHDOG_USEC", "")
        self.watchdog_timeout: timedelta | None = None
        """Time without a watchdog notification after which it restarts the bot, or None."""
        if self._address and microseconds.isdigit() and pid in {"", str(os.getpid())}:
            self.watchdog_timeout = timedelta(microseconds=int(microseconds))
        self._is_ready = False

    def ready(self) -> None:
        if not self._is_ready:
            self._is_ready = True
            self.notify("READY=1")

    def notify(self, *lines: str) -> None:
        """Send a notification. Without a service manager, do nothing."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.setblocking(False)
                sender.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            _log.warning("systemd notify failed", error=str(error))

    async def feed(self, liveness: Liveness) -> None:
        """Notify the watchdog forever, except while the bot hangs."""
        if self.watchdog_timeout is None:
            return
        while True:
            late_names, waiting = liveness.late, liveness.waiting
            if late_names:
                self.notify(f"STATUS=no sign of life from: {', '.join(late_names)}")
            elif waiting:
                until = f"{max(waiting.values()):%Y-%m-%d %H:%M:%S} UTC"
                self.notify("WATCHDOG=1", f"STATUS=waits on purpose until {until}")
            else:
                self.notify("WATCHDOG=1", f"STATUS=alive: {', '.join(liveness.expected)}")
            await asyncio.sleep(self.watchdog_timeout.total_seconds() / 3)


NAME = "dvonn-bot"

_PROPERTIES = ("LoadState", "WorkingDirectory", "Environment", "EnvironmentFiles")
_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class Service:
    """The settings that systemd starts the bot with."""

    folder: Path
    settings: Mapping[str, str]
    """The variables that systemd sets."""
    unread: str | None
    """The reason why a settings file is unreadable, or None if all were read."""
    misread: tuple[str, ...] = ()
    """Names of settings whose lines systemd reads differently from the bot."""


def installed_service() -> Service | None:
    """Return the service as systemd reads it, including overrides, or None if there is none."""
    tool = shutil.which("systemctl")
    if tool is None:
        return None
    command = [tool, "show", NAME, f"--property={','.join(_PROPERTIES)}"]
    try:
        result = subprocess.run(  # noqa: S603 - the command is ours
            command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    properties: dict[str, list[str]] = {}
    for line in result.stdout.splitlines():
        name, _, value = line.partition("=")
        properties.setdefault(name, []).append(value)
    if properties.get("LoadState") != ["loaded"]:
        return None
    return _service(properties)


def _service(properties: Mapping[str, list[str]]) -> Service:
    settings: dict[str, str] = {}
    misread: list[str] = []
    unread = None
    for line in properties.get("Environment", ()):
        settings |= dict(word.split("=", 1) for word in shlex.split(line) if "=" in word)
    for line in properties.get("EnvironmentFiles", ()):
        file = Path(line.partition(" (ignore_errors=")[0])
        try:
            settings |= read_file(file)
            misread += shell_only_names(file)
        except SettingsFileError as error:
            unread = str(error)
    # An exclamation mark precedes a folder that may be missing.
    (folder,) = properties.get("WorkingDirectory", [""])[:1]
    return Service(Path(folder.lstrip("!-") or "/"), settings, unread, tuple(misread))

"""Tests for the settings of the systemd service, as `systemctl` shows them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.operations.systemd import installed_service

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that installs a `systemctl` with an answer. Nothing else is found."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def install(*lines: str) -> None:
        tool = tmp_path / "systemctl"
        echoed = "\n".join(lines)
        tool.write_text(f"#!/bin/sh\n[ $2 = dvonn-bot ] && echo '{echoed}'\n", encoding="utf-8")
        tool.chmod(0o755)

    return install


def test_without_systemd_there_is_no_service(install: Install) -> None:
    assert installed_service() is None
    install("LoadState=not-found", "WorkingDirectory=", "Environment=")
    assert installed_service() is None


def test_a_service_has_its_variables_its_files_and_its_folder(
    install: Install, tmp_path: Path
) -> None:
    file = tmp_path / "dvonn.env"
    file.write_text("export LOG_LEVEL=debug\nMACHINE=off\nEMPTY=\n", encoding="utf-8")
    install(
        "LoadState=loaded",
        "WorkingDirectory=!/srv/dvonn",
        'Environment=MACHINE=auto "GAME_PAGE=https://a b?c=d" alone',
        f"EnvironmentFiles={file} (ignore_errors=no)",
        f"EnvironmentFiles={tmp_path / 'missing'} (ignore_errors=yes)",
    )
    service = installed_service()
    assert service is not None
    assert service.folder == Path("/srv/dvonn")
    assert service.settings == {
        "MACHINE": "off",
        "GAME_PAGE": "https://a b?c=d",
        "LOG_LEVEL": "debug",
        "EMPTY": "",
    }
    assert (service.misread, service.unread) == (("LOG_LEVEL",), None)


def test_a_file_that_cannot_be_read_is_named(install: Install, tmp_path: Path) -> None:
    install("LoadState=loaded", f"EnvironmentFiles={tmp_path}")
    service = installed_service()
    assert service is not None
    assert service.folder == Path("/")
    assert service.unread is not None
    assert service.unread.startswith(f"{tmp_path} is a folder")

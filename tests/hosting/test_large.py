"""Tests for the template units and the compose file for large hosts.

Their exact commands run as processes, with the same variables.
"""

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox import RateLimits, Sandbox
from tests.operations.watched import Watched, until
from tests.ports import free_port
from tests.postgresql import without_tables

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SINGLE, BOT, WORKER = (
    DEPLOY / name for name in ("dvonn-bot.service", "dvonn-bot@.service", "dvonn-worker@.service")
)
PROGRAM = "/opt/dvonn-bot/.venv/bin/dvonn-bot"
TOKEN = "DISCORD_TOKEN"
WORST_EXPOSURE = 15
"""The same as for the single unit in test_service.py."""


def lines(unit: Path) -> list[tuple[str, str]]:
    """Return a unit's settings, in order."""
    return re.findall(r"^(\w+)=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)


def values(unit: Path, name: str) -> list[str]:
    return [value for key, value in lines(unit) if key == name]


@pytest.mark.parametrize("unit", [BOT, WORKER])
def test_systemd_understands_every_line_and_finds_little_open(unit: Path, tmp_path: Path) -> None:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed here")
    copy = tmp_path / unit.name
    text = unit.read_text(encoding="utf-8")
    assert f"ExecStart={PROGRAM}" in text
    copy.write_text(text.replace(PROGRAM, sys.executable), encoding="utf-8")

    def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [tool or "", *arguments, str(copy)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    done = analyze("verify")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = analyze("security", "--offline=true", f"--threshold={WORST_EXPOSURE}")
    assert done.returncode == 0 or "unrecognized option" in done.stderr, done.stdout


def test_the_template_is_the_single_unit_but_for_its_number() -> None:
    ours, single = lines(BOT), lines(SINGLE)
    assert [line for line in ours if line not in single] == [
        line for line in ours if "%i" in line[1]
    ]
    numbered = [(name, re.sub("/%i|, process %i", "", value)) for name, value in ours]
    assert [line for line in single if line not in numbered] == [
        ("Environment", "DATABASE_URL=sqlite:////var/lib/dvonn-bot/dvonn.sqlite3")
    ]


def test_a_worker_is_as_closed_as_a_bot_and_never_sees_the_token() -> None:
    open_to_both = {"StateDirectory", "WorkingDirectory", "ExecStart", "Environment"}
    for name, value in lines(SINGLE)[lines(SINGLE).index(("DynamicUser", "yes")) :]:
        assert (name, value) in lines(WORKER) or name in open_to_both
    assert values(WORKER, "UnsetEnvironment") == [TOKEN]
    assert "-/opt/dvonn-bot/.env" in values(WORKER, "InaccessiblePaths")
    assert all(file.startswith("/etc/") for file in files_of(WORKER))
    worker = services()["worker"]
    assert "env_file" not in worker
    assert TOKEN not in str(worker)


def files_of(unit: Path) -> list[str]:
    return [file.removeprefix("-") for file in values(unit, "EnvironmentFile")]


def services() -> dict[str, dict[str, Any]]:
    """Return the services of the compose file."""
    read = yaml.safe_load((DEPLOY / "compose-large.yaml").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = read["services"]
    for service in found.values():
        named = {text.split(":")[0] for text in service["volumes"] if ":" in text}
        assert named <= read["volumes"].keys()
    return found


def test_compose_closes_its_containers_as_the_small_one_does() -> None:
    small = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["bot"]
    for name, service in services().items():
        if name == "database":
            continue
        for key in ("read_only", "tmpfs", "cap_drop", "security_opt", "init", "healthcheck"):
            assert service[key] == small[key], (name, key)
        assert not service.keys() & {"privileged", "cap_add", "ports", "user", "network_mode"}
        assert service["depends_on"] == {"database": {"condition": "service_healthy"}}
    shards = [
        service["environment"]["SHARDS"] for service in services().values() if "env_file" in service
    ]
    assert shards == [f"{number}/{len(shards)}" for number in range(len(shards))]


@dataclass(frozen=True)
class Given:
    """A command and its variables."""

    name: str
    command: list[str]
    variables: dict[str, str]


def by_systemd(settings: dict[str, str], database: str) -> Iterator[Given]:
    """Two bots and a worker, with the files that docs/large-hosts.md tells a host to write."""
    files = {
        "/opt/dvonn-bot/.env": {**settings, "DATABASE_URL": database, "MACHINE": "queue"},
        "/etc/dvonn-bot/1.env": {"SHARDS": "0/2", "METRICS_PORT": "9464"},
        "/etc/dvonn-bot/2.env": {"SHARDS": "1/2", "METRICS_PORT": "9465"},
        "/etc/dvonn-bot/worker.env": {"DATABASE_URL": database},
        "/etc/dvonn-bot/worker-1.env": {"METRICS_PORT": "9466"},
    }
    paper = (ROOT / "docs" / "large-hosts.md").read_text(encoding="utf-8")
    assert all(file.removeprefix("/opt/dvonn-bot/") in paper for file in files)
    for unit, number in ((BOT, "1"), (BOT, "2"), (WORKER, "1")):
        variables = dict(text.split("=", 1) for text in values(unit, "Environment"))
        for file in files_of(unit):
            variables |= files.get(file.replace("%i", number), {})
        for name in values(unit, "UnsetEnvironment"):
            variables.pop(name, None)
        (command,) = values(unit, "ExecStart")
        yield Given(unit.stem + number, command.split(), variables)


def by_compose(settings: dict[str, str], database: str) -> Iterator[Given]:
    """Everything that compose would start except the database, with `.env` as in
    docs/large-hosts.md."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (entry,) = re.findall(r'^ENTRYPOINT \["(.+)"\]$', dockerfile, re.MULTILINE)
    filled = re.compile(r"postgresql://dvonn:\$\{POSTGRES_PASSWORD:\?[^}]+\}@database/dvonn")
    for name, service in services().items():
        if name == "database":
            continue
        variables = {key: str(value) for key, value in service["environment"].items()}
        assert filled.fullmatch(variables["DATABASE_URL"])
        variables["DATABASE_URL"] = database
        if "env_file" in service:
            variables = {**settings, "POSTGRES_PASSWORD": "secret", **variables}
        yield Given(name, [entry, *service.get("command", ())], variables)


@pytest.fixture
async def world() -> AsyncIterator[Sandbox]:
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        world.create_guild("Friends")
        yield world


@pytest.mark.parametrize("way", [by_systemd, by_compose])
async def test_all_processes_start_and_are_ready(
    way: Any, world: Sandbox, postgres_url: str, tmp_path: Path
) -> None:
    database = await without_tables(postgres_url)
    settings = {TOKEN: world.token, "DISCORD_API_URL": world.api_url}
    running: list[asyncio.subprocess.Process] = []
    pages: list[Watched] = []
    try:
        for part in way(settings, database):
            folder = tmp_path / part.name
            folder.mkdir()
            pages.append(Watched(free_port()))
            assert int(part.variables["METRICS_PORT"]) > 0
            program = Path(sys.executable).parent / "dvonn-bot"
            own = {"METRICS_PORT": str(pages[-1].port), "NUMBA_CACHE_DIR": str(folder)}
            with (folder / "log").open("w") as log:
                process = await asyncio.create_subprocess_exec(
                    *(str(program), *part.command[1:]),
                    cwd=folder,
                    env={"PATH": "/usr/bin:/bin", **part.variables, **own},
                    stdout=log,
                    stderr=log,
                )
            running.append(process)
            if "worker" in part.name:
                assert TOKEN not in part.variables
                assert world.token not in (folder / "log").read_text()
        for page in pages:
            await until(lambda page=page: is_ready(page))
        heard = [(await page.health())[1].get("heard", []) for page in pages]
        assert [name for names in heard for name in names if "shard" in name] == [
            "shard 0",
            "shard 1",
        ]
        for process in running:
            process.terminate()
        assert [await process.wait() for process in running] == [0, 0, 0]
    finally:
        for process in running:
            if process.returncode is None:
                process.kill()
                await process.wait()
        show(tmp_path)


def show(folder: Path) -> None:
    """Print the logs, which pytest shows if the test has failed."""
    for file in folder.glob("*/log"):
        print(file.read_text())  # noqa: T201


async def is_ready(page: Watched) -> bool:
    try:
        status, told = await page.health()
    except OSError:
        return False
    return status == 200 and told["status"] == "ready"

"""Tests for the Dockerfile and compose.yaml as texts. CI builds and runs them."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.base.database_address import database_address
from bot.base.health import ActiveFaults
from bot.base.http_port import serving_host
from bot.connection.liveness import Liveness
from bot.database.opening import create_engine, migrate
from bot.operations.health import Overview
from bot.play.store.store import Store

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Step:
    """An instruction of the Dockerfile."""

    word: str
    rest: str


def stages() -> list[list[Step]]:
    """Return the Dockerfile's stages, each starting with its FROM."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\\\n\s*", "", text)
    found: list[list[Step]] = []
    for line in filter(None, text.splitlines()):
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            found.append([])
        found[-1].append(Step(word, rest))
    return found


BUILD, FINAL = stages()


def only(stage: list[Step], word: str) -> str:
    """Return the text of the only instruction of a kind."""
    (step,) = [step for step in stage if step.word == word]
    return step.rest


def variables(stage: list[Step]) -> dict[str, str]:
    """Return the variables of the stage's ENV."""
    pairs = only(stage, "ENV").split()
    return dict(pair.split("=", 1) for pair in pairs)


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    """Return the bot's service in compose.yaml."""
    services: dict[str, dict[str, Any]] = compose()["services"]
    assert list(services) == ["bot"]
    return services["bot"]


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return read


def test_both_stages_are_one_python_by_its_digest_and_ci_tests_it() -> None:
    bases = {stage[0].rest.split(" AS ")[0] for stage in (BUILD, FINAL)}

    assert len(bases) == 1
    version = re.fullmatch(r"python:(3\.\d+)\.\d+-slim-[a-z]+@sha256:[0-9a-f]{64}", bases.pop())
    assert version
    ci = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert version[1] in ci["jobs"]["check"]["strategy"]["matrix"]["python"]


def test_copied_files_exist_and_reach_the_builder() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_through = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copied = {source for step in BUILD if step.word == "COPY" for source in step.rest.split()[:-1]}

    for source in copied:
        assert (ROOT / source).exists(), source
        assert source in let_through or Path(source).parts[0] in let_through, source
    # Everything else stays out, above all .env and the database.
    assert "*" in ignored
    assert ignored.index("*") < min(ignored.index(f"!{name}") for name in let_through)
    assert let_through == {Path(source).parts[0] for source in copied}


def test_nothing_is_fetched_without_its_hash() -> None:
    calls = re.findall(
        r"pip (?:--python \S+ )?(install|wheel) (.*?)(?:&&|$)", _runs(BUILD), re.MULTILINE
    )

    assert len(calls) == 4
    for word, arguments in calls:
        if "--require-hashes" in arguments:
            assert (
                "--only-binary :all:" in arguments
            )  # nothing else runs code during the installation
            continue
        assert "--no-deps" in arguments, arguments
        assert "--no-index" in arguments or arguments.rstrip().endswith(
            " ./dvonn ./dvonn_lessons ."
        ), arguments
        if word == "wheel":
            # otherwise pip fetches the newest build tools
            assert "--no-build-isolation" in arguments
    assert re.findall(r"-r (\S+)", _runs(BUILD)) == [
        "locks/build.txt",
        "locks/run.txt",
        "locks/engine.txt",
        "locks/cluster.txt",
        "locks/fast.txt",
    ]


@pytest.mark.later("compiles all catalogues once more")
def test_the_image_has_the_catalogues_compiled(tmp_path: Path) -> None:
    """With the Dockerfile's command, in a tree like the wheel's."""
    wheel = tmp_path / "dvonn_bot"
    for source, target in (("deploy/dvonn_bot", wheel), ("bot", wheel / "bot")):
        shutil.copytree(ROOT / source, target, ignore=shutil.ignore_patterns("__pycache__"))
    (wheel / "renderer").symlink_to(ROOT / "renderer")
    command = re.search(r'bin/python -c "(.+)"', _runs(BUILD))
    assert command is not None
    environment = {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    subprocess.run([sys.executable, "-c", command[1]], env=environment, cwd=tmp_path, check=True)
    written = {path.parents[2].name for path in wheel.rglob("__pycache__/messages.*.mo")}
    assert written == {path.parent.name for path in wheel.glob("bot/base/locales/*/LC_MESSAGES")}


def test_no_tool_is_left_in_the_image() -> None:
    runs = _runs(FINAL)

    assert "python -m pip uninstall --yes" in runs
    assert not re.search(r"apt-get|pip install|curl|wget", runs)
    (copy,) = [step.rest for step in FINAL if step.word == "COPY"]
    stage, source, target = copy.split()
    assert stage == "--from=build"
    assert source == target  # an environment can't be moved
    assert f"python -m venv --without-pip {source}" in _runs(BUILD)
    assert variables(FINAL)["PATH"].startswith(f"{source}/bin:")


def test_the_container_starts_the_console_script_without_privileges() -> None:
    (command,) = json.loads(only(FINAL, "ENTRYPOINT"))
    user, group = only(FINAL, "USER").split(":")

    assert command in project()["project"]["scripts"]
    assert int(user) > 999
    assert f"groupadd --gid {group} dvonn" in _runs(FINAL)
    assert f"useradd --uid {user} --gid dvonn" in _runs(FINAL)


def test_the_games_are_in_the_volume(service: dict[str, Any]) -> None:
    volume = only(FINAL, "VOLUME")

    assert variables(FINAL)["DATABASE_URL"] == f"sqlite:///{volume}/dvonn.sqlite3"
    assert only(FINAL, "WORKDIR") == volume  # so that a relative file name is found there, too
    assert re.search(rf"install --directory --owner=dvonn .*{volume}$", _runs(FINAL))
    (mounted,) = service["volumes"]
    name, target = mounted.split(":")
    assert target == volume
    assert name in compose()["volumes"]


def test_compose_closes_everything_that_the_bot_does_not_need(service: dict[str, Any]) -> None:
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108 - a path in the container
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.keys() & {"privileged", "cap_add", "network_mode", "ports", "user", "pid"}


def test_compose_keeps_the_bot_running_and_lets_it_finish(service: dict[str, Any]) -> None:
    assert service["build"] == "."
    assert service["env_file"] == ".env"
    assert service["restart"] == "unless-stopped"
    assert service["init"] is True
    # The bot waits ten seconds for work in progress, which is Docker's whole default.
    assert int(service["stop_grace_period"].removesuffix("s")) > 10
    assert service["logging"] == {"driver": "local"}


@pytest.mark.later("starts the processes that ask")
async def test_compose_asks_the_bot_how_it_is(service: dict[str, Any], tmp_path: Path) -> None:
    """With its exact command and the test's port: healthy only if a bot receives events."""
    port = str(service["environment"]["METRICS_PORT"])
    _, program, *arguments = service["healthcheck"]["test"]
    assert program == "python"
    assert f"127.0.0.1:{port}/" in arguments[-1]
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        free = one.getsockname()[1]
    command = [argument.replace(f":{port}/", f":{free}/") for argument in arguments]

    async def healthy() -> bool:
        asking = await asyncio.create_subprocess_exec(
            sys.executable, *command, stderr=asyncio.subprocess.DEVNULL
        )
        return await asking.wait() == 0

    assert not await healthy()
    seconds = 0.0
    life = Liveness(lambda: seconds)
    life.sign("shard 0", next_within=timedelta(minutes=2))
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    await migrate(engine)
    overview = Overview(life, Store(engine), ActiveFaults(), now=lambda: datetime.now(UTC))
    async with serving_host(overview, "127.0.0.1", free):
        assert await healthy()
        seconds = 121.0
        assert not await healthy()
    await engine.dispose()


def test_compose_limits_the_bots_resources(service: dict[str, Any]) -> None:
    # As in a comment of systemd's unit, with the measured values.
    unit = (ROOT / "deploy" / "dvonn-bot.service").read_text(encoding="utf-8")

    assert f"#MemoryMax={service['mem_limit'].upper()}\n" in unit
    assert f"#TasksMax={service['pids_limit']}\n" in unit


def test_compose_is_read_by_debians_old_one_too(service: dict[str, Any], tmp_path: Path) -> None:
    assert service["healthcheck"].keys() <= {
        "test",
        "interval",
        "timeout",
        "start_period",
        "retries",
    }
    if (tool := shutil.which("docker-compose")) is None:
        pytest.skip(
            "there is no docker-compose here; only what it is known to refuse was looked for"
        )
    shutil.copy(ROOT / "compose.yaml", tmp_path)
    shutil.copy(ROOT / ".env.example", tmp_path / ".env")
    subprocess.run([tool, "config", "--quiet"], cwd=tmp_path, check=True)


DOCKER = """#!/bin/sh
echo "$*" >> docker.log
case "$*" in
network*) echo 127.0.0.1 ;;
inspect*) echo healthy ;;
"compose up"*) MACHINE=off exec "$BOT_PYTHON" -m bot check ;;
esac
"""
"""In place of a container, the bot itself checks if it could start as the script sets it up."""


@pytest.mark.later("runs a script of CI in a shell")
def test_ci_starts_it_by_compose_and_waits_until_it_is_healthy(tmp_path: Path) -> None:
    ci = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert "bash .ci/compose" in [step.get("run") for step in ci["jobs"]["image"]["steps"]]
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "compose", tmp_path / ".ci")
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    (tmp_path / "docker").write_text(DOCKER)
    (tmp_path / "docker").chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "BOT_PYTHON": sys.executable,
    }
    command = ["bash", ".ci/compose"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "BAD" in done.stdout) == (0, False), done.stdout + done.stderr
    assert "ok  DISCORD_TOKEN belongs to" in done.stdout
    asked = (tmp_path / "docker.log").read_text().splitlines()
    assert "compose up --detach --wait --wait-timeout 180" in asked
    assert asked[-1] == "compose down --volumes"
    assert not (tmp_path / ".env").exists()
    (tmp_path / ".env").write_text("DISCORD_TOKEN=mine\n")
    assert subprocess.run(command, cwd=tmp_path, env=environment, check=False).returncode == 1
    assert (tmp_path / ".env").read_text() == "DISCORD_TOKEN=mine\n"


def test_the_image_has_one_name_and_no_tag_of_one_run_alone() -> None:
    release = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"ghcr\.io/[^\s\"]+", release)) == {
        "ghcr.io/${GITHUB_REPOSITORY_OWNER,,}/dvonn-bot"
    }
    assert "GITHUB_RUN_ID" not in release
    for paper in ("docs/hosting.md", "docs/releasing.md"):
        told = re.findall(r"ghcr\.io/[\w/-]+", (ROOT / paper).read_text(encoding="utf-8"))
        assert set(told) == {"ghcr.io/OWNER/dvonn-bot"}


def _runs(stage: list[Step]) -> str:
    return "\n".join(step.rest for step in stage if step.word == "RUN")

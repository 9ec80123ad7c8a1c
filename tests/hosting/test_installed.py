"""The bot as hosts have it: installed from its wheel, or in a container; away from the checkout."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

import pytest

import bot
from sandbox import Message, RateLimits, Sandbox

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "dvonn", "renderer")
PLAYING_S = 30.0

# As compose.yaml has it; the network is the machine's, for the local Discord is there.
CONTAINER = (
    *("docker", "run", "--rm", "--init", "--network=host", "--read-only", "--tmpfs=/tmp"),
    *("--cap-drop=ALL", "--security-opt=no-new-privileges"),
    *("--env=DISCORD_TOKEN", "--env=DISCORD_API_URL"),
)


def call(*command: str | Path, folder: Path = ROOT) -> str:
    """Run a command that has to succeed; what it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, as a release builds it."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it. What the bot runs on is borrowed from this one."""
    folder = tmp_path_factory.mktemp("host") / "venv"
    call(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    call(
        *(sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"),
        *("install", "--no-index", "--no-deps", wheel),
    )
    (packages,) = folder.glob("lib/python*/site-packages")
    borrowed = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (packages / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n", encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Host:
    """Somebody's machine, on which the bot is installed."""

    command: tuple[str, ...]
    """What starts the bot; its arguments come behind."""
    folder: Path
    """Where it is started: an empty folder."""

    async def start(self, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
        """Start the bot. What it writes goes to bot.log in the folder."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in {"PATH", "HOME"} or name.startswith("DOCKER_")
        }
        with (self.folder / "bot.log").open("wb") as log:
            return await asyncio.create_subprocess_exec(
                *(*self.command, *arguments),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=kept | settings,
            )

    async def run(self, *arguments: str, **settings: str) -> tuple[int, str]:
        """Run the bot to its end: its exit status, and what it wrote."""
        status = await (await self.start(*arguments, **settings)).wait()
        return status, self.log

    @property
    def log(self) -> str:
        return (self.folder / "bot.log").read_text(encoding="utf-8")


@pytest.fixture(params=["wheel", "image"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Host:
    if request.param == "wheel":
        environment: Path = request.getfixturevalue("environment")
        return Host((str(environment / "bin" / "dvonn-bot"),), tmp_path)
    image = os.environ.get("DVONN_BOT_IMAGE")
    if not image:
        pytest.skip("DVONN_BOT_IMAGE names no container image; CI builds one and names it")
    return Host((*CONTAINER, image), tmp_path)


def test_the_wheel_has_every_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = f"dvonn_bot-{bot.__version__}.dist-info/"

    with zipfile.ZipFile(wheel) as archive:
        packed = {
            name: archive.read(name) for name in archive.namelist() if not name.startswith(about)
        }
        metadata = message_from_bytes(archive.read(f"{about}METADATA"))
        assert archive.read(f"{about}licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        assert b"dvonn-bot = bot.__main__:main" in archive.read(f"{about}entry_points.txt")

    assert sorted(packed) == sorted(files)
    assert packed == files
    assert {"bot/store/migrations/script.py.mako", "renderer/py.typed"} <= packed.keys()
    assert any(name.startswith("bot/store/migrations/versions/0") for name in packed)
    assert metadata["Version"] == bot.__version__
    assert metadata["License-Expression"] == "MIT"


def test_the_environment_uses_the_wheel_and_not_the_checkout(
    environment: Path, tmp_path: Path
) -> None:
    modules = ", ".join(PACKAGES)
    script = f"import {modules}; print(*(one.__file__ for one in ({modules})), sep='\\n')"

    places = call(environment / "bin" / "python", "-c", script, folder=tmp_path).splitlines()

    assert len(places) == len(PACKAGES)
    assert all(Path(place).is_relative_to(environment) for place in places)


async def test_it_tells_its_version(host: Host) -> None:
    assert await host.run("--version") == (0, f"dvonn-bot {bot.__version__}\n")


async def test_it_refuses_to_start_without_a_token(host: Host) -> None:
    status, written = await host.run()

    assert status == 2
    assert written == "dvonn-bot: DISCORD_TOKEN is not set; .env.example shows how\n"


async def test_it_plays(host: Host) -> None:
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        process = await host.start(DISCORD_TOKEN=world.token, DISCORD_API_URL=world.api_url)
        try:
            await world.wait_ready(timeout=PLAYING_S)
            challenge = await ann.slash(channel, "challenge", opponent=bob, colour="white")
            assert challenge.message is not None
            await bob.click(challenge.message, "Accept")
            await channel.wait_for(_is_board(0), timeout=PLAYING_S)
            await ann.say(channel, "d2")
            await channel.wait_for(_is_board(1), timeout=PLAYING_S)
        except TimeoutError as error:
            raise TimeoutError(f"{error}\n{host.log}") from error
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            status = await process.wait()
        assert status == 0
        assert world.unknown_routes == []
    assert "Traceback" not in host.log


def _is_board(revision: int) -> Callable[[Message], bool]:
    name = re.compile(rf"dvonn-\d+-{revision}\.png")
    return lambda message: any(name.fullmatch(file.filename) for file in message.attachments)

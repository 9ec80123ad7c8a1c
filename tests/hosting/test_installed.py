"""Tests for the bot installed from its wheels or in a container, away from the checkout.

Beside it lies what others call `bot` and `renderer`.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message as Metadata
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path

import pip
import pytest

import bot
from demo.commands import use
from sandbox import Message, RateLimits, Sandbox
from tests.e2e.conftest import PATIENCE
from tests.once import made_once

ROOT = Path(__file__).resolve().parents[2]
INSIDE = ("bot", "school", "club", "renderer")
PAPERS = {"LICENSE", "LICENSE-CC0", "README.md", "pyproject.toml"}
"""Files next to a package's modules that are in none of its wheels."""

pytestmark = pytest.mark.thorough("packages are built, and installed in environments of their own")

# The options of compose.yaml, but with the host's network, because the local Discord is there.
CONTAINER = (
    *("docker", "run", "--rm", "--init", "--network=host", "--read-only", "--tmpfs=/tmp"),
    *("--cap-drop=ALL", "--security-opt=no-new-privileges"),
    *("--env=DISCORD_TOKEN", "--env=DISCORD_API_URL"),
)


def call(*command: str | Path, folder: Path = ROOT) -> str:
    """Run a command that has to succeed, and return its output."""
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


def built_once(source: Path, temporary: pytest.TempPathFactory, name: str) -> Path:
    """A wheel, as a release builds it."""
    hatchling = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory")
    folder = made_once(temporary, name, lambda to: call(*hatchling, to, folder=source))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the game alone."""
    return built_once(ROOT / "dvonn", tmp_path_factory, "wheel of the game")


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the puzzles and lessons."""
    return built_once(ROOT / "dvonn_lessons", tmp_path_factory, "wheel of the lessons")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the bot."""
    return built_once(ROOT, tmp_path_factory, "wheel of the bot")


@pytest.fixture(scope="module")
def neighbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another project's wheel, with packages of the same names."""
    path = tmp_path_factory.mktemp("neighbour") / "renderer-1.0.3-py3-none-any.whl"
    about = "renderer-1.0.3.dist-info"
    files = {
        **{f"{name}/__init__.py": "THEIRS = True\n" for name in INSIDE},
        **{f"{name}/palette.py": "THEIRS = True\n" for name in INSIDE},
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: renderer\nVersion: 1.0.3\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{about}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def make_environment(folder: Path) -> Path:
    """A fresh environment, which also finds this environment's packages, after its own."""
    call(sys.executable, "-m", "venv", "--without-pip", folder)
    borrowed = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    lines = "".join(f"{place}\n" for place in sorted(borrowed))
    (site_packages(folder) / "borrowed.pth").write_text(lines, encoding="utf-8")
    return folder


def site_packages(environment: Path) -> Path:
    (packages,) = environment.glob("lib/python*/site-packages")
    return packages


def call_pip(environment: Path, *words: str | Path) -> str:
    """Install like `pip --python`, in one process instead of two."""
    python, runner = environment / "bin" / "python", Path(pip.__file__).parent / "__pip-runner__.py"
    return call(python, runner, "--disable-pip-version-check", *words)


def install(environment: Path, *wheels: Path) -> None:
    call_pip(environment, "install", "--no-index", "--no-deps", "--no-compile", *wheels)


@pytest.fixture(scope="module")
def environment(
    game: Path,
    lessons: Path,
    wheel: Path,
    neighbour: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """An environment with the bot, and with other packages that have the names of its parts."""

    def make(folder: Path) -> None:
        make_environment(folder)
        install(folder, neighbour)
        install(folder, game, lessons, wheel)

    return made_once(tmp_path_factory, "environment of a host", make)


@pytest.fixture(scope="module")
def pruned(
    game: Path,
    lessons: Path,
    wheel: Path,
    neighbour: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """An environment with the bot's dependencies, as far as they are installed here, and more."""

    def make(folder: Path) -> None:
        call(sys.executable, "-m", "venv", "--without-pip", folder)
        for lock in ("run", "engine", "cluster", "fast"):
            text = (ROOT / "locks" / f"{lock}.txt").read_text(encoding="utf-8")
            for name in re.findall(r"^([\w.-]+)(?:\[.*\])?==", text, re.MULTILINE):
                bring(name, site_packages(folder))
        install(folder, neighbour)
        install(folder, game, lessons, wheel)
        call(sys.executable, ROOT / "deploy" / "prune.py", folder)

    return made_once(tmp_path_factory, "environment of a small host", make)


def bring(package: str, to: Path) -> None:
    """Copy a package of this environment, if installed, to another one, without its scripts."""
    with suppress(PackageNotFoundError):  # the lock has them for other systems and Pythons, too
        for file in files(package) or ():
            source, target = Path(str(file.locate())), to / file
            if ".." in file.parts or not source.is_file():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)  # with its timestamp, which its bytecode refers to


@dataclass(frozen=True)
class Host:
    """A host's machine, on which the bot is installed."""

    command: tuple[str, ...]
    """The command that starts the bot. Arguments are appended."""
    folder: Path
    """The bot's working directory, empty at first."""

    async def start(self, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
        """Start the bot. Its output goes to bot.log in the folder."""
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
        """Run the bot until it ends, and return its exit status and output."""
        status = await (await self.start(*arguments, **settings)).wait()
        return status, self.log

    @property
    def log(self) -> str:
        return (self.folder / "bot.log").read_text(encoding="utf-8")


@pytest.fixture(params=["pruned", "image"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Host:
    if request.param == "pruned":
        pruned: Path = request.getfixturevalue("pruned")
        return Host((str(pruned / "bin" / "dvonn-bot"),), tmp_path)
    image = os.environ.get("DVONN_BOT_IMAGE")
    if not image:
        pytest.skip("DVONN_BOT_IMAGE names no container image; CI builds one and names it")
    return Host((*CONTAINER, image), tmp_path)


def files_of(folder: Path, home: str) -> dict[str, bytes]:
    """The files of a package in the checkout, by their names in a wheel."""
    return {
        f"{home}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def unpacked(wheel: Path) -> tuple[dict[str, bytes], "Metadata[str, str]", dict[str, bytes]]:
    """A wheel's files, its metadata, and the documents next to the metadata."""
    name, version, *_ = wheel.name.split("-")
    about = f"{name}-{version}.dist-info/"
    with zipfile.ZipFile(wheel) as archive:
        whole = {name: archive.read(name) for name in archive.namelist()}
    files = {name: content for name, content in whole.items() if not name.startswith(about)}
    papers = {name.removeprefix(about): whole[name] for name in whole.keys() - files.keys()}
    return files, message_from_bytes(papers["METADATA"]), papers


def test_the_bots_wheel_has_every_file_of_its_packages_under_one_name(wheel: Path) -> None:
    packed, _, papers = unpacked(wheel)

    files = files_of(ROOT / "deploy" / "dvonn_bot", "dvonn_bot")
    for name in INSIDE:
        files |= files_of(ROOT / name, f"dvonn_bot/{name}")
    assert sorted(packed) == sorted(files)
    assert packed == files
    assert "dvonn_bot/bot/database/migrations/script.py.mako" in packed
    assert any(name.startswith("dvonn_bot/bot/database/migrations/versions/0") for name in packed)
    assert b"dvonn-bot = dvonn_bot.__main__:main" in papers["entry_points.txt"]


def test_the_other_wheels_have_exactly_their_packages_files(game: Path, lessons: Path) -> None:
    for name, one in (("dvonn", game), ("dvonn_lessons", lessons)):
        packed, _, _ = unpacked(one)
        files = files_of(ROOT / name, name)
        wanted = {path: data for path, data in files.items() if path.split("/", 1)[1] not in PAPERS}
        assert sorted(packed) == sorted(wanted)
        assert packed == wanted
    packed, _, _ = unpacked(game)
    # The tools that tune the engine are in `benchmarks`.
    assert "tuning" not in {part for name in packed for part in name.split("/")}


def test_each_package_says_that_it_is_typed(wheel: Path, lessons: Path, game: Path) -> None:
    typed = {
        name for item in (wheel, lessons, game) for name in unpacked(item)[0] if "py.typed" in name
    }

    assert typed == {
        *("dvonn/py.typed", "dvonn_bot/py.typed", "dvonn_lessons/py.typed"),
        *(f"dvonn_bot/{name}/py.typed" for name in INSIDE),
    }


def test_the_wheels_have_correct_metadata(wheel: Path, lessons: Path, game: Path) -> None:
    assert "creativecommons.org" in unpacked(lessons)[2]["licenses/LICENSE-CC0"].decode()
    for item in (wheel, lessons, game):
        _, metadata, papers = unpacked(item)
        assert metadata["Version"] == bot.__version__
        assert str(metadata["License-Expression"]).startswith("MIT")
        assert papers["licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
        assert "dvonn" in metadata["Keywords"].split(",")
        said = metadata.get_all("Classifier") or []
        assert {"Topic :: Games/Entertainment :: Board Games", "Typing :: Typed"} <= set(said)
        pythons = [name for name in said if re.search(r":: 3\.\d+$", name)]
        assert pythons[0].endswith(str(metadata["Requires-Python"]).removeprefix(">="))
        assert metadata["Description-Content-Type"] == "text/markdown"


def test_the_bot_needs_the_game_of_the_same_release_and_the_game_needs_nothing(
    wheel: Path, lessons: Path, game: Path
) -> None:
    wanted = unpacked(wheel)[1].get_all("Requires-Dist") or []
    assert unpacked(lessons)[1].get_all("Requires-Dist") == [f"dvonn=={bot.__version__}"]
    assert f"dvonn-lessons=={bot.__version__}" in wanted
    of_extras = unpacked(game)[1].get_all("Requires-Dist") or []

    assert f"dvonn=={bot.__version__}" in wanted
    assert f"dvonn[engine]=={bot.__version__}; extra == 'engine'" in wanted
    assert len([extra for extra in of_extras if extra.endswith("; extra == 'engine'")]) == 2
    assert all(re.search(r"; extra == '(engine|gym|lessons)'$", extra) for extra in of_extras)


def run_python(environment: Path, script: str, folder: Path) -> list[str]:
    """Return the lines that a script prints. Its processes may start others from its file."""
    file = folder / "script.py"
    file.write_text(script, encoding="utf-8")
    return call(environment / "bin" / "python", file, folder=folder).splitlines()


OURS = """
from dvonn_bot import open_parts
open_parts()
import bot, dvonn, renderer.palette
for module in (bot, dvonn, renderer, renderer.palette):
    print(module.__file__)
"""


def test_the_environment_uses_the_wheels_and_not_the_checkout(
    environment: Path, tmp_path: Path
) -> None:
    places = run_python(environment, OURS, tmp_path)

    packages = site_packages(environment)
    assert [str(Path(place).relative_to(packages)) for place in places] == [
        "dvonn_bot/bot/__init__.py",
        "dvonn/__init__.py",
        "dvonn_bot/renderer/__init__.py",
        "dvonn_bot/renderer/palette.py",
    ]


WORKER = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dvonn_bot import open_parts

def main():
    open_parts()
    from bot.features.machine.opponent import worker
    from dvonn import Position

    context = multiprocessing.get_context("spawn")
    flags = context.Array("b", 1, lock=False)
    with ProcessPoolExecutor(1, context, initializer=worker.begin, initargs=(flags,)) as pool:
        print(pool.submit(worker.choose, Position.initial(), 1, 0, 0).result().source)

if __name__ == "__main__":
    main()
"""


def test_the_machines_processes_find_the_parts(pruned: Path, tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")

    assert run_python(pruned, WORKER, tmp_path) == ["None"]


FORMATS = """
from datetime import UTC, datetime, timedelta
from dvonn_bot import open_parts
open_parts()
from babel.dates import format_datetime, format_timedelta
from babel.lists import format_list
from babel.numbers import format_decimal
from bot.base.languages import languages, reader_for
for locale in sorted({*languages(), "en-US", "en-GB", "es-ES", "es-419", "de-CH", "pt-BR", "ja"}):
    one = reader_for(locale).formats
    moment = datetime(2026, 11, 23, 9, 5, tzinfo=UTC)
    told = format_datetime(moment, "full", locale=one), format_timedelta(timedelta(3), locale=one)
    print(one, *told, format_list("abc", locale=one), format_decimal(12345.6, locale=one))
"""


def test_a_pruned_environment_writes_as_each_language_does(
    environment: Path, pruned: Path, tmp_path: Path
) -> None:
    told = run_python(pruned, FORMATS, tmp_path)

    assert told == run_python(environment, FORMATS, tmp_path)
    spoken = {"de", "de_CH", "en", "es", "es_419", "es_ES", "fr", "it", "nl"}
    assert {line.split()[0] for line in told} == spoken
    there = {file.stem.partition("_")[0] for file in pruned.rglob("locale-data/*.dat")}
    assert there == {"root", "de", "en", "es", "fr", "it", "nl"}


THEIRS = """
import bot, renderer, renderer.palette
print(bot.THEIRS, renderer.THEIRS, renderer.palette.THEIRS)
"""

BOTH = """
import renderer
from dvonn_bot import open_parts
try:
    open_parts()
except ImportError as error:
    print(error)
"""


def test_packages_of_the_same_names_and_the_bot_leave_each_other_whole(
    game: Path, lessons: Path, wheel: Path, neighbour: Path, tmp_path: Path
) -> None:
    environment = make_environment(tmp_path / "venv")
    script = environment / "bin" / "dvonn-bot"

    def ours_is_whole() -> None:
        assert call(script, "--version", folder=tmp_path) == f"dvonn-bot {bot.__version__}\n"

    def theirs_is_whole() -> None:
        assert run_python(environment, THEIRS, tmp_path) == ["True True True"]

    install(environment, game, lessons, wheel)
    install(environment, neighbour)
    ours_is_whole()
    theirs_is_whole()
    both = run_python(environment, BOTH, tmp_path)
    theirs = site_packages(environment) / "renderer" / "__init__.py"
    assert both == [f"dvonn-bot needs the name 'renderer', which is taken by {theirs}"]

    call_pip(environment, "uninstall", "--yes", "dvonn-bot")
    theirs_is_whole()
    assert not script.exists()
    assert not (site_packages(environment) / "dvonn_bot").exists()

    install(environment, wheel)  # now it comes second
    call_pip(environment, "uninstall", "--yes", "renderer")
    ours_is_whole()


def test_in_a_checkout_the_parts_come_first_too(neighbour: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(neighbour) as archive:
        archive.extractall(tmp_path)
    # Installed packages come before the folders of an editable installation.
    places = os.pathsep.join(str(place) for place in (tmp_path, ROOT, ROOT / "deploy"))

    done = subprocess.run(
        [sys.executable, "-m", "dvonn_bot", "--version"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.stdout, done.stderr) == (f"dvonn-bot {bot.__version__}\n", "")


ALONE = """
import sys
from dvonn import Position, balanced_start
from dvonn.engine import EngineMissingError, choose
from dvonn.puzzles import PuzzlesMissingError
position = Position.initial()
for placement in balanced_start(3):
    position = position.play(placement)
print(choose(position, level=1) in position.legal_moves())
try:
    choose(position, level=12)
except EngineMissingError as error:
    print(error)
try:
    from dvonn.puzzles import load
except PuzzlesMissingError as error:
    print(error)
loaded = {name.partition(".")[0] for name in sys.modules}
print(loaded - set(sys.stdlib_module_names) - {"__main__"})
"""


def test_the_game_package_needs_no_dependencies(game: Path, tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    call(sys.executable, "-m", "venv", "--without-pip", environment)
    call_pip(
        environment, "install", "--no-index", "--no-compile", game
    )  # with dependencies, of which there are none

    plays, missing, lacking, loaded = run_python(environment, ALONE, tmp_path)

    assert plays == "True"
    assert missing == "the machine player needs numba: python -m pip install numba numpy"
    assert lacking == "the puzzles need the package dvonn-lessons"
    assert loaded == "{'dvonn'}"


async def test_it_tells_its_version(host: Host) -> None:
    assert await host.run("--version") == (0, f"dvonn-bot {bot.__version__}\n")


async def test_it_refuses_to_start_without_a_token(host: Host) -> None:
    status, written = await host.run()

    assert status == 2
    assert written == "dvonn-bot: DISCORD_TOKEN isn't set; .env.example shows how\n"


async def test_it_plays(host: Host) -> None:
    async with Sandbox(rate_limits=RateLimits.generous(), patience=PATIENCE) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        process = await host.start(DISCORD_TOKEN=world.token, DISCORD_API_URL=world.api_url)
        try:
            await world.wait_ready()
            terms = {"colour": "white", "start": "placement"}
            challenge = await use(ann, channel, "challenge", opponent=bob, **terms)
            assert challenge.message is not None
            await bob.click(challenge.message, "Accept")
            await channel.wait_for(_is_board(0))
            await ann.say(channel, "d2")
            await channel.wait_for(_is_board(1))
            # The strong levels are compiled first, into a folder that is writable for the bot.
            alone = guild.create_channel("alone")
            level = 12 if find_spec("numba") else 1
            await use(ann, alone, "play", level=level, colour="white", start="placement")
            await alone.wait_for(_is_board(0))
            await ann.say(alone, "e3")
            await alone.wait_for(_is_board(2))
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

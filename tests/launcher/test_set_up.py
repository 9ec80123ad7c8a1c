"""Tests for a whole setup in miniature: real venv, real pip, and the bot's process."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.launcher.conftest import (
    PRETENDED_TESTS,
    PROJECT,
    PYPROJECT,
    TOKEN,
    Checkout,
    copied,
    machine_environment,
)

pytestmark = pytest.mark.thorough("environments are made by real pip, as .ci/run does each time")


def test_the_console_script_works_in_any_folder(ready_checkout: Checkout, tmp_path: Path) -> None:
    done = ready_checkout.run("check", "--loud", folder=tmp_path)

    report = ready_checkout.report(done)
    assert report["arguments"] == ["check", "--loud"]
    assert report["folder"] == str(ready_checkout.root)
    assert report["prefix"] == str(ready_checkout.root / ".venv")


def test_a_second_start_has_nothing_to_do_and_says_nothing(ready_checkout: Checkout) -> None:
    assert ready_checkout.run("check", DISCORD_TOKEN=TOKEN).stderr == ""


@contextmanager
def settings(checkout: Checkout, content: bytes) -> Iterator[None]:
    file = checkout.root / ".env"
    file.write_bytes(content)
    try:
        yield
    finally:
        file.unlink()


@pytest.mark.parametrize(
    "content",
    [
        b"# settings\nDISCORD_TOKEN=abc\n",
        b" export discord_token = 'a b' # mine\n",
        b"DISCORD_TOKEN=abc\r\n",
        b'X="1\n2"\nDISCORD_TOKEN=abc',
        "DISCORD_TOKEN=abc\n# für mich\n".encode("utf-8-sig"),
        "DISCORD_TOKEN=abc\n".encode("utf-16"),  # as Windows' shell writes it
    ],
    ids=["plain", "dressed", "Windows", "beside a long one", "marked", "UTF-16"],
)
def test_a_token_in_the_env_file_starts_the_bot(ready_checkout: Checkout, content: bytes) -> None:
    with settings(ready_checkout, content):
        report = ready_checkout.report(ready_checkout.run())

    assert report["arguments"] == []
    assert Path(report["file"]) == ready_checkout.root / "bot" / "__main__.py"


@pytest.mark.parametrize(
    "content",
    ["DISCORD_TOKEN=für".encode("latin-1"), b'DISCORD_TOKEN="abc\n', b"DISCORD_TOKN=abc"],
    ids=["another encoding", "an open quotation mark", "misspelled"],
)
def test_a_possible_token_does_not_start_the_sandbox(
    ready_checkout: Checkout, content: bytes
) -> None:
    """The bot reports what is wrong, together with everything else."""
    with settings(ready_checkout, content):
        report = ready_checkout.report(ready_checkout.run())

    assert Path(report["file"]) == ready_checkout.root / "bot" / "__main__.py"


def is_the_sandbox(checkout: Checkout, done: subprocess.CompletedProcess[str]) -> None:
    report = checkout.report(done)
    assert Path(report["file"]) == checkout.root / "demo" / "local.py"
    assert report["prefix"] == str(checkout.root / ".venv")
    assert ".env.example" in done.stderr


@pytest.mark.parametrize(
    "line",
    ["DISCORD_TOKEN=", 'DISCORD_TOKEN=""', "DISCORD_TOKEN=  # here", "# DISCORD_TOKEN=abc", "X=1"],
)
def test_without_a_token_it_is_the_sandbox(ready_checkout: Checkout, line: str) -> None:
    with settings(ready_checkout, f"{line}\n".encode()):
        is_the_sandbox(ready_checkout, ready_checkout.run())


def test_without_a_file_and_a_token_it_is_the_sandbox(ready_checkout: Checkout) -> None:
    is_the_sandbox(ready_checkout, ready_checkout.run())
    is_the_sandbox(ready_checkout, ready_checkout.run(DISCORD_TOKEN=" "))


def test_the_sandboxs_options_go_to_it(ready_checkout: Checkout) -> None:
    alone = ready_checkout.run("--port", "9000", "--folder", "here")
    named = ready_checkout.run("sandbox", "--port", "9000", DISCORD_TOKEN="a token")

    assert ready_checkout.report(alone)["arguments"] == ["--port", "9000", "--folder", "here"]
    report = ready_checkout.report(named)
    assert Path(report["file"]) == ready_checkout.root / "demo" / "local.py"
    assert report["arguments"] == ["--port", "9000"]
    assert named.stderr == ""


def test_only_a_changed_lock_is_installed(ready_checkout: Checkout) -> None:
    lock = ready_checkout.root / "locks" / "run.txt"
    lock.write_text("# another version\n", encoding="utf-8")

    changed = ready_checkout.run("check", DISCORD_TOKEN=TOKEN)
    unchanged = ready_checkout.run("check", DISCORD_TOKEN=TOKEN)

    assert changed.stderr.splitlines() == ["run: installing the bot's packages"]
    assert unchanged.stderr == ""


def test_the_sandbox_needs_no_engine_and_keeps_one_in_step_that_was_asked_for(
    ready_checkout: Checkout, tmp_path: Path
) -> None:
    fresh = copied(ready_checkout.root, tmp_path / "fresh")
    state = fresh.root / ".venv" / "set-up.json"
    done = json.loads(state.read_text(encoding="utf-8"))
    del done["steps"]["engine"], done["steps"]["project"]
    state.write_text(json.dumps(done), encoding="utf-8")
    lock = fresh.root / "locks" / "engine.txt"

    without = fresh.run("sandbox")
    asked = fresh.run("engine")
    lock.write_text("# another version\n", encoding="utf-8")
    renewed = fresh.run("sandbox")
    lock.write_text(NO_SUCH_WHEEL, encoding="utf-8")
    missing = [fresh.run("engine", PIP_NO_INDEX="1", PIP_FIND_LINKS="") for _ in range(2)]

    assert without.stderr == ""
    assert asked.returncode == 0
    assert asked.stderr == renewed.stderr == "run: installing the machine player\n"
    for item in missing:
        assert item.returncode == 2
        assert item.stderr.endswith(
            "run: the machine player could not be installed; everything else works\n"
        )


def _wheel(folder: Path) -> Path:
    """An empty package."""
    wheel = folder / "tiny-1-py3-none-any.whl"
    about = "tiny-1.dist-info/"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr(f"{about}METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n")
        file.writestr(f"{about}WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr(f"{about}RECORD", "")
    return wheel


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_on_a_terminal_it_says_how_far_it_is(ready_checkout: Checkout, tmp_path: Path) -> None:
    fresh = copied(ready_checkout.root, tmp_path / "fresh")
    lock = fresh.root / "locks" / "engine.txt"
    digest = hashlib.sha256(_wheel(tmp_path).read_bytes()).hexdigest()
    lock.write_text(f"tiny==1 --hash=sha256:{digest}\n", encoding="utf-8")
    ours, theirs = os.openpty()
    with subprocess.Popen(
        fresh.command("engine"),
        env=machine_environment() | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": tmp_path.as_uri()},
        stderr=theirs,
    ) as process:
        process.wait()
    os.close(theirs)
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert process.returncode == 0
    for how_far in ("", ": package 1 of 1", ": unpacking"):
        assert f"\rrun: installing the machine player{how_far} " in said


@pytest.fixture
def tested_checkout(ready_checkout: Checkout) -> Iterator[Checkout]:
    """A checkout in which `./run test` prints its arguments, without any test dependencies."""
    pytest_module = ready_checkout.root / "pytest.py"
    pytest_module.write_text(PRETENDED_TESTS, encoding="utf-8")
    yield ready_checkout
    pytest_module.unlink()


NO_SUCH_WHEEL = "little==2 --hash=sha256:" + "0" * 64 + "\n"


def test_optional_packages_may_fail_until_their_lock_changes(
    tested_checkout: Checkout,
) -> None:
    lock = tested_checkout.root / "locks" / "engine.txt"

    def run_where_nothing_is_there() -> subprocess.CompletedProcess[str]:
        return tested_checkout.run("test", "-k", "one", PIP_NO_INDEX="1", PIP_FIND_LINKS="")

    try:
        # No such package is searched: without a hash, pip refuses it at once.
        lock.write_text("little==2\n", encoding="utf-8")
        refused = tested_checkout.run("test", "-k", "one")
        lock.write_text(NO_SUCH_WHEEL, encoding="utf-8")
        first = run_where_nothing_is_there()
        again = [run_where_nothing_is_there().stderr for _ in range(2)]
    finally:
        lock.write_text("# another version\n", encoding="utf-8")
    changed = tested_checkout.run("test", PYTHONDONTWRITEBYTECODE="1")

    for item in (refused, first):
        assert (item.returncode, item.stdout) == (0, "['-k', 'one']\n")
        assert item.stderr.count("going on without it") == 1
    assert "until its lock changes" not in refused.stderr
    assert "run: going on without it until its lock changes: ERROR: No matching" in first.stderr
    assert again == ["", ""]
    # It is tried again, and everything else stays.
    assert len(changed.stderr.splitlines()) == 1
    assert changed.stderr.startswith("run: installing")
    assert "PYTHONDONTWRITEBYTECODE" not in changed.stdout  # the tests' processes share bytecode


def test_an_unreachable_index_is_tried_again_at_the_next_start(tested_checkout: Checkout) -> None:
    lock = tested_checkout.root / "locks" / "engine.txt"
    lock.write_text(NO_SUCH_WHEEL, encoding="utf-8")

    def run_without_an_index() -> subprocess.CompletedProcess[str]:
        return tested_checkout.run(
            "test",
            PIP_CONFIG_FILE=os.devnull,
            PIP_INDEX_URL="http://127.0.0.1:9/simple",
            PIP_RETRIES="0",
            PIP_FIND_LINKS="",
        )

    try:
        tries = [run_without_an_index() for _ in range(2)]
    finally:
        lock.write_text("# mended again\n", encoding="utf-8")
    mended = tested_checkout.run("test")

    for item in tries:
        assert item.returncode == 0
        assert "run: installing the machine player" in item.stderr
        assert "run: going on without it: ERROR: No matching distribution" in item.stderr
    assert mended.stderr == "run: installing the machine player\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
def test_a_linked_environment_is_used_and_never_recreated(
    ready_checkout: Checkout, tmp_path: Path
) -> None:
    home, elsewhere = ready_checkout.root / ".venv", tmp_path / "elsewhere"
    home.rename(elsewhere)
    home.symlink_to(elsewhere)
    state = elsewhere / "set-up.json"
    kept = state.read_bytes()
    try:
        used = ready_checkout.run("check", DISCORD_TOKEN=TOKEN)
        state.unlink()  # as after an interrupted setup
        done = ready_checkout.run("check", DISCORD_TOKEN=TOKEN)
    finally:
        state.write_bytes(kept)
        home.unlink()
        elsewhere.rename(home)

    assert used.stderr == ""
    assert ready_checkout.report(used)["arguments"] == ["check"]
    assert done.returncode == 2
    assert f"run: .venv is a link to {elsewhere}, " in done.stderr
    assert (home / "pyvenv.cfg").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot exec")
def test_signals_reach_the_bot_itself(ready_checkout: Checkout) -> None:
    with subprocess.Popen(
        ready_checkout.command("check", "wait"),
        env=machine_environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        report = json.loads(process.stdout.readline())
        assert report["pid"] == process.pid
        assert process.stdout.readline() == "waiting\n"
        os.kill(process.pid, signal.SIGTERM)

    assert process.returncode == 7


def test_benchmarks_run_one_or_all_and_report_failures(ready_checkout: Checkout) -> None:
    folder = ready_checkout.root / "benchmarks"
    folder.mkdir()
    (folder / "helper.py").touch()
    script = 'import sys\nif __name__ == "__main__":\n    print(*sys.argv[1:])\n    '
    (folder / "fast.py").write_text(script, encoding="utf-8")
    (folder / "slow.py").write_text(script + "sys.exit(3)", encoding="utf-8")

    one = ready_checkout.run("bench", "fast", "--rounds", "2")
    every = ready_checkout.run("bench")
    unknown = ready_checkout.run("bench", "helper")

    assert (one.returncode, one.stdout) == (0, "--rounds 2\n")
    assert (every.returncode, every.stdout) == (1, "\n\n")
    assert unknown.returncode == 2
    assert "only fast, slow" in unknown.stderr


def test_a_failure_is_reported_and_its_results_are_not_used(ready_checkout: Checkout) -> None:
    """A missing state is recreated, which another test covers."""
    lock = ready_checkout.root / "locks" / "build.txt"
    state = ready_checkout.root / ".venv" / "set-up.json"
    kept = state.read_bytes()
    lock.write_text("one package == two\n", encoding="utf-8")
    try:
        failed = ready_checkout.run("check", DISCORD_TOKEN=TOKEN)
        left = state.exists()
    finally:
        lock.write_text("", encoding="utf-8")
        state.write_bytes(kept)

    assert failed.returncode == 2
    assert "Invalid requirement" in failed.stderr
    assert "this failed" in failed.stderr
    assert not left


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
def test_nothing_is_emptied_through_a_link_and_moved_parts_are_recreated(
    ready_checkout: Checkout, tmp_path: Path
) -> None:
    moved = Checkout(tmp_path / "moved")
    shutil.copytree(ready_checkout.root, moved.root, symlinks=True)
    theirs, home = tmp_path / "theirs", moved.root / ".venv"
    (theirs / "folder").mkdir(parents=True)
    (theirs / "folder" / "letter").write_text("Dear Ann", encoding="utf-8")
    home.rename(tmp_path / "aside")
    home.symlink_to(theirs)

    refused = moved.run("check", DISCORD_TOKEN=TOKEN)
    home.unlink()
    (tmp_path / "aside").rename(home)  # made for another folder
    done = moved.run("check", DISCORD_TOKEN=TOKEN)

    assert refused.returncode == 2
    assert refused.stderr == (
        f"run: .venv is a link to {theirs}, and ./run only empties its own folder. "
        "Remove the link and start again; ./run makes a folder there.\n"
    )
    assert [path.name for path in theirs.rglob("*")] == ["folder", "letter"]
    assert "creating the environment" in done.stderr
    report = moved.report(done)
    assert report["arguments"] == ["check"]
    assert report["prefix"] == str(home)


UV = """\
import pathlib, sys
written = sys.argv[sys.argv.index("--output-file") + 1]
words = "".join(f"# {word}\\n" for word in sys.argv[1:])
pathlib.Path(written).write_text("little==2.9\\nlittle==2.8.3 ; python_version < '3'\\n" + words)
"""


@pytest.fixture
def locked(ready_checkout: Checkout, tmp_path: Path) -> Checkout:
    """A checkout with a uv that records its arguments."""
    locked = copied(ready_checkout.root, tmp_path / "locked")
    uv = locked.root / "uv"  # it takes precedence over installed packages
    uv.mkdir()
    (uv / "__main__.py").write_text(UV, encoding="utf-8")
    (locked.root / "pyproject.toml").write_text(
        PYPROJECT + "[project.optional-dependencies]\nengine = []\ngym = []\n", encoding="utf-8"
    )
    return locked


@pytest.mark.parametrize(
    ("version", "goes_back"), [("2.10", True), ("2.9", False), ("2.8.9", False)]
)
def test_no_lock_goes_back(version: str, *, goes_back: bool, locked: Checkout) -> None:
    lock = locked.root / "locks" / "build.txt"
    before = f"little==2.8.3 ; python_version < '3'\nlittle=={version}\n"
    lock.write_text(before, encoding="utf-8")

    done = locked.run("lock")

    assert done.returncode == (2 if goes_back else 0)
    assert (lock.read_text(encoding="utf-8") == before) is goes_back
    said = (
        "run: locks/build.txt is unchanged, because little would be downgraded: "
        "its version is younger than 7 days.\n"
    )
    assert (said in done.stderr) is goes_back


def test_locks_are_written_with_a_cooldown_that_a_mend_may_pass_over(locked: Checkout) -> None:
    mend = "--exclude-newer-package=pillow=2030-01-01"

    done = locked.run("lock", mend)

    assert done.returncode == 0, done.stderr
    assert "creating the environment" not in done.stderr
    locks = sorted((locked.root / "locks").iterdir())
    assert len(locks) == len(list((PROJECT / "locks").iterdir()))
    for lock in locks:
        words = lock.read_text(encoding="utf-8").replace("# ", "").splitlines()
        assert words[words.index("--exclude-newer") + 1] == "7 days"
        assert {"--generate-hashes", "--no-header", mend} <= set(words)

"""Tests that compiled code is stored only where nobody else can write."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dvonn.engine import cache
from dvonn.engine.cache import private_folder

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows tells no owners: only folders of the user are taken"
)
needs_root = pytest.mark.skipif(
    sys.platform == "win32" or os.getuid() != 0, reason="only root can give files to another user"
)

# One small function is enough to see what is compiled and loaded, and from where.
SMALL = """
import json
from dvonn.engine.cache import cache_folder
from dvonn.engine.jit import compiled

@compiled
def double(number):
    return number + number

assert double(21) == 42
folder = cache_folder()
print(json.dumps([folder and str(folder), sum(double.stats.cache_hits.values())]))
"""

# It stays in the middle of that until it is told to continue.
SLOWLY = """
from numba.core import types
from numba.extending import intrinsic
from dvonn.engine.jit import compiled

@intrinsic
def slow(typing_context, number):
    def generate(context, builder, signature, arguments):
        print("compiles", flush=True)
        input()
        return arguments[0]
    return types.int64(types.int64), generate

@compiled
def same(number):
    return slow(number)

print("asks", flush=True)
same(1)
print("loaded", sum(same.stats.cache_hits.values()))
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder like a home: owned by us, and writable by nobody else."""
    folder = tmp_path / "base"
    folder.mkdir(mode=0o755)
    return folder


def mode(path: Path) -> int:
    return path.lstat().st_mode & 0o777


def test_the_cache_folder_and_its_parents_are_private(base: Path) -> None:
    before = os.umask(0)
    try:
        folder = private_folder(base / "one" / "two")
    finally:
        os.umask(before)

    assert folder == base / "one" / "two"
    assert (mode(folder), mode(folder.parent), mode(base)) == (0o700, 0o700, 0o755)
    assert private_folder(folder) == folder


def test_the_cache_stays_valid_with_any_umask(base: Path) -> None:
    folder = private_folder(base / "kept")
    (folder / "below").mkdir()
    (folder / "below").chmod(0o777)
    (folder / "below" / "index").touch()
    (folder / "below" / "index").chmod(0o666)

    assert private_folder(folder) == folder


@pytest.mark.parametrize("opened", [0o770, 0o707, 0o750, 0o705, 0o777])
def test_one_that_is_open_to_others_is_refused_and_left_as_it_is(base: Path, opened: int) -> None:
    folder = base / "open"
    folder.mkdir()
    folder.chmod(opened)

    with pytest.raises(PermissionError, match=r"open (is not private|can be written)"):
        private_folder(folder)

    assert mode(folder) == opened


@pytest.mark.parametrize("opened", [0o775, 0o757, 0o777])
def test_one_below_a_folder_that_others_can_write_to_is_refused(base: Path, opened: int) -> None:
    (base / "between").mkdir()
    base.chmod(opened)

    for folder in (base / "new", base / "between" / "new", base / "no" / "new"):
        with pytest.raises(PermissionError, match="can be written to by others"):
            private_folder(folder)
        assert not folder.exists()


def test_among_temporary_files_a_folder_of_ours_is_ours(base: Path) -> None:
    base.chmod(0o1777)

    assert private_folder(base / "new") == base / "new"


def test_a_link_in_its_place_is_not_followed(base: Path) -> None:
    elsewhere = private_folder(base / "elsewhere")
    (base / "link").symlink_to(elsewhere)
    (base / "astray").symlink_to(base / "nothing")

    for name in ("link", "astray"):
        with pytest.raises(OSError, match=f"{name}|nothing"):
            private_folder(base / name)
    assert not (base / "nothing").exists()


def test_a_link_of_ours_above_it_is_resolved_once(base: Path) -> None:
    # Like /var/lib/NAME as systemd makes it for a service with a dynamic user.
    real = private_folder(base / "real")
    (base / "link").symlink_to(real)

    assert private_folder(base / "link" / "new") == real / "new"


def test_a_link_leads_nowhere_that_others_can_write_to(base: Path) -> None:
    opened = base / "open"
    opened.mkdir()
    opened.chmod(0o777)
    (base / "link").symlink_to(opened)

    with pytest.raises(PermissionError, match="can be written to by others"):
        private_folder(base / "link" / "new")


def test_a_symbolic_link_in_the_cache_is_refused(base: Path) -> None:
    folder = private_folder(base / "kept")
    (base / "index").touch()
    (folder / "index").symlink_to(base / "index")

    with pytest.raises(PermissionError, match="index is a link or belongs to another user"):
        private_folder(folder)


def test_a_file_in_its_place_is_refused(base: Path) -> None:
    (base / "file").touch(mode=0o600)

    with pytest.raises(NotADirectoryError):
        private_folder(base / "file")
    with pytest.raises(NotADirectoryError):
        private_folder(base / "file" / "new")


@needs_root
class TestWhatBelongsToAnotherUser:
    def test_the_folder(self, base: Path) -> None:
        (base / "theirs").mkdir(mode=0o700)
        os.chown(base / "theirs", NOBODY, NOBODY)

        for folder in (base / "theirs", base / "theirs" / "new"):
            with pytest.raises(PermissionError, match="belongs to another user"):
                private_folder(folder)
        assert list((base / "theirs").iterdir()) == []

    def test_a_link_to_a_folder_of_ours(self, base: Path) -> None:
        real = private_folder(base / "real")
        (base / "link").symlink_to(real)
        os.lchown(base / "link", NOBODY, NOBODY)

        with pytest.raises(PermissionError, match="link belongs to another user"):
            private_folder(base / "link" / "new")

    def test_a_file_that_was_put_there_while_it_was_open(self, base: Path) -> None:
        folder = private_folder(base / "kept")
        (folder / "below").mkdir()
        (folder / "below" / "index").touch()
        os.chown(folder / "below" / "index", NOBODY, NOBODY)

        with pytest.raises(PermissionError, match="index is a link or belongs to another user"):
            private_folder(folder)


def package(folder: Path, script: str) -> Path:
    """A script with a copy of the game whose engine can't write beside its sources."""
    home = folder / "package"
    if not home.exists():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "dvonn", home / "dvonn", ignore=ignored)
        # Root can write anywhere, so a file takes the folder's place.
        (home / "dvonn" / "engine" / "__pycache__").touch()
    (home / "script.py").write_text(script, encoding="utf-8")
    return home


def environment(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **more}


def run(script: str, folder: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a script beside a copy of the game."""
    home = package(folder, script)
    done = subprocess.run(
        [sys.executable, home / "script.py"],
        cwd=home,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def compile_small(folder: Path, **more: str) -> tuple[Path | None, int]:
    """Return where a compiled function is stored, and how often it was loaded from there."""
    kept, loaded = json.loads(run(SMALL, folder, **more).stdout)
    return kept and Path(kept), loaded


class Process(subprocess.Popen[str]):
    """A process that compiles, and reports its progress."""

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        super().__init__(
            [sys.executable, home / "script.py"],
            cwd=home,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def read_line(self) -> str:
        """Return the next line of its output, or None if it has ended."""
        assert self.stdout
        return self.stdout.readline().rstrip()


class Marking:
    """Something that leaves a file behind when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.file,)


WHERE = "from dvonn.engine.cache import cache_folder; print(cache_folder().parent)"


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"HOME": "home"}, "home/.cache/dvonn"),
        ({"HOME": "home", "XDG_CACHE_HOME": "caches"}, "caches/dvonn"),
        ({"HOME": "home", "CACHE_DIRECTORY": "one:two", "XDG_CACHE_HOME": "caches"}, "one"),
        ({"HOME": "home", "CACHE_DIRECTORY": "one", "NUMBA_CACHE_DIR": "named"}, "named"),
        (
            {"HOME": "home", "CACHE_DIRECTORY": "open", "NUMBA_CACHE_DIR": "open"},
            "home/.cache/dvonn",
        ),
    ],
)
def test_the_first_folder_that_is_private_is_taken(
    tmp_path: Path, environment: dict[str, str], place: str
) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    absolute = {
        name: ":".join(str(tmp_path / item) for item in value.split(":"))
        for name, value in environment.items()
    }

    done = run(WHERE, tmp_path, **absolute)

    assert done.stdout.strip() == str(tmp_path / place)
    assert done.stderr == ""


def test_a_relative_folder_of_caches_is_passed_over(tmp_path: Path) -> None:
    done = run(WHERE, tmp_path, HOME=str(tmp_path), XDG_CACHE_HOME="caches")

    assert done.stdout.strip() == str(tmp_path / ".cache" / "dvonn")


def test_a_cache_next_to_the_sources_has_priority_over_the_home_folder(
    monkeypatch: pytest.MonkeyPatch, base: Path
) -> None:
    for name in ("NUMBA_CACHE_DIR", "CACHE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(base / "caches"))
    monkeypatch.setattr(cache, "_HERE", base)
    cache.cache_folder.cache_clear()
    try:
        folder = cache.cache_folder()
    finally:
        cache.cache_folder.cache_clear()

    assert folder
    assert folder.parent == base / "__pycache__"


class TestWhereItIsKept:
    @pytest.fixture(autouse=True)
    def _numba(self) -> None:
        pytest.importorskip("numba", reason="the extra `engine` is not installed")

    def test_nothing_in_a_temporary_folder_is_unpickled(self, tmp_path: Path) -> None:
        # Someone has put a cache of the right name and format where it used to be guessed.
        mark, temporary = tmp_path / "unpickled", tmp_path / "temporary"
        kept, _ = compile_small(tmp_path, HOME=str(tmp_path / "mine"), TMPDIR=str(temporary))
        assert kept
        planted = temporary / kept.name
        shutil.copytree(kept, planted)
        for index in planted.rglob("*.nbi"):
            index.write_bytes(pickle.dumps(Marking(mark)))
        assert list(planted.rglob("*.nbi"))
        for path in (temporary, planted, *planted.rglob("*")):
            path.chmod(0o777)
            if os.getuid() == 0:
                os.chown(path, NOBODY, NOBODY)

        again, _ = compile_small(tmp_path, HOME=str(tmp_path / "another"), TMPDIR=str(temporary))

        assert not mark.exists()
        assert again
        assert again.is_relative_to(tmp_path / "another" / ".cache")
        assert mode(again) == 0o700

    @pytest.mark.thorough("three processes that compile; which folder is taken is shown above")
    def test_without_a_private_folder_it_is_compiled_in_memory_with_a_notice(
        self, tmp_path: Path
    ) -> None:
        opened = tmp_path / "open"
        opened.mkdir()
        opened.chmod(0o777)

        done = run(SMALL, tmp_path, HOME=str(opened))

        assert json.loads(done.stdout) == [None, 0]
        assert done.stderr.startswith("the machine player is recompiled at each start")
        assert f"{opened} can be written to by others" in done.stderr
        assert list(opened.iterdir()) == []

    @pytest.mark.thorough("three processes that compile; which folder is taken is shown above")
    def test_one_compiles_and_the_others_wait_and_load(self, tmp_path: Path) -> None:
        fcntl = pytest.importorskip("fcntl", reason="not on Windows")
        home, folder = package(tmp_path, SLOWLY), environment(NUMBA_CACHE_DIR=str(tmp_path))
        with Process(home, folder) as first:
            assert [first.read_line(), first.read_line()] == ["asks", "compiles"]
            (lock,) = tmp_path.glob("dvonn-engine-*/lock")
            with lock.open("rb") as file, pytest.raises(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # by now it is someone else's
            with Process(home, folder) as second:
                assert second.read_line() == "asks"
                first.kill()  # it is someone else's then
                assert second.read_line() == "compiles"
                with Process(home, folder) as third:
                    assert third.read_line() == "asks"
                    second.communicate("go on\n")
                    assert third.read_line() == "loaded 1"

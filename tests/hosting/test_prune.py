"""Tests for deploy/prune.py. test_installed.py plays in a pruned environment."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PRUNE = Path(__file__).resolve().parents[2] / "deploy" / "prune.py"

STAYS = {
    "little/__init__.py",
    "little/__pycache__/__init__.cpython-311.pyc",
    "little/tests.py",  # a module
    "little/table.dat",
    "little/read.json",
    "tests/__init__.py",  # a separate package
    "sqlalchemy/__init__.py",
    "numpy/_core/_methods.py",
    "pillow.libs/libjpeg-1.so",
    "babel/locale-data/root.dat",
    "babel/locale-data/en.dat",
    "babel/locale-data/en_GB.dat",
    "babel/locale-data/de_CH.dat",
    "babel/locale-data/es_419.dat",
    "font_source_sans_pro/files/SourceSansPro-Semibold.ttf",
}
GOES = {
    "little/tests/__init__.py",
    "little/inner/tests/data/big.csv",
    "little/fast.pyx",
    "little/fast.c",
    "little/__init__.pyi",
    "sqlalchemy/testing/__init__.py",
    "sqlalchemy/testing/suite/test_all.py",
    "numpy/_core/_umath_tests.so",
    "pillow.libs/libavif-1.so",
    "babel/locale-data/ja.dat",
    "babel/locale-data/den.dat",  # starts like the code of German
    "babel/locale-data/enx_GB.dat",
    "font_source_sans_pro/files/SourceSansPro-BoldIt.ttf",
    "font_source_sans_pro/files/SourceSansPro-Bold.otf",
}
SIZE = 1_000_000


def prune(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(PRUNE), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """An artificial environment whose files are all large and recorded."""
    folder = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    for name in STAYS | GOES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x" * SIZE)
    about = folder / "little-1.0.dist-info"
    about.mkdir()
    noted = "".join(f"{name},,\n" for name in sorted(STAYS | GOES))
    (about / "RECORD").write_text(noted, encoding="utf-8")
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    return folder


def there(packages: Path) -> set[str]:
    files = (path for path in packages.rglob("*") if path.is_file())
    return {path.relative_to(packages).as_posix() for path in files} - {
        "little-1.0.dist-info/RECORD"
    }


def test_unused_files_are_removed_and_all_others_stay(packages: Path, tmp_path: Path) -> None:
    done = prune(tmp_path / "venv")

    assert done.returncode == 0, done.stderr
    assert there(packages) == STAYS
    assert not (packages / "little" / "inner").exists()  # it is empty by now
    before, after = len(STAYS | GOES), len(STAYS)
    assert [line.split() for line in done.stdout.splitlines()] == [
        [name, f"{before:.1f}", f"{after:.1f}"] for name in ("little", "all")
    ]
    assert prune(tmp_path / "venv").stdout.split()[1] == f"{after:.1f}"  # again: nothing


@pytest.mark.skipif(sys.platform == "win32", reason="links are for those who may make them")
def test_links_are_not_followed(packages: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "tests" / "theirs.c"
    elsewhere.parent.mkdir(parents=True)
    elsewhere.touch()
    (packages / "little" / "linked").symlink_to(elsewhere.parent.parent)
    (packages / "little" / "linked.c").symlink_to(elsewhere)

    assert prune(tmp_path / "venv").returncode == 0

    assert elsewhere.exists()
    assert (packages / "little" / "linked.c").is_symlink()


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("strip") is None, reason="there is no GNU strip here"
)
def test_symbols_are_removed_and_another_environments_file_is_unchanged(
    packages: Path, tmp_path: Path
) -> None:
    greenlet = find_spec("greenlet")
    assert greenlet is not None
    source = next(Path(str(greenlet.origin)).parent.glob("_greenlet*.so"))
    theirs = tmp_path / "theirs.so"
    shutil.copy(source, theirs)
    for folder in ("little", "pillow.libs"):
        os.link(theirs, packages / folder / "compiled.so")
    whole = source.stat().st_size

    assert prune(tmp_path / "venv").returncode == 0

    assert (packages / "little" / "compiled.so").stat().st_size < whole
    assert (packages / "pillow.libs" / "compiled.so").stat().st_size == whole
    assert theirs.read_bytes() == source.read_bytes()
    assert not list(packages.rglob("*.stripped"))


@pytest.mark.parametrize("arguments", [[], ["."], [".venv", "more"]], ids=str)
def test_pruning_changes_only_an_environment(
    arguments: list[str], packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(packages)

    done = prune(*arguments)

    assert done.returncode == 2
    assert done.stderr == "prune: name the folder of a virtual environment: prune.py .venv\n"
    assert there(packages) == STAYS | GOES

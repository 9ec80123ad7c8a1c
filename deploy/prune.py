"""Remove files that the bot doesn't use from an environment: `python3 deploy/prune.py .venv`.

It removes the tests, C sources and type stubs of installed packages, the debug symbols of their
compiled modules, Babel's data for languages that the bot does not speak, and everything in
`UNUSED`. Python's bytecode stays: without it, each start on a read-only file system would compile
everything again. It prints the size of each package before and after, in MB. It is safe while the
bot runs. To undo it, recreate the environment. After an upgrade, run it again.

Symbols are only removed if GNU `strip` is installed (Debian's package binutils).
"""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LOCALES = Path(__file__).resolve().parents[1] / "bot" / "base" / "locales"
"""Folder with a subfolder for each language of the bot except English."""

TESTS = "tests"
"""Name of a package's folder with tests."""
SOURCES = {
    *(".pyi", ".pyx", ".pxd", ".pxi"),
    *(".c", ".cpp", ".h", ".hpp", ".cu", ".f", ".f90", ".pyf", ".a"),
    *(() if os.name == "nt" else (".dll",)),
}
"""Extensions of files that only compilers, editors or Windows use."""
UNUSED = (
    # Helpers for the tests of other projects.
    *("alembic/testing", "mako/testing", "sqlalchemy/testing"),
    *("numpy/_core/_*tests.*", "numpy/_core/_simd.*"),
    "numpy/f2py",  # compiles Fortran
    # An image format that the bot does not use. Pillow works without it.
    *("PIL/_avif.*", "pillow.libs/libavif-*"),
    # renderer/lettering.py reads three of its 24 files.
    *(
        f"font_source_sans_pro/files/*{rest}"
        for rest in (".otf", "It.ttf", "Light.ttf", "Black.ttf")
    ),
)
"""Patterns of files in the folder of packages. A matching folder is removed with its content."""
LANGUAGES = "babel/locale-data"
NOT_STRIPPED = (".libs",)
"""Suffixes of folders with libraries that were modified after linking, which `strip` may break."""
_MB = 1_000_000


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not (Path(arguments[0]) / "pyvenv.cfg").is_file():
        sys.stderr.write("prune: name the folder of a virtual environment: prune.py .venv\n")
        return 2
    packages = packages_of(Path(arguments[0]))
    before = sizes(packages)
    for file in sorted({*unused(packages), *foreign_languages(packages, LOCALES)}):
        file.unlink(missing_ok=True)
    strip(packages)
    _take_out_empty_folders(packages)
    after = sizes(packages)
    for name, size in sorted(before.items(), key=lambda item: -item[1]):
        sys.stdout.write(f"{name:24} {size / _MB:6.1f} {after[name] / _MB:6.1f}\n")
    every = (sum(sizes.values()) / _MB for sizes in (before, after))
    sys.stdout.write("{:24} {:6.1f} {:6.1f}\n".format("all", *every))
    return 0


def packages_of(environment: Path) -> Path:
    """Return an environment's folder of packages."""
    windows = environment / "Lib" / "site-packages"
    return windows if windows.is_dir() else next(environment.glob("lib/python3*/site-packages"))


def sizes(packages: Path) -> dict[str, int]:
    """Return the total size of each package's files in bytes, including bytecode."""
    total_by_name = {}
    for record in packages.glob("*.dist-info/RECORD"):
        with record.open(encoding="utf-8", newline="") as lines:
            files = [packages / row[0] for row in csv.reader(lines)]
        name = record.parent.name.partition("-")[0]
        total_by_name[name] = sum(file.stat().st_size for file in files if file.is_file())
    return total_by_name


def unused(packages: Path) -> Iterator[Path]:
    """Yield the packages' files that are never read at run time."""
    for file in _files(packages):
        inside = file.relative_to(packages)
        if TESTS in inside.parts[1:-1] or file.suffix in SOURCES:
            yield file
    for pattern in UNUSED:
        for path in packages.glob(pattern):
            yield from _files(path) if path.is_dir() else [path]


def foreign_languages(packages: Path, locales: Path) -> Iterator[Path]:
    """Yield Babel's files for languages without a catalogue, in all their countries."""
    catalogues = (path.parent.name for path in locales.glob("*/LC_MESSAGES"))
    spoken = {"en", "root", *(name.partition("_")[0] for name in catalogues)}
    for file in (packages / LANGUAGES).glob("*.dat"):
        if file.stem.partition("_")[0] not in spoken:
            yield file


def strip(packages: Path) -> None:
    """Remove symbols, which only debuggers read, from compiled modules.

    Each one is written to a new file, because the old file may be hard-linked to another
    environment.
    """
    tool = shutil.which("strip")
    if tool is None:
        sys.stderr.write("prune: there is no strip here (Debian: apt install binutils)\n")
        return
    for file in _files(packages):
        if ".so" not in file.suffixes or file.relative_to(packages).parts[0].endswith(NOT_STRIPPED):
            continue
        stripped = file.with_name(f"{file.name}.stripped")
        command = [tool, "--strip-unneeded", "-o", str(stripped), str(file)]
        result = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - of this system
        if result.returncode == 0 and stripped.stat().st_size < file.stat().st_size:
            stripped.chmod(file.stat().st_mode)
            stripped.replace(file)
        stripped.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder in sorted order, without symbolic links."""
    for place, _, names in sorted(os.walk(folder)):
        yield from (file for name in names if not (file := Path(place, name)).is_symlink())


def _take_out_empty_folders(packages: Path) -> None:
    for place, _, _ in os.walk(packages, topdown=False):
        if not any(Path(place).iterdir()):
            Path(place).rmdir()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Makes an environment small: `python3 deploy/prune.py .venv`; a running bot misses nothing.

Out go others' tests, their sources in C and their type stubs, the symbols in their compiled parts,
the languages that the bot does not speak, and the rest of `UNUSED`. Python's compiled modules stay:
without them each start where nothing can be written compiles everything again. It prints what each
package took and takes, in MB. Recreating an environment undoes it. What an upgrade
installs later comes whole, and another call prunes that.

Symbols go where there is GNU `strip`, which Debian has in its package binutils.
"""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LOCALES = Path(__file__).resolve().parents[1] / "bot" / "base" / "locales"
"""A folder for each language of the bot; English needs none."""

TESTS = "tests"
"""The name of every package's folder of tests."""
SOURCES = {
    *(".pyi", ".pyx", ".pxd", ".pxi"),
    *(".c", ".cpp", ".h", ".hpp", ".cu", ".f", ".f90", ".pyf", ".a"),
    *(() if os.name == "nt" else (".dll",)),
}
"""Endings of others' files that are for compilers and editors, or for Windows."""
UNUSED = (
    # What tests of other projects are written with.
    *("alembic/testing", "mako/testing", "sqlalchemy/testing"),
    *("numpy/_core/_*tests.*", "numpy/_core/_simd.*"),
    "numpy/f2py",  # compiles Fortran
    # A format of pictures that nothing here reads or writes; Pillow asks whether it is there.
    *("PIL/_avif.*", "pillow.libs/libavif-*"),
    # renderer/lettering.py reads three of its 24 files.
    *(
        f"font_source_sans_pro/files/*{rest}"
        for rest in (".otf", "It.ttf", "Light.ttf", "Black.ttf")
    ),
)
"""Patterns in the folder of packages; what matches a folder matches all in it."""
LANGUAGES = "babel/locale-data"
NOT_STRIPPED = (".libs",)
"""Endings of folders whose libraries were changed after they were linked: strip may break these."""
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
    for name, size in sorted(before.items(), key=lambda one: -one[1]):
        sys.stdout.write(f"{name:24} {size / _MB:6.1f} {after[name] / _MB:6.1f}\n")
    every = (sum(sizes.values()) / _MB for sizes in (before, after))
    sys.stdout.write("{:24} {:6.1f} {:6.1f}\n".format("all", *every))
    return 0


def packages_of(environment: Path) -> Path:
    """Return the folder in which an environment has its packages."""
    windows = environment / "Lib" / "site-packages"
    return windows if windows.is_dir() else next(environment.glob("lib/python3*/site-packages"))


def sizes(packages: Path) -> dict[str, int]:
    """Return the bytes of each package's files, with its compiled modules."""
    found = {}
    for record in packages.glob("*.dist-info/RECORD"):
        with record.open(encoding="utf-8", newline="") as lines:
            files = [packages / row[0] for row in csv.reader(lines)]
        name = record.parent.name.partition("-")[0]
        found[name] = sum(file.stat().st_size for file in files if file.is_file())
    return found


def unused(packages: Path) -> Iterator[Path]:
    """Yield the files of packages that no program reads while it runs."""
    for file in _files(packages):
        inside = file.relative_to(packages)
        if TESTS in inside.parts[1:-1] or file.suffix in SOURCES:
            yield file
    for pattern in UNUSED:
        for found in packages.glob(pattern):
            yield from _files(found) if found.is_dir() else [found]


def foreign_languages(packages: Path, locales: Path) -> Iterator[Path]:
    """Yield Babel's files of languages without a catalogue; of the others all countries stay."""
    catalogues = (path.parent.name for path in locales.glob("*/LC_MESSAGES"))
    spoken = {"en", "root", *(name.partition("_")[0] for name in catalogues)}
    for file in (packages / LANGUAGES).glob("*.dat"):
        if file.stem.partition("_")[0] not in spoken:
            yield file


def strip(packages: Path) -> None:
    """Take the symbols out of compiled parts, which only debuggers read.

    Each is written to a new file, because it may be a hard link to that of another environment.
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
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - of this system
        if done.returncode == 0 and stripped.stat().st_size < file.stat().st_size:
            stripped.chmod(file.stat().st_mode)
            stripped.replace(file)
        stripped.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[Path]:
    """Yield every file in a folder, sorted; what a link leads to is somebody else's."""
    for place, _, names in sorted(os.walk(folder)):
        yield from (file for name in names if not (file := Path(place, name)).is_symlink())


def _take_out_empty_folders(packages: Path) -> None:
    for place, _, _ in os.walk(packages, topdown=False):
        if not any(Path(place).iterdir()):
            Path(place).rmdir()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Check that all wheels exist for another machine: `python deploy/wheels.py aarch64 3.13`.

For each requirement in the locks run, build and engine that applies to such a machine and Python,
it asks the package index that pip is configured to use. If a package has no wheel, it prints its
name and exits with status 1. Nothing is installed, and for most packages only the metadata is
fetched.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("run", "build", "engine")
_LINE = re.compile(r"^([A-Za-z0-9][^\\#\n]*?==[^\\\n]+?)\s*\\?$", re.MULTILINE)
_NEWEST_GLIBC = 36
"""The minor version in Raspberry Pi OS and Debian 12."""
_OLDEST_GLIBC = 17


def wanted(lock: str, machine: str, python: str) -> Iterator[str]:
    """Yield the packages, with versions, that a kind of machine installs from a lock."""
    environment = {name: str(value) for name, value in default_environment().items()} | {
        "platform_machine": machine,
        "platform_system": "Linux",
        "sys_platform": "linux",
        "os_name": "posix",
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    for line in _LINE.findall((ROOT / "locks" / f"{lock}.txt").read_text(encoding="utf-8")):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            yield f"{requirement.name}{requirement.specifier}"


def has_wheel(package: str, machine: str, python: str) -> bool:
    """Return True if pip finds a wheel of a package for a kind of machine."""
    glibcs = [f"2_{minor}" for minor in range(_NEWEST_GLIBC, _OLDEST_GLIBC - 1, -1)]
    platforms = [*(f"manylinux_{glibc}_{machine}" for glibc in glibcs), f"manylinux2014_{machine}"]
    platform_options = [part for platform in platforms for part in ("--platform", platform)]
    with tempfile.TemporaryDirectory() as folder:
        command = (
            *(sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps"),
            *("--ignore-installed", "--only-binary", ":all:", "--target", folder),
            "--ignore-requires-python",  # pip compares it with the Python that runs it
            *("--implementation", "cp", "--python-version", python),
        )
        all_words = [*command, *platform_options, package]
        result = subprocess.run(all_words, capture_output=True, check=False)  # noqa: S603 - of a lock
    return result.returncode == 0


def main(arguments: list[str]) -> int:
    machine, python = arguments
    missing = []
    for lock in LOCKS:
        packages = list(wanted(lock, machine, python))
        lacking = [package for package in packages if not has_wheel(package, machine, python)]
        sys.stdout.write(f"{lock}: {len(packages) - len(lacking)} of {len(packages)} have wheels\n")
        missing += lacking
    sys.stdout.writelines(f"no wheel: {package}\n" for package in missing)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python deploy/release_notes.py v1.2.3` prints that release's section of CHANGELOG.md.

If the tag, the version in `dvonn/__init__.py` and the changelog do not agree, nothing may be
released: it prints the reason and exits with status 1. It requires only the standard library.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_TAG = re.compile(r"v(\d+\.\d+\.\d+)")
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_HEADING = re.compile(r"^## ", re.MULTILINE)


class CannotRelease(Exception):  # noqa: N818 - it names what happened
    """The tag, the version and the changelog do not agree."""


def release_notes(tag: str, package: str, changelog: str) -> str:
    """Return a release's section of the changelog.

    Args:
        tag: The git tag, such as "v1.2.3".
        package: The text of `dvonn/__init__.py`.
        changelog: The text of CHANGELOG.md, in the form of Keep a Changelog.

    Raises:
        CannotRelease: if the three do not agree, or there are unreleased changes.
    """
    match = _TAG.fullmatch(tag)
    if match is None:
        raise CannotRelease(f"the tag {tag} is not of the form v1.2.3")
    version = match[1]
    version_match = _VERSION.search(package)
    if version_match is None or version_match[1] != version:
        raise CannotRelease(f"the tag is {tag}, but dvonn/__init__.py does not say {version}")
    section = _section(changelog, rf"\[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d")
    if section is None:
        raise CannotRelease(f"CHANGELOG.md has no section [{version}] with a date")
    if (_section(changelog, r"\[Unreleased\]") or "").strip():
        raise CannotRelease(
            "CHANGELOG.md has something under [Unreleased]: what is tagged is released, so it "
            f"belongs under [{version}]"
        )
    notes = section.strip()
    if not notes:
        raise CannotRelease(f"CHANGELOG.md has an empty section [{version}]")
    return notes


def _section(changelog: str, heading: str) -> str | None:
    if (heading_match := re.search(rf"^## {heading}$", changelog, re.MULTILINE)) is None:
        return None
    following = _HEADING.search(changelog, heading_match.end())
    return changelog[heading_match.end() : following.start() if following else None]


def main(arguments: list[str]) -> int:
    """Print the notes for the given tag, and return the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python deploy/release_notes.py TAG\n")
        return 2
    package = (ROOT / "dvonn" / "__init__.py").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    try:
        print(release_notes(arguments[0], package, changelog))
    except CannotRelease as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

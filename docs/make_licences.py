"""`.venv/bin/python docs/make_licences.py` updates the tables in docs/licences.md.

It lists the packages of locks/run.txt, locks/engine.txt (the machine player), locks/cluster.txt
(workers on other hosts) and locks/fast.txt (pictures), with the licenses in their metadata.
"""

import re
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "docs" / "licences.md"
LOCKS = ("run", "engine", "cluster", "fast")
"""Names of locks. Each has a table in the document, in this order."""
HEAD = "| License | Packages |\n|---|---|\n"

# Not installed everywhere, so their metadata cannot always be read.
ELSEWHERE = {
    "audioop-lts": "PSF-2.0",  # only on Python 3.13 and newer
    "llvmlite": "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception",  # if it has a wheel
    "isal": "PSF-2.0",
    "psycopg-binary": "LGPL-3.0-only",
    "numpy": "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0",
}

_LOOKED_AT = {"numba": "BSD-2-Clause"}
"""Packages with incomplete metadata, whose license texts were read by a person."""

# SPDX identifiers for the names that older packages use.
_SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "License :: OSI Approved :: MIT License": "MIT",
    "SIL OFL 1.1": "OFL-1.1",
}
_EXPRESSION = re.compile(r"[A-Za-z0-9.-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.-]+)*")


def locked(lock: str) -> list[str]:
    """Return the names of a lock's packages, each once, in its order."""
    text = (ROOT / "locks" / f"{lock}.txt").read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"^([a-z0-9.-]+)(?:\[[^\]]*\])?==", text, re.MULTILINE)))


def licence(package: str) -> str:
    """Return a package's license, as an SPDX expression.

    Raises:
        LookupError: if its metadata names no known license.
    """
    if package in _LOOKED_AT:
        return _LOOKED_AT[package]
    try:
        about = metadata(package)
    except PackageNotFoundError:
        if package in ELSEWHERE:
            return ELSEWHERE[package]
        raise
    fields = ("License-Expression", "License", "Classifier")
    entries: list[str] = [entry for field in fields for entry in about.get_all(field) or []]
    for entry in entries:
        expression = _SPDX.get(entry, entry)
        if _EXPRESSION.fullmatch(expression):
            return expression
    raise LookupError(f"{package} does not name its license in a known way: {entries}")


def up_to_date() -> str:
    """Return the document with new tables."""
    first, *sections = PAPER.read_text(encoding="utf-8").split(HEAD)
    document = first
    for lock, section in zip(LOCKS, sections, strict=True):
        by_licence = defaultdict(list)
        for package in locked(lock):
            by_licence[licence(package)].append(package)
        rows = "".join(
            f"| {name} | {', '.join(by_licence[name])} |\n" for name in sorted(by_licence)
        )
        document += HEAD + rows + re.sub(r"\A(?:\|.*\n)*", "", section)
    return document


if __name__ == "__main__":
    PAPER.write_text(up_to_date(), encoding="utf-8")

"""`.venv/bin/python docs/make_licences.py` writes the tables in docs/licences.md anew.

The packages are those of locks/run.txt, of locks/engine.txt for the machine player, of
locks/cluster.txt for one on other hosts, and of locks/fast.txt for pictures. Their licences are
what they say of themselves.
"""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "docs" / "licences.md"
LOCKS = ("run", "engine", "cluster", "fast")
"""Each has a table in the paper, in this order."""
HEAD = "| Package | Licence |\n|---|---|\n"

# Not installed everywhere, so that their own words are not always at hand.
ELSEWHERE = {
    "audioop-lts": "PSF-2.0",  # only on Python 3.13 and newer
    "llvmlite": "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception",  # only where they have wheels
    "psycopg-binary": "LGPL-3.0-only",
    "numpy": "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0",
}

_LOOKED_AT = {"numba": "BSD-2-Clause"}
"""Packages that say too little: somebody has looked at the text that they bring along."""

# What older packages write, and the identifiers of SPDX that it means.
_SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "License :: OSI Approved :: MIT License": "MIT",
    "SIL OFL 1.1": "OFL-1.1",
}
_EXPRESSION = re.compile(r"[A-Za-z0-9.-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.-]+)*")


def locked(lock: str) -> list[str]:
    """Return the names of a lock's packages, in its order; one may have several versions."""
    text = (ROOT / "locks" / f"{lock}.txt").read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"^([a-z0-9.-]+)(?:\[[^\]]*\])?==", text, re.MULTILINE)))


def licence(package: str) -> str:
    """Return a package's licence, as an SPDX expression.

    Raises:
        LookupError: if it says nothing that is understood here: then somebody has to look.
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
    said: list[str] = [words for field in fields for words in about.get_all(field) or []]
    for words in said:
        expression = _SPDX.get(words, words)
        if _EXPRESSION.fullmatch(expression):
            return expression
    raise LookupError(f"{package} does not say its licence in a known way: {said}")


def up_to_date() -> str:
    """Return the paper as it should be."""
    first, *sections = PAPER.read_text(encoding="utf-8").split(HEAD)
    written = first
    for lock, section in zip(LOCKS, sections, strict=True):
        rows = "".join(f"| {package} | {licence(package)} |\n" for package in locked(lock))
        written += HEAD + rows + re.sub(r"\A(?:\|.*\n)*", "", section)
    return written


if __name__ == "__main__":
    PAPER.write_text(up_to_date(), encoding="utf-8")

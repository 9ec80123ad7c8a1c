"""`.venv/bin/python docs/make_licences.py` writes the table in docs/licences.md anew.

The packages are those of locks/run.txt, their licences what they say of themselves.
"""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "docs" / "licences.md"
LOCK = ROOT / "locks" / "run.txt"
HEAD = "| Package | Licence |\n|---|---|\n"

# Not installed everywhere, so that its own words are not always at hand.
ELSEWHERE = {"audioop-lts": "PSF-2.0"}  # only on Python 3.13 and newer

# What older packages write, and the identifiers of SPDX that it means.
_SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "License :: OSI Approved :: MIT License": "MIT",
}
_EXPRESSION = re.compile(r"[A-Za-z0-9.-]+(?: (?:AND|OR) [A-Za-z0-9.-]+)*")


def locked() -> list[str]:
    """The names of the packages that the bot runs on, in the order of the lock."""
    return re.findall(r"^([a-z0-9.-]+)==", LOCK.read_text(encoding="utf-8"), re.MULTILINE)


def licence(package: str) -> str:
    """What a package says of its licence, as an SPDX expression.

    Raises:
        LookupError: if it says nothing that is understood here: then somebody has to look.
    """
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
    """The paper as it should be."""
    rows = "".join(f"| {package} | {licence(package)} |\n" for package in locked())
    before, head, after = PAPER.read_text(encoding="utf-8").partition(HEAD)
    return before + head + rows + re.sub(r"\A(?:\|.*\n)*", "", after)


if __name__ == "__main__":
    PAPER.write_text(up_to_date(), encoding="utf-8")

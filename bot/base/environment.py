"""Reads the settings from environment variables and from `.env`.

`./run` uses this module, too: the exit status of `python -m bot.base.environment` shows whether
there is a token. It starts quickly, because it imports no other part of the bot.
"""

import os
import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from dotenv.parser import Binding, parse_stream

FILE = Path(".env")
TOKEN = "DISCORD_TOKEN"  # noqa: S105 - the setting's name

_RUN = Path(__file__).resolve().parents[2] / "run"

NO_TOKEN = 3
"""Exit status if there is no token. Status 1 would mean a bug."""

_TYPO_SIMILARITY = 0.85
"""Minimum similarity at which a name counts as a misspelled setting."""
_SUGGESTION_SIMILARITY = 0.6
"""Minimum similarity at which a setting is suggested for a name."""


class MisspelledSetting(NamedTuple):
    """A misspelled name of a setting."""

    name: str
    suggestion: str
    problem: str


class SettingsFileError(Exception):
    """The settings file cannot be read."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")
        self.name = name
        self.problem = problem


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra: `./run` in a checkout, or else pip."""
    return "./run" if _RUN.is_file() else f"pip install 'dvonn-bot[{extra}]'"


def read_settings(settings: Collection[str]) -> tuple[dict[str, str], list[MisspelledSetting]]:
    """Return the nonblank settings without surrounding spaces.

    Args:
        settings: The settings' names, in uppercase.

    Returns:
        The values by setting name, and the misspelled names.

    Raises:
        SettingsFileError: if `.env` cannot be read.
    """
    in_file = {name: text for name, text in read_file(FILE).items() if text}
    from_environment = {
        name.upper(): text.strip() for name, text in os.environ.items() if text.strip()
    }
    values = in_file | from_environment
    misspelled = [
        MisspelledSetting(
            name, suggestion, f"{place} isn't a setting of dvonn-bot: write {suggestion}"
        )
        for place, names in ((f"in {FILE}", in_file), ("in the environment", from_environment))
        for name in names
        if (suggestion := _suggestion(name, settings)) is not None and suggestion not in values
    ]
    return {name: text for name, text in values.items() if name in settings}, misspelled


def read_file(file: Path) -> dict[str, str]:
    """Return a file's settings by uppercase name. Empty if the file is missing.

    Raises:
        SettingsFileError: if it cannot be read.
    """
    bindings = parse_stream(StringIO(_decode(file)))
    return {
        binding.key.upper(): (binding.value or "").strip()
        for binding in _valid_bindings(bindings, file)
        if binding.key
    }


def shell_only_names(file: Path) -> list[str]:
    """Return the names in a file whose lines systemd would read differently or reject.

    systemd does not support `export`, and treats a comment after a value as part of the value.

    Raises:
        SettingsFileError: if the file cannot be read.
    """
    bindings = _valid_bindings(parse_stream(StringIO(_decode(file))), file)
    return [
        binding.key
        for binding in bindings
        if binding.key and _FOR_SHELLS.match(binding.original.string)
    ]


_FOR_SHELLS = re.compile(r"""\s*(?:export\s|[^='"]+=(?:[^'"\n]*|\s*'[^']*'|\s*"[^"]*")\s\#)""")


def unknown_variables(settings: Collection[str]) -> Iterator[str]:
    """Yield each unknown variable in `.env`, and each misspelled setting in the environment.

    Raises:
        SettingsFileError: if `.env` cannot be read.
    """
    in_file = read_file(FILE)
    for name in in_file:
        if name not in settings:
            matches = get_close_matches(name, settings, n=1, cutoff=_SUGGESTION_SIMILARITY)
            question = f"; did you mean {matches[0]}?" if matches else ""
            yield f"{name} in {FILE} isn't a setting of dvonn-bot{question}"
    for name in map(str.upper, os.environ):
        if name not in in_file and (suggestion := _suggestion(name, settings)) is not None:
            question = f"; did you mean {suggestion}?"
            yield f"{name} in the environment isn't a setting of dvonn-bot{question}"


def _suggestion(name: str, settings: Collection[str]) -> str | None:
    """Return the setting that a misspelled name probably means, or None."""
    if name in settings:
        return None
    for match in get_close_matches(name, settings, n=1, cutoff=_TYPO_SIMILARITY):
        if (
            f"_{match}_" not in f"_{name}_"
        ):  # such as TEST_DATABASE_URL, which belongs to another program
            return match
    return None


def _decode(file: Path) -> str:
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return ""
    except IsADirectoryError as error:
        raise SettingsFileError(str(file), "is a folder; put a file there instead") from error
    except OSError as error:
        raise SettingsFileError(
            str(file), f"cannot be read: {error.strerror}; let the bot's user read it"
        ) from error
    # Windows editors and shells put these byte order marks at the start of a file.
    encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise SettingsFileError(str(file), "isn't UTF-8 text; save it again as UTF-8")
    return text


def _valid_bindings(bindings: Iterator[Binding], file: Path) -> Iterator[Binding]:
    for binding in bindings:
        # A name without a value may be the rest of a token, which must not be printed.
        if binding.error or (binding.key and binding.value is None):
            text = binding.original.string
            line = binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")
            raise SettingsFileError(str(file), f"cannot be read: line {line} isn't like NAME=value")
        yield binding


def main() -> int:
    """Return an exit status that shows whether there is a token. Errors are left to the bot."""
    try:
        values, misspelled = read_settings((TOKEN,))
    except SettingsFileError:
        return 0
    return 0 if TOKEN in values or misspelled else NO_TOKEN


if __name__ == "__main__":
    sys.exit(main())

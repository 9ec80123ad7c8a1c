"""The changes that may survive, each with its reason: module and part of the change -> why."""

from typing import Final

REASONS: Final[dict[tuple[str, str], str]] = {}

"""All themes by their keys."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from renderer.theme import SLATE, Theme

THEMES: Final[Mapping[str, Theme]] = MappingProxyType({"slate": SLATE})
"""The themes that can be chosen, in the order in which they are offered; keys are stored."""

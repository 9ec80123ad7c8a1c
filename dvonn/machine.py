"""The version of the machine player, known without loading it."""

from typing import Final

VERSION: Final = 5
"""The version of the machine's play: a level of one version is the same player everywhere, and of
another one a different player. It goes up with every change of a level's play; see docs/engine.md.
"""

"""The version of the machine player, known without loading it."""

from typing import Final

VERSION: Final = 3
"""Of the machine's play: a level of one version is the same player everywhere, and of another one a
different player. It goes up with whatever changes what a level plays; see docs/engine.md."""

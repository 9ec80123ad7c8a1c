"""A Discord bot with which people play DVONN in their channels."""

from dvonn import __version__

__all__ = ["__version__"]

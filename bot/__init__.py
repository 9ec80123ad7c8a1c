"""A Discord bot for playing DVONN in channels."""

from dvonn import __version__

__all__ = ["__version__"]

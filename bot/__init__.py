"""A Discord bot with which people play DVONN in their channels."""

__version__ = "0.1.0"

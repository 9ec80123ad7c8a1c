"""The bot, counting its steps; see `__main__.py`."""

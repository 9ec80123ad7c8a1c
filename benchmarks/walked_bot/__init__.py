"""The bot, with its steps counted. See `__main__.py`."""

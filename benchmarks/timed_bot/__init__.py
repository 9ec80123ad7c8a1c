"""The bot, timing its answers; see `__main__.py`."""

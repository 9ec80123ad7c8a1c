"""The bot, with a record of entered functions. See `__main__.py`."""

"""The bot, recording its response times. See `__main__.py`."""

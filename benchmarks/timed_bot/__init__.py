"""The bot, with its response times measured. See `__main__.py`."""

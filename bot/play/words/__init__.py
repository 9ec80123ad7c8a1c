"""The bot's texts: pure functions from events to text, picture and buttons."""

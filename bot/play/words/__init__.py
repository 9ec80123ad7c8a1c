"""The words of the bot: pure functions from events to text, picture and buttons."""

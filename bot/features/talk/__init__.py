"""Plain words to the bot."""

"""What the bot says: pure functions from what happened to words, picture and buttons."""

"""The words of boards to try moves on, and of hints."""

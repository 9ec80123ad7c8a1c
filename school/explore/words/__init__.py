"""The words of own boards and of hints."""

"""The words of /help."""

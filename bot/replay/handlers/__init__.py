"""Handlers of /board, /games, and the buttons of views."""

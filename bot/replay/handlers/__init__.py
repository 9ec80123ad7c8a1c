"""/board, /games, and the buttons of views."""

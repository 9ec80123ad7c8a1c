"""Views of games in words."""

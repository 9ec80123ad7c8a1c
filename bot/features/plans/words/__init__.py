"""Plans in words."""

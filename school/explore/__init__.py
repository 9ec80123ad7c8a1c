"""A private board for trying moves."""

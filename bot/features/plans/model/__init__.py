"""Moves that players decide ahead: lists and trees."""

"""Moves that players plan in advance: lists and trees."""

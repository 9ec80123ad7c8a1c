"""Moves shown to their player before they are played."""

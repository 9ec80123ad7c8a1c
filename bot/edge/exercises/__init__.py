"""Exercises: what somebody does alone, on a board of their own. `base` tells how to add one."""

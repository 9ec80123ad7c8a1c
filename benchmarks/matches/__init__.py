"""Matches between the engine's levels: the ladder, its ratings, and the fairness of starts."""

"""Matches of the engine's levels, on `dvonn.engine.matches`.

They are the ladder of levels, its ratings, and the fairness of starts.
"""

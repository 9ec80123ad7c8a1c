"""The domain model: a game, its events, the players' agreements, and refusals.

It uses no database.
"""

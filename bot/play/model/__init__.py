"""The domain model: games, their events, players' agreements, and refusals.

It uses no database.
"""

"""The domain: a game, its events, the players' agreements and refusals. It knows no database."""

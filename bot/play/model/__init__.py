"""The domain: a game, what happens in it, what is agreed and refused. It knows no database."""

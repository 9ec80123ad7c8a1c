"""Code that knows no game, no database and no Discord."""

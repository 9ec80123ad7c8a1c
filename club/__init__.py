"""The social features: ratings, profiles, tournaments, and guesses of moves."""

"""A game in a channel, from challenge to end."""

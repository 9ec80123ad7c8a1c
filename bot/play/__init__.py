"""A game in a channel, from the challenge to the end."""

"""Refusals to players, as types. The words are made in `bot.play.words`."""

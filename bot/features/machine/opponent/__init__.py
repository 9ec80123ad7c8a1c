"""The machine as an opponent: it thinks in processes of its own, so that the bot never waits."""

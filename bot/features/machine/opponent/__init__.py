"""The machine as an opponent. It runs in its own processes, so that the bot never waits."""

"""The machine as an opponent. It runs in separate processes, so that the bot never waits."""

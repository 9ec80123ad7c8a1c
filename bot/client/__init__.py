"""The client: it hears Discord, and plays the past of each shard before its present."""

"""A scripted game: two people, the real bot and a local Discord. Start it with ``./run demo``."""

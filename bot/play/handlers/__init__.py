"""The commands, buttons and forms of the game, which `feature.py` registers."""

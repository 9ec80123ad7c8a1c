"""The game's commands, buttons and forms, which `feature.py` registers."""

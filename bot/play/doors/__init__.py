"""The commands, buttons and forms of the game; `feature.py` names them."""

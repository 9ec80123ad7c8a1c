"""The making of the machine player's weights: games against itself, and fits to them."""

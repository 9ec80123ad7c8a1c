"""How the weights of the machine player came about: games against itself, and fits to them."""

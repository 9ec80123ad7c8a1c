"""Everything beside the game itself, a folder each. Each folder can be taken out."""

"""Everything beside the game itself, a folder each; each can be taken out."""

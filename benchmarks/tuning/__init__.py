"""The making of puzzles and of even boards."""

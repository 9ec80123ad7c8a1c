"""Programs that make puzzles and even boards."""

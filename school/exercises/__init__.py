"""Private boards with a task, the basis of lessons, puzzles and practice."""

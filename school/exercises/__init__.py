"""Private boards with a task: the frame of lessons, puzzles and practice."""

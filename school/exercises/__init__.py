"""Private boards with a task. Lessons, puzzles and practice are built on them."""

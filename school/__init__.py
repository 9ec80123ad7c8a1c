"""What people learn from: lessons, exercises, puzzles, reviews, practice, their own boards."""

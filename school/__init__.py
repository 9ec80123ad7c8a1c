"""The learning features: lessons, exercises, puzzles, reviews, practice and studies."""

"""Truth of the verdicts of reviews: marked moves, looked at again with many more nodes."""

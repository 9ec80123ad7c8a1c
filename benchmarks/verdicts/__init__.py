"""How true the verdicts of reviews are: marked moves, looked at again with many more nodes."""

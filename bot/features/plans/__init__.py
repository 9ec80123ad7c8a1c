"""Plans: moves that players decide in advance."""

"""Plans: moves that players decide ahead."""

"""Reviews of ended games."""

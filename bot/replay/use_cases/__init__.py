"""Games that are over, and pasted ones."""

"""Players decide moves ahead."""

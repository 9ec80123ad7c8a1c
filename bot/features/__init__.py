"""The features, one per folder. Each can be removed without touching the others."""

"""The REST API, with one module of routes per area."""

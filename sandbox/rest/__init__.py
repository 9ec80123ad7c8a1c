"""The REST API: a router, its routes by area, and the handling of requests."""

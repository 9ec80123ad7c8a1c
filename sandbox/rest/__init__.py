"""The REST API: a router, its routes by area, and the way a request takes through them."""

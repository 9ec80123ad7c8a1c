"""/settings and /setup."""

"""Handlers of /settings and /setup."""

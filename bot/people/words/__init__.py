"""The words of /settings and /setup."""

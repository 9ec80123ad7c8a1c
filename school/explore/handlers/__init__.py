"""Handlers of studies, hints, and /show."""

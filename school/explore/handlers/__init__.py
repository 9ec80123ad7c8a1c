"""Studies, hints, and /show."""

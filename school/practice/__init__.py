"""Own mistakes that come back."""

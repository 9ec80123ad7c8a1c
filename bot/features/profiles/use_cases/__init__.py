"""Use cases; they know no Discord."""

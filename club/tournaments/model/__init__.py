"""Tournaments, all pure: who plays whom, who stands where, and what comes next."""

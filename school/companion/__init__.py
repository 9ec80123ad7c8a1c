"""Remarks of the machine's character about its opponent's moves."""

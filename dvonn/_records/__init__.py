"""Positions and games as text, and games as trees. Import their names from `dvonn`."""

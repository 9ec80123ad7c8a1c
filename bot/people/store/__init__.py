"""Queries of the data about people."""

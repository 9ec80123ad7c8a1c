"""Queries about profiles."""

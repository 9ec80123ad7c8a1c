"""Queries of personal data."""

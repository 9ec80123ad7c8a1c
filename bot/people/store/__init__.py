"""Queries for personal data."""

"""Choices of people and moderators, and the export and deletion of people's data."""

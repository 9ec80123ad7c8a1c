"""What people and moderators choose, and what becomes of people's data."""

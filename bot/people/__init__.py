"""Settings of users and moderators, and users' personal data."""

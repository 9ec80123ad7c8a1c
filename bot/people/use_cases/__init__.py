"""Settings of users and moderators, and the export and deletion of personal data."""

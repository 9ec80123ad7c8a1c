"""Settings of people and moderators, and the data about people."""

"""Texts, pictures and buttons of profiles and leaderboards."""

"""Tests for the remarks of the machine's character."""

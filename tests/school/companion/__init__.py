"""Tests of the remarks of the machine's character."""

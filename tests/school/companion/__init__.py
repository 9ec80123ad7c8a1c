"""Tests of what the machine's character says."""

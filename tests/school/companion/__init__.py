"""Tests of the comments by the machine's character."""

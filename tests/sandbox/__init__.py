"""Contract tests of the sandbox, with clients that know nothing about it."""

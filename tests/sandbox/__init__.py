"""Contract tests of the sandbox: it is driven by clients that have never heard of it."""

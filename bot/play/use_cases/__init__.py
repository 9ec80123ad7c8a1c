"""Use cases: challenge, accept, play, resign and others. They are independent of Discord."""

"""The use cases: challenge, accept, play, resign and the rest. They know no Discord."""

"""Use cases, such as challenging, playing and resigning. They are independent of Discord."""

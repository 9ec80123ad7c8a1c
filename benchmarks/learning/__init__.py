"""A net that learns by self-play, and its games against the machine."""

"""What the buttons do. It is written in their ids, so that they work after a restart."""

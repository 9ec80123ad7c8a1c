"""The machine as an opponent and adviser."""

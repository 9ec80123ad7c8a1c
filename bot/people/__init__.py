"""People's own choices, what moderators choose, and all that is kept about people."""

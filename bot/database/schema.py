"""The table of what is to be sent to Discord."""

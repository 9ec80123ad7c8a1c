"""Studies: private boards on which users try moves."""

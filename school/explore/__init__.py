"""Studies: private boards for trying moves."""

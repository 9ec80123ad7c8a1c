"""Words of the machine's character about moves of its opponent."""

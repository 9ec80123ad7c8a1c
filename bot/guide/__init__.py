"""/help: how to play here, the rules with pictures, and topics that people ask about."""

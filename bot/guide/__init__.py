"""The /help command: how to play here, the rules with pictures, and answers to common questions."""

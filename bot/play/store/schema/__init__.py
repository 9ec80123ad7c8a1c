"""The tables, each in the room of what it is about; whoever imports one has them all."""

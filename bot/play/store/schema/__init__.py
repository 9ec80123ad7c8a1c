"""The tables of the game, each in the room of what it is about; features have their own."""

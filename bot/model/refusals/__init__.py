"""What players are refused, as types, by what it is about. The words are made in `bot.messages`."""

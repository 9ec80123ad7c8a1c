"""What players are refused, as types. The words are made in `bot.play.words`."""

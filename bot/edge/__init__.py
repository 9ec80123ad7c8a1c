"""The one part that speaks with Discord: commands, buttons, typed moves in, messages out."""

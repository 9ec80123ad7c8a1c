"""Teams: a channel plays as a team and votes on its moves."""

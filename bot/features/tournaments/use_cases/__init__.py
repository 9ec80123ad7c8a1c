"""Tournaments as they run: how one is made and entered, and the director who brings it to its end.

tournaments.py what people and organisers do · director.py what comes by itself · pairings.py how a
pairing becomes a game, and who has not come · seasons.py those that come each month · news.py
what is told of it. What may be, and what becomes of it, says
`bot.features.tournaments.model.rules`.
"""

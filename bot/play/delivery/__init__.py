"""The one way out: all that must reach Discord exactly once, come what may.

`sender.py` sends rows, `kinds.py` says what a kind of delivery is, and each other file is some of
the kinds; `publisher.py` is the door for the rest of the bot.
"""

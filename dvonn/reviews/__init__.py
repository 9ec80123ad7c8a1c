"""Reviews of games, and the reasons why one move is better than another.

`dvonn.engine.review` makes reviews. The classes can be imported from `dvonn`, too.
"""

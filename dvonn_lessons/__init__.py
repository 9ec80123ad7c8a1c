"""Puzzles and lessons for the board game DVONN, on top of the package `dvonn`.

`dvonn.puzzles` reads the puzzles. `dvonn_lessons.primer` has the lessons, `dvonn_lessons.remarks`
says what a move is good for, and `dvonn_lessons.puzzle_search` finds new puzzles in games.
"""

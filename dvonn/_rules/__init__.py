"""The rules: the board, pieces, moves and positions. Import their names from `dvonn`."""

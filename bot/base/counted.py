"""Counts of things in the words for hosts."""


def counted(number: int, thing: str) -> str:
    """Write a number and its thing, whose plural has an s: "1 game", "2 games"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"

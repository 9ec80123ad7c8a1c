"""Formatting of the RESULT line that ends each benchmark's output."""

from collections.abc import Mapping


def result_line(bench: str, figures: Mapping[str, float]) -> str:
    """Return the line `RESULT bench=NAME name=number ...`, without exponents.

    Args:
        bench: The benchmark's name.
        figures: Numbers by names, which include the unit or "ratio".
    """
    numbers = (f"{name}={_number(value)}" for name, value in figures.items())
    return " ".join([f"RESULT bench={bench}", *numbers])


def _number(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    decimals = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 3
    return f"{value:.{decimals}f}"

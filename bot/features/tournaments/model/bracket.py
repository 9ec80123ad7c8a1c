"""The first round of a knockout: who meets whom by the seeds, and who is kept apart."""

from bot.base.ids import UserId
from bot.features.tournaments.model.matching import matched


def bracket(size: int) -> tuple[int, ...]:
    """Return the seeds of a bracket from top to bottom: neighbours play each other."""
    seeds = [1]
    while len(seeds) < size:
        mirror = 2 * len(seeds) + 1
        seeds = [seed for upper in seeds for seed in (upper, mirror - upper)]
    return tuple(seeds)


def kept_apart(
    players: list[UserId], size: int, apart: frozenset[frozenset[UserId]]
) -> tuple[int, ...]:
    """Return the seeds in an order that keeps those apart who are to be, if that can be.

    Seeds change places as little as it takes; where even a bye has to move, it does.

    Args:
        players: By seed; a seed that nobody has is a bye.
        size: Of the bracket.
        apart: Which two should not meet.
    """
    usual = bracket(size)

    def meet(one: int, other: int) -> bool:
        both = players[one - 1 : one] + players[other - 1 : other]
        return frozenset(both) in apart

    neighbours = zip(usual[::2], usual[1::2], strict=False)
    if not any(meet(*two) for two in neighbours):
        return usual

    def cost(one: int, other: int | None) -> tuple[int, ...]:
        assert other is not None  # a bracket is even  # noqa: S101
        return (min(one, other) > len(players), meet(one, other), (one + other - size - 1) ** 2)

    pairs = sorted(
        (min(one, other), max(one, other))
        for one, other in matched(range(1, size + 1), cost)
        if other is not None
    )
    return _placed(pairs, usual)


def _placed(pairs: list[tuple[int, int]], usual: tuple[int, ...]) -> tuple[int, ...]:
    """Pairs from top to bottom, each where one of its seeds stands in the usual bracket."""
    places: dict[int, tuple[int, int]] = {}
    for pair in pairs:
        own = [usual.index(seed) // 2 for seed in pair]
        free = (place for place in (*own, *range(len(pairs))) if place not in places)
        places[next(free)] = pair
    return tuple(seed for place in range(len(pairs)) for seed in places[place])

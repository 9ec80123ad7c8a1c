"""Two tiers of tests: plain ones for each change; thorough ones, too, at night and for releases.

Marked `@pytest.mark.thorough("why")` is what guards packaging, environments, or a whole machine,
and what goes by a longer road over lines that plain tests guard: `./run test --thorough` runs it.
No line of the bot, the game or the pictures waits for it, and no guard of data, rules, clocks,
secrets, or that each board comes once. Of the examples that Hypothesis makes up, plain tests try a
part.
"""

from typing import Final

from hypothesis import settings

EXAMPLES: Final = {"plain": 20, "thorough": 100}
"""How many a property tries in each tier, where it names no number of its own."""

# How long an example takes says nothing on a busy machine.
for _tier, _examples in EXAMPLES.items():
    settings.register_profile(_tier, deadline=None, max_examples=_examples)


def share_of(examples: int) -> int:
    """How many of a property's own number of examples this tier tries."""
    return max(1, examples * settings().max_examples // EXAMPLES["thorough"])

"""Taking out of a text what nobody else may know."""

import re
from collections.abc import Callable, Iterable

HIDDEN = "[hidden]"
"""What stands in its place."""


def hiding(secrets: Iterable[str]) -> Callable[[str], str]:
    """What takes these secrets out of a text; the longest first, as one may hold another."""
    words = sorted({secret for secret in secrets if secret}, key=len, reverse=True)
    if not words:
        return str
    found = re.compile("|".join(map(re.escape, words)))
    return lambda text: found.sub(HIDDEN, text)

"""What messages say, as tests read it."""

import re


def stamps(text: str, style: str = "f") -> list[int]:
    """The moments of a style in a text, in seconds."""
    return [int(found) for found in re.findall(rf"<t:([0-9]+):{style}>", text)]

"""Tests for the changes that a sample makes."""

from tests.mutation.in_source import changes

_SOURCE = """
def tell(people, now):
    _log.info("they are told", at=now)
    if now > 3:
        send(people)
    return [person for person in people if person.waits]
"""


def test_plain_code_loses_calls_and_conditions_too() -> None:
    assert [change[:3] for change in changes(_SOURCE, compiled=False)] == [
        ("tell", "if now > 3:", "if True:"),
        ("tell", "if now > 3:", "if False:"),
        ("tell", "if now > 3:", "if now >= 3:"),
        ("tell", "if now > 3:", "if now > 4:"),
        ("tell", "send(people)", "None"),
        (
            "tell",
            "return [person for person in people if person.waits]",
            "return [person for person in people]",
        ),
    ]


def test_compiled_code_keeps_them() -> None:
    compiled = "@compiled\ndef least(a, b):\n    if a < b:\n        count(a)\n    return a"
    assert [change.is_now for change in changes(compiled, compiled=True)] == ["if a <= b:"]

"""Tests that forms are within Discord's limits in every language."""

import re
from typing import Any

import discord
import pytest

from bot.base.ids import UserId
from bot.connection.discord_messages import MessageFormat, arguments, in_format
from bot.connection.forms import (
    DynamicComponent,
    FormCache,
    one_line,
    paragraph,
    picked_ids,
    picked_values,
    several,
    typed_text,
    whole_number,
)
from bot.connection.posts import (
    AnyField,
    Field,
    File,
    FormWords,
    ListField,
    Option,
    PeopleField,
    Post,
)


async def test_texts_that_are_too_long_are_shortened() -> None:
    long = FormWords(title="t" * 46, label="l" * 60, placeholder="p" * 130)
    fields = [Field(key="days", label="d " * 30, placeholder="p" * 101, value="")]
    for form in (
        one_line(long, "id", "field", 10),
        paragraph(long, "id", "field", 10),
        several("t" * 50, fields, "id", 10),
    ):
        sent: dict[str, Any] = form.to_dict()
        (label,) = sent["components"]
        assert len(sent["title"]) == 45
        assert sent["title"].endswith("t…")
        assert len(label["label"]) <= 45
        assert len(label["component"]["placeholder"]) == 100


async def test_texts_that_fit_stay_complete() -> None:
    words = FormWords(title="t" * 45, label="l" * 45, placeholder="p" * 100)
    sent: dict[str, Any] = one_line(words, "id", "field", 10).to_dict()
    assert sent["title"] == words.title
    assert sent["components"][0]["label"] == words.label
    assert sent["components"][0]["component"]["placeholder"] == words.placeholder
    assert sent["components"][0]["component"]["required"]


@pytest.mark.parametrize(
    ("form", "shows"),
    [
        (MessageFormat.WHOLE, ("Hi", "c3 is White's.")),
        (MessageFormat.WITHOUT_ALT_TEXT, ("Hi", None)),
        (MessageFormat.AS_TEXT, ("Hi\nc3 is White's.", None)),
    ],
)
async def test_refused_boards_are_sent_in_simpler_forms(
    form: MessageFormat, shows: tuple[str, str | None]
) -> None:
    file = File(filename="board.png", data=b"x", alt_text="c3 is White's.")
    with in_format(form):
        sent = arguments(Post(content="Hi", file=file))
    assert (sent["content"], sent["file"].description if "file" in sent else None) == shows
    assert ("file" in sent) is (form < MessageFormat.AS_TEXT)


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), (" 999 ", 999), ("1000", 0), ("-1", 0), ("٣", 0), ("", 0), ("c3", 0), ("007", 7)],
)
def test_a_number_has_up_to_three_digits(text: str, number: int) -> None:
    assert whole_number(text) == number


def submitted(custom_id: str, **fields: object) -> dict[str, object]:
    """Return what Discord sends of a form: each field with a label, or in a row of its own."""
    components = [
        {
            "component": {"custom_id": key}
            | ({"value": told} if isinstance(told, str) else {"values": told})
        }
        for key, told in fields.items()
    ]
    return {"custom_id": custom_id, "components": [{"component": None}, *components]}


def test_fields_are_read_by_their_names() -> None:
    data = submitted("form", days="3", who=["12", "9" * 19, "8" + "9" * 18, "x"], other="no")
    assert typed_text(data, "days") == "3"
    assert typed_text(data, "nights") == ""
    assert picked_values(data, "who")[0] == "12"
    assert picked_ids(data, "who") == [12, int("8" + "9" * 18)]
    assert picked_values(data, "nobody") == []
    old = {"components": [{"components": [{"custom_id": "days", "value": "4"}]}]}
    assert typed_text(old, "days") == "4"


FIELDS: list[AnyField] = [
    Field("days", "Days", "", value="2", needed=True),
    ListField("level", "Level", "Which?", (Option("One", "1", chosen=True), Option("Two", "2")), 2),
    PeopleField("who", "Who", chosen=(UserId(5),), most=4),
]


async def test_each_field_of_a_form_has_its_own_limits_and_defaults() -> None:
    sent: Any = several("A form", FIELDS, "form", 10).to_dict()
    days, level, who = (label["component"] for label in sent["components"])
    assert (days["value"], days["required"], days["max_length"]) == ("2", True, 10)
    assert (level["min_values"], level["max_values"], level["required"]) == (0, 2, False)
    assert [option["default"] for option in level["options"]] == [True, False]
    assert (who["min_values"], who["max_values"], who["required"]) == (0, 4, False)
    assert [row["id"] for row in who["default_values"]] == [5]
    assert who.get("placeholder") is None


async def test_a_form_that_was_refused_opens_as_it_was_filled_in() -> None:
    kept = FormCache()
    mark = kept.keep(1, several("A form", FIELDS, "form", 10))
    told = submitted("form", days="7", level=["2"], who=["6"])
    assert kept.fill(2, told) is None, "another's"
    assert kept.fill(1, submitted("another", days="7")) is None
    assert kept.fill(1, told) == mark
    again = kept.get(1, mark)
    assert again is not None
    assert again is kept.find(1, "form")
    sent: Any = again.to_dict()
    days, level, who = (label["component"] for label in sent["components"])
    assert days["value"] == "7"
    assert [option["default"] for option in level["options"]] == [False, True]
    assert [row["id"] for row in who["default_values"]] == [6]


@pytest.mark.parametrize(
    ("values", "number"),
    [
        (["12", "13"], 12),
        (["9" * 18], int("9" * 18)),
        (["9" * 19], None),
        (["x1"], None),
        ([], None),
    ],
)
def test_the_number_that_was_chosen_is_small_enough_for_the_database(
    values: list[str], number: int | None
) -> None:
    item: Any = type("Chosen", (discord.ui.Select,), {"values": values})()
    match = re.fullmatch("(?P<action>go):(?P<game>12):(?P<revision>3)", "go:12:3")
    assert match is not None
    read: Any = DynamicComponent.__new__(DynamicComponent)
    read.match, read.item = match, item
    assert read.number == number
    assert (read.action, read.game, read.revision) == ("go", 12, 3)

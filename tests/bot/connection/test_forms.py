"""Forms are within Discord's limits, however long a language is."""

from typing import Any

import pytest

from bot.connection.discord_messages import Form, arguments, in_form
from bot.connection.forms import one_line, paragraph, several
from bot.connection.posts import Field, File, FormWords, Post


async def test_what_is_too_long_is_shortened() -> None:
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


async def test_what_fits_stays_whole() -> None:
    words = FormWords(title="t" * 45, label="l" * 45, placeholder="p" * 100)
    sent: dict[str, Any] = one_line(words, "id", "field", 10).to_dict()
    assert sent["title"] == words.title
    assert sent["components"][0]["label"] == words.label
    assert sent["components"][0]["component"]["placeholder"] == words.placeholder


@pytest.mark.parametrize(
    ("form", "shows"),
    [
        (Form.WHOLE, ("Hi", "c3 is White's.")),
        (Form.WITHOUT_ALT_TEXT, ("Hi", None)),
        (Form.AS_TEXT, ("Hi\nc3 is White's.", None)),
    ],
)
async def test_what_discord_refuses_is_sent_in_simpler_forms(
    form: Form, shows: tuple[str, str | None]
) -> None:
    file = File(filename="board.png", data=b"x", alt_text="c3 is White's.")
    with in_form(form):
        sent = arguments(Post(content="Hi", file=file))
    assert (sent["content"], sent["file"].description if "file" in sent else None) == shows
    assert ("file" in sent) is (form < Form.AS_TEXT)

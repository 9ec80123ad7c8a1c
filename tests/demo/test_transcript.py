from datetime import UTC, datetime
from html.parser import HTMLParser

from demo.transcript import Entry, Picture, transcript

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Page(HTMLParser):
    """Collects a page's tags, and the texts between them outside the style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" not in self._inside and data.strip():
            self.words.append(data.strip())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def page_of(*entries: Entry, names: dict[str, str] | None = None) -> Page:
    return Page(transcript("A game", entries, names or {}))


def test_a_message_shows_its_author_words_picture_and_buttons() -> None:
    page = page_of(
        Entry(
            "dvonn-bot",
            NOON,
            "Ann played e3",
            from_bot=True,
            answers="Ann used /move",
            seen_only_by="Ann",
            pictures=(Picture("ply-01.png", 'A board, "e3" is red', 1200, 700),),
            buttons=("Board as text", "Resign"),
        )
    )

    for words in ("dvonn-bot", "app", "12:00:00", "Ann played e3", "Ann used /move", "Resign"):
        assert words in page.words
    assert "Only Ann sees this." in page.words
    [picture] = page.all("img")
    assert picture["src"] == "ply-01.png"
    assert (picture["width"], picture["height"]) == ("1200", "700")
    assert picture["alt"] == 'A board, "e3" is red'


def test_nothing_that_people_write_becomes_markup() -> None:
    nasty = '<script>alert("1")</script>&amp;'
    page = page_of(
        Entry(
            nasty,
            NOON,
            f"{nasty} **{nasty}** `{nasty}` ```{nasty}``` <@1>",
            answers=nasty,
            seen_only_by=nasty,
            pictures=(Picture(f'"{nasty}', f'"{nasty}', 1, 1),),
            buttons=(nasty,),
        ),
        names={"<@1>": nasty},
    )

    assert page.all("script") == []
    assert page.words.count(nasty) == 8


def test_discords_markdown_is_shown_as_discord_shows_it() -> None:
    page = page_of(
        Entry("Ann", NOON, "**d2** `d4`\n-# quiet <@1> <#9>\nnot \\*bold\\* 3 < 4"),
        names={"<@1>": "@Bob"},
    )

    assert len(page.all("strong")) == len(page.all("code")) == len(page.all("small")) == 1
    assert {"d2", "d4", "quiet", "@Bob", "<#9>"} <= set(page.words)
    assert page.words[-1] == "not *bold* 3 < 4"


def test_a_text_board_keeps_its_indentation() -> None:
    text = transcript("A game", [Entry("Ann", NOON, "```\n   5 .\n 4 .\n```\nafter")], {})

    assert "<pre>   5 .\n 4 .</pre>" in text


def test_the_page_asks_nothing_of_the_net() -> None:
    text = transcript("A game", [Entry("Ann", NOON, "hello")], {})

    assert "//" not in text
    assert "url(" not in text
    assert "@import" not in text

"""A chat as a web page: one HTML file that shows the pictures in its folder."""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from string import Template


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: the name of its file beside the page, and its size in pixels."""

    file: str
    alt: str
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A message of the chat, as one reader saw it."""

    author: str
    at: datetime
    text: str
    from_bot: bool = False
    answers: str = ""
    """The cause of the message, such as "Ann used /move", or empty for an ordinary message."""
    seen_only_by: str = ""
    """The only person who sees the message, or "" if everyone does."""
    pictures: tuple[Picture, ...] = ()
    buttons: tuple[str, ...] = ()


def transcript(title: str, entries: Iterable[Entry], names: Mapping[str, str]) -> str:
    page = Template((Path(__file__).parent / "transcript.html").read_text(encoding="utf-8"))
    messages = "\n".join(_message(entry, names) for entry in entries)
    return page.substitute(title=html.escape(title), messages=messages)


def _message(entry: Entry, names: Mapping[str, str]) -> str:
    classes = "message bot" if entry.from_bot else "message"
    if entry.seen_only_by:
        classes += " private"
    lines = [f'<article class="{classes}">']
    if entry.answers:
        lines.append(f'<p class="answers">{html.escape(entry.answers)}</p>')
    lines += [
        f'<div class="avatar" aria-hidden="true">{html.escape(entry.author[:1].upper())}</div>',
        f"<header><b>{html.escape(entry.author)}</b>",
        '<span class="tag">app</span>' if entry.from_bot else "",
        f'<time datetime="{entry.at.isoformat()}">{entry.at:%H:%M:%S}</time></header>',
    ]
    if entry.text:
        lines.append(f'<div class="text">{_markdown(entry.text, names)}</div>')
    lines += map(_picture, entry.pictures)
    if entry.buttons:
        labels = "".join(f"<span>{html.escape(label)}</span>" for label in entry.buttons)
        lines.append(f'<div class="buttons" aria-label="Buttons">{labels}</div>')
    if entry.seen_only_by:
        lines.append(f'<p class="note">Only {html.escape(entry.seen_only_by)} sees this.</p>')
    return "\n".join([*filter(None, lines), "</article>"])


def _picture(picture: Picture) -> str:
    file, alt = html.escape(picture.file), html.escape(picture.alt)
    # The size reserves space for the picture until it is loaded.
    size = f'width="{picture.width_px}" height="{picture.height_px}"'
    image = f'<img src="{file}" alt="{alt}" {size} loading="lazy">'
    return f'<a class="picture" href="{file}">{image}</a>'


_MARKDOWN = re.compile(
    r"```(?:\w*\n)?(?P<block>.+?)\n?```"
    r"|`(?P<code>[^`\n]+)`"
    r"|\*\*(?P<bold>.+?)\*\*"
    r"|^-# (?P<small>.+)$"
    r"|(?P<mention><(?:@[!&]?|\#|/[^:<>]+:)\d+>)"
    r"|\\(?P<escaped>[^\w\s])",
    re.DOTALL | re.MULTILINE,
)


def _markdown(text: str, names: Mapping[str, str]) -> str:
    """Convert the part of Discord's Markdown that the bot uses to HTML. Escape all other text."""
    parts: list[str] = []
    end = 0
    for match in _MARKDOWN.finditer(text):
        parts.append(html.escape(text[end : match.start()]))
        parts.append(_styled(match, names))
        end = match.end()
    parts.append(html.escape(text[end:]))
    return "".join(parts)


def _styled(match: re.Match[str], names: Mapping[str, str]) -> str:
    kind = match.lastgroup or ""
    inner = match[kind]
    if kind == "mention":
        return f'<span class="mention">{html.escape(names.get(inner, inner))}</span>'
    if kind == "escaped":
        return html.escape(inner)
    if kind == "block":
        return f"<pre>{html.escape(inner)}</pre>"
    if kind == "code":
        return f"<code>{html.escape(inner)}</code>"
    tag = {"bold": "strong", "small": "small"}[kind]
    return f"<{tag}>{_markdown(inner, names)}</{tag}>"

"""Storage of uploaded files, and resolution of references to them."""

import mimetypes
import re
import struct

from sandbox.drafts import Draft, FileDraft, Upload
from sandbox.model import JSON, Attachment, Channel
from sandbox.state import State

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF = (b"GIF87a", b"GIF89a")
_HEADER_BYTES = 24


def attach(state: State, channel: Channel, draft: Draft, *, ephemeral: bool) -> list[Attachment]:
    """Store a draft's attachments for the CDN, and return them."""
    return [_attachment(state, channel, file, ephemeral=ephemeral) for file in draft.files]


def upload(state: State, channel: Channel, filename: str, data: bytes) -> Attachment:
    """Store and return a file that a user passes to a command. Only that user sees it."""
    draft = FileDraft(Upload(0, filename, data), filename)
    return _attachment(state, channel, draft, ephemeral=True)


def _attachment(state: State, channel: Channel, file: FileDraft, *, ephemeral: bool) -> Attachment:
    number = state.next_id()
    filename = re.sub(r"[^\w.\-]", "", file.filename.replace(" ", "_")) or "unknown"
    width_px, height_px = size(file.upload.data)
    kind = file.upload.content_type
    if kind is None or kind == "application/octet-stream":
        kind = mimetypes.guess_type(filename)[0]
    attachment = Attachment(
        id=number,
        filename=filename,
        data=file.upload.data,
        url=f"{state.base_url}/attachments/{channel.id}/{number}/{filename}",
        description=file.description or None,
        content_type=kind,
        width_px=width_px,
        height_px=height_px,
        ephemeral=ephemeral,
        title=file.title,
    )
    state.attachments[number] = attachment
    return attachment


def size(data: bytes) -> tuple[int | None, int | None]:
    """Return width and height in pixels of a PNG or GIF, or (None, None) for other files.

    >>> from renderer import render
    >>> from dvonn import Position
    >>> size(render(Position.initial())), size(b"text")
    ((1100, 556), (None, None))
    """
    if len(data) >= _HEADER_BYTES and data.startswith(_PNG):
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if len(data) >= _HEADER_BYTES and data.startswith(_GIF):
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    return None, None


def place_in_embeds(
    embeds: list[JSON], attachments: list[Attachment]
) -> tuple[list[JSON], list[Attachment]]:
    """Resolve ``attachment://name`` in embeds.

    Returns:
        The embeds with URLs, and the attachments that no embed shows. Discord shows a file either
        in its embed or below the message.
    """
    shelf = _Shelf(attachments)
    resolved = [_resolved(embed, shelf) for embed in embeds]
    return resolved, [attachment for attachment in attachments if attachment not in shelf.used]


def place_in_components(
    state: State, components: list[JSON], attachments: list[Attachment]
) -> list[JSON]:
    """Resolve ``attachment://name`` in galleries, thumbnails and files of Components V2."""
    shelf = _Shelf(attachments)
    return [_placed(state, component, shelf) for component in components]


_SCHEME = "attachment://"


class _Shelf:
    """Resolves ``attachment://`` references, and keeps track of the attachments used."""

    def __init__(self, attachments: list[Attachment]) -> None:
        self._by_name = {attachment.filename: attachment for attachment in attachments}
        self.used: list[Attachment] = []

    def take(self, url: str) -> Attachment | None:
        if not url.startswith(_SCHEME):
            return None
        file = self._by_name.get(url.removeprefix(_SCHEME))
        if file is not None:
            self.used.append(file)
        return file


def _resolved(embed: JSON, shelf: _Shelf) -> JSON:
    answer = dict(embed)
    for part, key in (
        ("image", "url"),
        ("thumbnail", "url"),
        ("author", "icon_url"),
        ("footer", "icon_url"),
    ):
        attachment = shelf.take(answer.get(part, {}).get(key, ""))
        if attachment is not None:
            size = {"width": attachment.width_px, "height": attachment.height_px}
            answer[part] = {**answer[part], key: attachment.url}
            if key == "url" and attachment.width_px is not None:
                answer[part] |= {"proxy_url": attachment.url, **size}
    return answer


def _placed(state: State, component: JSON, shelf: _Shelf) -> JSON:
    answer = dict(component)
    for key in ("media", "file"):
        if key in answer:
            attachment = shelf.take(answer[key]["url"])
            answer[key] = _media(state, answer[key]["url"], attachment)
            if key == "file" and attachment is not None:
                answer |= {"name": attachment.filename, "size": len(attachment.data)}
    if "accessory" in answer:
        answer["accessory"] = _placed(state, answer["accessory"], shelf)
    for key in ("components", "items"):
        if key in answer:
            answer[key] = [_placed(state, item, shelf) for item in answer[key]]
    return answer


def _media(state: State, url: str, attachment: Attachment | None) -> JSON:
    if attachment is None:
        return {"id": str(state.next_id()), "url": url, "proxy_url": url}
    return {
        "id": str(state.next_id()),
        "url": attachment.url,
        "proxy_url": attachment.url,
        "width": attachment.width_px,
        "height": attachment.height_px,
        "content_type": attachment.content_type,
        "attachment_id": str(attachment.id),
    }

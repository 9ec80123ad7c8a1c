"""Uploaded files: as attachments of a message, and as the CDN serves them."""

import mimetypes
import re
import struct

from sandbox.drafts import Draft, FileDraft
from sandbox.model import JSON, Attachment, Channel
from sandbox.state import State

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF = (b"GIF87a", b"GIF89a")
_HEADER_BYTES = 24


def attach(state: State, channel: Channel, draft: Draft, *, ephemeral: bool) -> list[Attachment]:
    """The attachments that a draft brings along, stored where the CDN finds them."""
    return [_attachment(state, channel, one, ephemeral=ephemeral) for one in draft.files]


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
    """Width and height in pixels of a PNG or GIF; (None, None) for other files."""
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
        The embeds with addresses, and the attachments that no embed shows: Discord shows a file
        in its embed or below the message, never in both places.
    """
    by_name = {attachment.filename: attachment for attachment in attachments}
    used: set[str] = set()
    resolved = []
    for embed in embeds:
        answer = dict(embed)
        for part in ("image", "thumbnail"):
            if part in answer:
                answer[part] = _picture(answer[part], by_name, used)
        for part in ("author", "footer"):
            url = answer.get(part, {}).get("icon_url", "")
            if url.startswith(_SCHEME):
                shown = by_name.get(url.removeprefix(_SCHEME))
                if shown is not None:
                    used.add(shown.filename)
                    answer[part] = {**answer[part], "icon_url": shown.url}
        resolved.append(answer)
    return resolved, [one for one in attachments if one.filename not in used]


_SCHEME = "attachment://"


def _picture(picture: JSON, by_name: dict[str, Attachment], used: set[str]) -> JSON:
    url = picture.get("url", "")
    shown = by_name.get(url.removeprefix(_SCHEME)) if url.startswith(_SCHEME) else None
    if shown is None:
        return picture
    used.add(shown.filename)
    answer: JSON = {"url": shown.url, "proxy_url": shown.url}
    if shown.width_px is not None:
        answer |= {"width": shown.width_px, "height": shown.height_px}
    return answer

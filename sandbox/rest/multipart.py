"""Parses ``multipart/form-data`` bodies, which clients use for messages with files."""

import json
import re
from typing import Any

from sandbox.drafts import Upload
from sandbox.errors import invalid_json

_BOUNDARY = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)
_NAME = re.compile(rb'[; ]name="([^"]*)"')
_FILENAME = re.compile(rb'filename="([^"]*)"')
_CONTENT_TYPE = re.compile(rb"content-type: *([^;\r\n]+)", re.IGNORECASE)
_FILE_FIELD = re.compile(r"files?\[?(\d*)\]?")


def parse(body: bytes, content_type: str) -> tuple[Any, list[Upload]]:
    """Return the JSON of ``payload_json`` (an empty object if missing) and the files.

    Raises:
        ApiError: 50109: the form or its JSON can't be parsed.
    """
    boundary = _BOUNDARY.search(content_type)
    if boundary is None:
        raise invalid_json()
    payload: Any = {}
    uploads: list[Upload] = []
    for part in body.split(b"--" + boundary[1].encode())[1:]:
        if part.startswith(b"--"):
            break
        head, separator, data = part.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        if not separator or name is None:
            raise invalid_json()
        data = data.removesuffix(b"\r\n")
        field = name[1].decode()
        if field == "payload_json":
            try:
                payload = json.loads(data)
            except ValueError:
                raise invalid_json() from None
            continue
        numbered = _FILE_FIELD.fullmatch(field)
        if numbered is not None:
            uploads.append(_upload(head, data, int(numbered[1] or len(uploads))))
    return payload, uploads


def _upload(head: bytes, data: bytes, number: int) -> Upload:
    kind = _CONTENT_TYPE.search(head)
    name = _FILENAME.search(head)
    filename = name[1].decode() if name else f"file{number}"
    return Upload(number, filename, data, kind[1].decode() if kind else None)

"""PNG files from palette indices.

With the extra `fast` (isal) the four chunks are written here, in a fifth of the time that Pillow
takes, and not much larger. Rows need no filter: each begins with a column of zeros.
"""

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Final

from PIL import Image

Compress = Callable[[bytes], bytes]

# Measured: level 6 takes 1.7 times as long as 4 and is 7% smaller. isal's level 1 takes a
# sixth of the time of zlib's 4 and is 13% larger. Its levels 2 and 3 are no smaller.
COMPRESSION: Final = 4
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_INDEXED: Final = b"\x08\x03\x00\x00\x00"
"""Eight bits a pixel, with a palette, and nothing else that is special."""


try:
    from isal import isal_zlib
except ImportError:  # where it has no wheel
    fast: Compress | None = None
else:

    def fast(data: bytes) -> bytes:
        """Return data in the format of zlib, compressed quickly."""
        compressed: bytes = isal_zlib.compress(data, 1)
        return compressed


def png(frame: Image.Image, palette: bytes) -> bytes:
    """Return a PNG file, made in the fastest way that is installed.

    Args:
        frame: Palette indices (mode L).
        palette: The colors, three bytes each.
    """
    if fast is not None:
        return in_chunks(frame, palette, fast)
    shown = frame.copy()
    shown.putpalette(palette)
    file = BytesIO()
    shown.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()


def in_chunks(frame: Image.Image, palette: bytes, compress: Compress) -> bytes:
    """Return a PNG file whose pixels are compressed by any zlib."""
    rows = Image.new("L", (frame.width + 1, frame.height))
    rows.paste(frame, (1, 0))
    size = struct.pack(">II", *frame.size)
    chunks = (
        (b"IHDR", size + _INDEXED),
        (b"PLTE", palette),
        (b"IDAT", compress(rows.tobytes())),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

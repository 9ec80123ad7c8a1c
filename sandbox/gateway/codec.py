"""Transport compression, with one compressed stream per connection."""

import struct
import sys
import zlib
from collections.abc import Callable

Compressor = Callable[[str], bytes]
"""Turns a payload into the next bytes of the stream."""


def _zlib_stream() -> Compressor:
    stream = zlib.compressobj()

    def compress(payload: str) -> bytes:
        return stream.compress(payload.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)

    return compress


def _zstd_stream() -> Compressor:
    # Imported only when a client requests this codec.
    if sys.version_info >= (3, 14):
        from compression import zstd  # noqa: PLC0415

        compressor = zstd.ZstdCompressor()
        return lambda payload: compressor.compress(payload.encode(), compressor.FLUSH_BLOCK)
    import zstandard  # noqa: PLC0415

    stream = zstandard.ZstdCompressor().compressobj()

    def compress(payload: str) -> bytes:
        return stream.compress(payload.encode()) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)

    return compress


COMPRESSORS: dict[str, Callable[[], Compressor]] = {
    "zlib-stream": _zlib_stream,
    "zstd-stream": _zstd_stream,
}
"""Compressors by the names that clients request. Creating one can raise ImportError."""

_TEXT, _BINARY = 0x81, 0x82
_SHORT, _MEDIUM = 126, 1 << 16


def frame(payload: str, compress: Compressor | None) -> bytes:
    """Return a payload as a whole unmasked WebSocket frame, as servers send it (RFC 6455)."""
    data = payload.encode() if compress is None else compress(payload)
    kind = _TEXT if compress is None else _BINARY
    if len(data) < _SHORT:
        head = struct.pack("!BB", kind, len(data))
    elif len(data) < _MEDIUM:
        head = struct.pack("!BBH", kind, _SHORT, len(data))
    else:
        head = struct.pack("!BBQ", kind, _SHORT + 1, len(data))
    return head + data

"""zstd as a stream: bytes in, bytes out, and never more of either in memory than a window and a chunk."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from spyrium_log.errors import LogError
from spyrium_log.store.source import Lines, read_up_to

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, DecompressionParameter, ZstdCompressor, ZstdDecompressor
    from compression.zstd import ZstdError as _ZstdError
else:
    from backports.zstd import CompressionParameter, DecompressionParameter, ZstdCompressor, ZstdDecompressor
    from backports.zstd import ZstdError as _ZstdError

MAGIC = b"\x28\xb5\x2f\xfd"
# 8 MiB: what every reader of zstd takes without being asked (RFC 8878, 3.1.1.1.2), and what a hostile frame may cost.
WINDOW_LOG = 23
CHUNK = 1 << 16
# A pack of games is a fortieth of what it unpacks to. What is much less was made to be unpacked, and only so much of it
# is; a frame that holds a log is some hundred bytes, and as many frames of nothing are no games.
MOST_RATIO = 256
FREE_BYTES = 1 << 24
LEAST_FRAME = 256
FREE_FRAMES = 1000


def compress(parts: Iterable[bytes], level: int) -> Iterator[bytes]:
    """Compress the parts into one frame with a checksum, at a level from 1 (fast) to 22 (small)."""
    options: dict[int, int] = {
        CompressionParameter.compression_level: level,
        CompressionParameter.window_log: WINDOW_LOG,
        CompressionParameter.checksum_flag: 1,
    }
    compressor = ZstdCompressor(options=options)
    for part in parts:
        if out := compressor.compress(part):
            yield out
    yield compressor.flush()


def open_lines(read: Callable[[int], bytes], name: str) -> tuple[Lines, bool]:
    """The lines of a stream, and whether they were compressed in it, as its first bytes say."""
    start = read_up_to(read, len(MAGIC))
    is_compressed = start == MAGIC
    return Lines(Frames(read, name, start).read) if is_compressed else Lines(read, start), is_compressed


class Frames:
    """A stream of compressed frames, of which `start` was read before; what comes before damage is read first."""

    __slots__ = ("_buffer", "_frame", "_frame_count", "_is_begun", "_name", "_packed_bytes", "_read", "_unpacked_bytes")

    def __init__(self, read: Callable[[int], bytes], name: str, start: bytes = b"") -> None:
        """`read` gives the compressed bytes after `start`, none at the end; `name` stands for the stream in errors."""
        self._read = read
        self._name = name
        self._frame = _bounded_decompressor()
        self._is_begun = False
        self._buffer = start
        self._packed_bytes = len(start)
        self._frame_count = 0
        self._unpacked_bytes = 0

    def read(self, size: int) -> bytes:
        """The next decompressed bytes, at most `size`; none at the end."""
        while True:
            if self._frame.eof:
                self._go_to_next_frame()
            if not self._buffer and (self._frame.needs_input or not self._is_begun):
                self._buffer = self._read(CHUNK)
                self._packed_bytes += len(self._buffer)
                if not self._buffer and self._is_begun:
                    raise LogError("cut-off", "zstd-cut-off", file=self._name, n=self._packed_bytes)
                if not self._buffer:
                    return b""
            self._is_begun = True
            part = self._decompress_buffer(size)
            if part:
                self._unpacked_bytes += len(part)
                self._check_ratio()
                return part

    def _go_to_next_frame(self) -> None:
        """Begin with what follows the frame that has ended, if anything does."""
        self._buffer = self._frame.unused_data
        self._frame = _bounded_decompressor()
        self._is_begun = False
        self._frame_count += 1
        self._check_ratio()

    def _decompress_buffer(self, size: int) -> bytes:
        """The next bytes of the frame, at most `size`; none where it needs more input."""
        try:
            part = self._frame.decompress(self._buffer, size)
        except _ZstdError as error:
            found, most = str(error).lower(), 1 << WINDOW_LOG
            raise LogError("zstd", file=self._name, most=most, found=found, n=self._packed_bytes) from None
        self._buffer = b""
        return part

    def _check_ratio(self) -> None:
        """LogError for few bytes that unpack to many, and for many frames in few bytes: made to exhaust the reader."""
        if self._unpacked_bytes > FREE_BYTES + MOST_RATIO * self._packed_bytes:
            raise LogError("zstd", "zstd-ratio", file=self._name, most=MOST_RATIO, n=self._packed_bytes)
        if self._frame_count > FREE_FRAMES + self._packed_bytes // LEAST_FRAME:
            raise LogError(
                "zstd", "zstd-frames", file=self._name, least=LEAST_FRAME, found=self._frame_count, n=self._packed_bytes
            )


def _bounded_decompressor() -> ZstdDecompressor:
    """A decompressor of one frame, which refuses one that asks for more memory than WINDOW_LOG allows."""
    return ZstdDecompressor(options={DecompressionParameter.window_log_max: WINDOW_LOG})

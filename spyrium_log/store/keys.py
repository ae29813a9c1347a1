"""Keys to sign with: made once, in a file that only its owner may read, never overwritten."""

from __future__ import annotations

import secrets
from pathlib import Path

from spyrium_log.errors import SigningError
from spyrium_log.log.seals import SEED_BYTES, Signer, load_signer, make_pem
from spyrium_log.store.files import DISK, Files, disk_errors, reading_file, write_file
from spyrium_log.store.source import read_up_to

# A key takes some hundred bytes.
MAX_PEM = 1 << 14


def create_key(path: Path, *, files: Files = DISK) -> Signer:
    """A new key in a new file that only its owner may read."""
    pem = make_pem(secrets.token_bytes(SEED_BYTES))
    with disk_errors("write-key", path):
        write_file(files, [pem], path, "secret")
    return load_signer(pem, str(path))


def read_key(path: Path, *, files: Files = DISK) -> Signer:
    """The key in a file."""
    # it may be a pipe, where the key comes from a program that keeps it
    with reading_file(files, path, "read-key", "stream") as read:
        pem = read_up_to(read, MAX_PEM + 1)
    if len(pem) > MAX_PEM:
        raise SigningError("key-too-large", most=MAX_PEM, place=str(path))
    return load_signer(pem, str(path))

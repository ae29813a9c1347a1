"""Seals and their Ed25519 signatures. The chain shows accidents; a signature also shows a log that was rewritten.

A seal covers the lines before it. Corrections that follow are outside of it until somebody seals again. Only this
module knows the package behind signatures, which the extra `sign` installs; without it they are unchecked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.errors import MissingExtraError, SigningError
from spyrium_log.log.lines import FullHash, GameId, Key, Line, Sealed, Signed, When, Withdrawn
from spyrium_log.title import Word

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEED_BYTES = 32

# valid: whoever has the key said so, which proves nothing of who that is. unchecked: the extra is not installed.
Standing: TypeAlias = Literal["unsigned", "valid", "wrong", "unchecked"]


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key, ready to sign. It is never shown."""

    key: str
    _private: Ed25519PrivateKey

    def __repr__(self) -> str:
        """The public key alone: what is logged must not show the private one."""
        return f"Signer({self.key})"

    def sign(self, statement: bytes) -> Signed:
        """The public key and the signature of these bytes, as a seal carries them."""
        return Signed(key=self.key, signature=self._private.sign(statement).hex())


def make_pem(seed: bytes) -> bytes:
    """A new private key, made from 32 secret bytes that the caller draws, as PEM for a file."""
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - the extra may not be installed
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - see above
    except ImportError as error:
        raise MissingExtraError("no-extra") from error
    if len(seed) != SEED_BYTES:
        raise SigningError("seed", n=SEED_BYTES, found=len(seed))
    return ed25519.Ed25519PrivateKey.from_private_bytes(seed).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def load_signer(pem: bytes, file: str = "<bytes>") -> Signer:
    """The private key in the PEM of a file, ready to sign; SigningError where there is none that can be used."""
    try:
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - the extra may not be installed
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - see above
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - see above
    except ImportError as error:
        raise MissingExtraError("no-extra") from error
    try:
        private = serialization.load_pem_private_key(pem, password=None)
    except TypeError:
        raise SigningError("key-password", place=file) from None
    except (ValueError, UnsupportedAlgorithm):
        # the message of the error may quote the key
        raise SigningError("key-pem", place=file) from None
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise SigningError("key-kind", place=file)
    return Signer(private.public_key().public_bytes_raw().hex(), private)


def check_signature(signed: Signed | None, statement: bytes) -> Standing:
    """Whether the signature of a statement is that of the key it names; `unchecked` without the package for it."""
    if signed is None:
        return "unsigned"
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - the extra may not be installed
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - see above
    except ImportError:
        return "unchecked"
    try:
        public = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key))
        public.verify(bytes.fromhex(signed.signature), statement)
    except (InvalidSignature, ValueError):
        return "wrong"
    return "valid"


class Seal(Struct, frozen=True, kw_only=True):
    """A seal that was not withdrawn, and whether its signature holds. Its count and hash were checked on reading."""

    n: int
    by: str
    at: datetime | None
    standing: Standing
    key: str | None = None


class _SignedStatement(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="statement", tag="spyrium-log seal 1"
):
    """What a seal's signature signs. The tag keeps it apart from anything else that the key may sign."""

    game: GameId
    n: int
    by: Word
    at: When | None = None
    count: int
    final: FullHash
    key: Key


def _statement_bytes(line: Sealed, game: str, key: str) -> bytes:
    """The bytes to sign: all that a seal says, and the game, so that a signature fits no other seal."""
    return msgspec.json.encode(
        _SignedStatement(game=game, n=line.n, by=line.by, at=line.at, count=line.count, final=line.final, key=key)
    )


def sign_seal(line: Sealed, game: str, signer: Signer) -> Sealed:
    """The seal of this game, signed: nobody without the key can rewrite the lines that it covers."""
    return replace(line, signed=signer.sign(_statement_bytes(line, game, signer.key)))


def list_seals(lines: Sequence[Line], game: str) -> list[Seal]:
    """The seals that nobody withdrew, each with the standing of its signature."""
    withdrawn = {line.line for line in lines if isinstance(line, Withdrawn)}
    standing_seals = []
    for line in lines:
        if isinstance(line, Sealed) and line.n not in withdrawn:
            key = None if line.signed is None else line.signed.key
            standing = check_signature(line.signed, _statement_bytes(line, game, key or ""))
            standing_seals.append(Seal(n=line.n, by=line.by, at=line.at, standing=standing, key=key))
    return standing_seals

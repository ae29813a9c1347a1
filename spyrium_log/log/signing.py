"""Ed25519 signatures. Only this module knows the package behind them, which the extra `sign` installs.

Logs are read without it; their signatures are then unchecked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from spyrium_log.errors import MissingExtraError, SigningError
from spyrium_log.log.lines import Signed
from spyrium_log.messages import store_message

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
        return f"Signer({self.key})"

    def sign(self, statement: bytes) -> Signed:
        """The public key and the signature of these bytes, as a seal carries them."""
        return Signed(key=self.key, signature=self._private.sign(statement).hex())


def pem_of(seed: bytes) -> bytes:
    """The private key made from 32 secret bytes, as PEM for a file."""
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - the extra may not be installed
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - see above
    except ImportError as error:
        raise _missing_extra() from error
    if len(seed) != SEED_BYTES:
        raise SigningError(store_message("seed", n=SEED_BYTES, found=len(seed)))
    return ed25519.Ed25519PrivateKey.from_private_bytes(seed).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def signer(pem: bytes, file: str = "<bytes>") -> Signer:
    """The private key in the PEM of a file."""
    try:
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - the extra may not be installed
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - see above
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - see above
    except ImportError as error:
        raise _missing_extra() from error
    try:
        private = serialization.load_pem_private_key(pem, password=None)
    except TypeError:
        raise SigningError(store_message("key-password", place=file)) from None
    except (ValueError, UnsupportedAlgorithm):
        # the message of the error may quote the key
        raise SigningError(store_message("key-pem", place=file)) from None
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise SigningError(store_message("key-kind", place=file))
    return Signer(private.public_key().public_bytes_raw().hex(), private)


def standing(signed: Signed | None, statement: bytes) -> Standing:
    """Whether the signature of a statement is that of the key it names."""
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


def _missing_extra() -> MissingExtraError:
    """The error where the package behind signatures is not installed."""
    return MissingExtraError(store_message("no-extra"))

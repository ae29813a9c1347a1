"""Seals: what is signed, and what of it holds. The chain shows accidents; a signature shows a rewrite, too.

A seal speaks of the lines before it. Corrections that follow stand outside of it until somebody seals again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.log.lines import FullHash, GameId, Key, Line, Sealed, When, Withdrawn
from spyrium_log.log.signing import Signer, Standing, standing
from spyrium_log.title import Word


class Seal(Struct, frozen=True, kw_only=True):
    """A seal that counts: whose it is, and whether its signature is. Its count and hash were checked on reading."""

    n: int
    by: str
    at: datetime | None
    standing: Standing
    key: str | None = None


class _Statement(
    Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="statement", tag="spyrium-log seal 1"
):
    """The bytes under a seal's signature. The tag keeps them apart from whatever else the key may sign."""

    game: GameId
    n: int
    by: Word
    at: When | None = None
    count: int
    final: FullHash
    key: Key


_encode = msgspec.json.Encoder().encode


def statement(line: Sealed, game: str, key: str) -> bytes:
    """Everything that a seal says, and of which game: who moves a signature elsewhere moves no vouching."""
    return _encode(_Statement(game=game, n=line.n, by=line.by, at=line.at, count=line.count, final=line.final, key=key))


def signed(line: Sealed, game: str, signer: Signer) -> Sealed:
    """The same seal, vouched for."""
    return replace(line, signed=signer.sign(statement(line, game, signer.key)))


def seals(lines: Sequence[Line], game: str) -> list[Seal]:
    """The seals that nobody withdrew, and what of each holds."""
    gone = {line.line for line in lines if isinstance(line, Withdrawn)}
    return [_seal(line, game) for line in lines if isinstance(line, Sealed) and line.n not in gone]


def _seal(line: Sealed, game: str) -> Seal:
    key = None if line.signed is None else line.signed.key
    holds = standing(line.signed, statement(line, game, key or ""))
    return Seal(n=line.n, by=line.by, at=line.at, standing=holds, key=key)

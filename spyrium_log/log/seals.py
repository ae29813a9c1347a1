"""Seals and their signatures. The chain shows accidents; a signature also shows a log that was rewritten.

A seal covers the lines before it. Corrections that follow are outside of it until somebody seals again.
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


_encode = msgspec.json.Encoder().encode


def statement(line: Sealed, game: str, key: str) -> bytes:
    """The bytes to sign: all that a seal says, and the game, so that a signature fits no other seal."""
    return _encode(
        _SignedStatement(game=game, n=line.n, by=line.by, at=line.at, count=line.count, final=line.final, key=key)
    )


def signed(line: Sealed, game: str, signer: Signer) -> Sealed:
    """The seal with a signature."""
    return replace(line, signed=signer.sign(statement(line, game, signer.key)))


def seals(lines: Sequence[Line], game: str) -> list[Seal]:
    """The seals that nobody withdrew, each with the standing of its signature."""
    withdrawn = {line.line for line in lines if isinstance(line, Withdrawn)}
    return [_seal_of(line, game) for line in lines if isinstance(line, Sealed) and line.n not in withdrawn]


def _seal_of(line: Sealed, game: str) -> Seal:
    """A seal with the standing of its signature."""
    key = None if line.signed is None else line.signed.key
    signature = standing(line.signed, statement(line, game, key or ""))
    return Seal(n=line.n, by=line.by, at=line.at, standing=signature, key=key)

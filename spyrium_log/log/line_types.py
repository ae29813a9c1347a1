"""The line types of one title, made from its wire types, and the decoder that reads them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from spyrium_log.log.lines import (
    Accepted,
    Amended,
    Corrected,
    Dealt,
    Decided,
    Declared,
    Finished,
    Header,
    Line,
    ReadOff,
    Sealed,
    Stated,
    Undone,
    Withdrawn,
)
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    AnyTitle,
    Conceded,
    Continued,
    Counted,
    FinalCount,
    Paused,
    Posting,
    Resynced,
    SharedCause,
    Wire,
)


def line_type(title: AnyTitle) -> Any:
    """The union of all lines of one title, made from its wire types."""
    return _line_type(title.wire, title.options)


@cache
def _line_type(wire: Wire, options: type[Struct]) -> Any:
    """The union of all lines for these wire types, made once."""
    posting = _of(Posting, wire.resource, wire.cause | SharedCause)
    statement = _statement(wire)
    return (
        _of(Header, wire.resource, options)
        | _of(Decided, wire.decision, posting, wire.fact)
        | _of(Dealt, wire.deal, posting, wire.fact)
        | _of(Finished, FinalCount, posting, wire.fact)
        | _of(Stated, statement, posting, wire.fact)
        | Undone
        | _of(Amended, act_type(wire), posting, wire.fact)
        | Corrected
        | ReadOff
        | Declared
        | Accepted
        | Withdrawn
        | Sealed
    )


@cache
def act_type(wire: Wire) -> Any:
    """The union of all acts of one title."""
    return wire.decision | wire.deal | FinalCount | _statement(wire)


def _statement(wire: Wire) -> Any:
    """The union of the statements that every title has."""
    return (
        _of(Counted, wire.resource)
        | Adjusted
        | _of(Resynced, wire.position)
        | Paused
        | Continued
        | Conceded
        | Abandoned
    )


def _of(generic: Any, *parameters: Any) -> Any:
    """A generic type with parameters that are known at run time only."""
    return generic[parameters]


@cache
def decoder(wire: Wire, options: type[Struct]) -> msgspec.json.Decoder[Line]:
    """The decoder of a title's lines, made once."""
    return msgspec.json.Decoder(_line_type(wire, options))

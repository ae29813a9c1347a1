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
    posting = _with_parameters(Posting, wire.resource, wire.cause | SharedCause)
    statement = _statement_type(wire)
    return (
        _with_parameters(Header, wire.resource, options)
        | _with_parameters(Decided, wire.decision, posting, wire.fact)
        | _with_parameters(Dealt, wire.deal, posting, wire.fact)
        | _with_parameters(Finished, FinalCount, posting, wire.fact)
        | _with_parameters(Stated, statement, posting, wire.fact)
        | Undone
        | _with_parameters(Amended, act_type(wire), posting, wire.fact)
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
    return wire.decision | wire.deal | FinalCount | _statement_type(wire)


def _statement_type(wire: Wire) -> Any:
    """The union of the statements that every title has."""
    return (
        _with_parameters(Counted, wire.resource)
        | Adjusted
        | _with_parameters(Resynced, wire.position)
        | Paused
        | Continued
        | Conceded
        | Abandoned
    )


def _with_parameters(generic: Any, *parameters: Any) -> Any:
    """A generic type with parameters that are known at run time only."""
    return generic[parameters]


@cache
def decoder(wire: Wire, options: type[Struct]) -> msgspec.json.Decoder[Line]:
    """The decoder of a title's lines, made once."""
    return msgspec.json.Decoder(_line_type(wire, options))

"""The line types of one title, made from its wire types: the decoder that reads them, and acts compared with them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, get_origin

import msgspec
from msgspec import Struct, inspect

from spyrium_log import title as door
from spyrium_log.checks import argument_error
from spyrium_log.errors import ArgumentError
from spyrium_log.log import lines
from spyrium_log.messages import Message, argument_message
from spyrium_log.title import AnyTitle, Wire


def line_type(title: AnyTitle) -> Any:
    """The union of all lines of a title's logs: for schemas, and for tests that make lines."""
    return _line_type(title.wire, title.options)


@cache
def _line_type(wire: Wire, options: type[Struct]) -> Any:
    """The union of all lines, made once for these wire types and this type of options."""
    posting = _parametrise(door.Posting, wire.resource, wire.cause | door.SharedCause)
    return (
        _parametrise(lines.Header, wire.resource, options)
        | _parametrise(lines.Decided, wire.decision, posting, wire.fact)
        | _parametrise(lines.Dealt, wire.deal, posting, wire.fact)
        | _parametrise(lines.Finished, door.FinalCount, posting, wire.fact)
        | _parametrise(lines.Stated, _statement_type(wire), posting, wire.fact)
        | lines.Undone
        | _parametrise(lines.Amended, _act_type(wire), posting, wire.fact)
        | lines.Aside
    )


@cache
def _act_type(wire: Wire) -> Any:
    """The union of a title's acts: what an event does, and an amendment may say instead."""
    return wire.decision | wire.deal | door.FinalCount | _statement_type(wire)


def _statement_type(wire: Wire) -> Any:
    """The union of the statements, which all titles share; counts and positions are in the words of this one."""
    return (
        _parametrise(door.Counted, wire.resource)
        | door.Adjusted
        | _parametrise(door.Resynced, wire.position)
        | door.Paused
        | door.Continued
        | door.Conceded
        | door.Abandoned
    )


def _parametrise(generic: Any, *parameters: Any) -> Any:
    """A generic type with parameters that type checkers cannot see, because a title brings them."""
    return generic[parameters]


@cache
def line_decoder(wire: Wire, options: type[Struct]) -> msgspec.json.Decoder[lines.Line]:
    """The decoder of a title's lines, made once for these wire types and this type of options."""
    return msgspec.json.Decoder(_line_type(wire, options))


class Misfit(NamedTuple):
    """A field that a log could not hold: its type is wrong (`is_type`), or it is out of bounds."""

    where: str
    expected: Message
    found: object
    is_type: bool

    def error(self) -> ArgumentError:
        """The error for whoever passed the act."""
        return argument_error(argument_message("field", what=self.expected, where=self.where), self.found)


def is_act(title: AnyTitle, act: object) -> bool:
    """Whether this is an act of the title by its class, whatever its fields hold."""
    return type(act) in _act_types(title.wire)


def find_misfits(title: AnyTitle, act: Any) -> list[Misfit]:
    """The fields of an act that a log could not hold. Python code may have made it without any check."""
    kind = _act_types(title.wire)[type(act)]
    try:
        # to one class, because msgspec caches what it makes of a class and not of a union
        msgspec.convert(msgspec.to_builtins(act), kind.cls)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        return list(_find_misfits(act, kind, act.__struct_config__.tag))
    return []


@cache
def _act_types(wire: Wire) -> dict[type, inspect.StructType]:
    """What msgspec knows of the fields of each class of a title's acts, to check acts that Python code made."""
    union = inspect.type_info(_act_type(wire))
    kinds = union.types if isinstance(union, inspect.UnionType) else (union,)
    # of a generic class the class itself, which `type` says of an act
    return {get_origin(kind.cls) or kind.cls: kind for kind in kinds if isinstance(kind, inspect.StructType)}


def _find_misfits(value: Any, kind: inspect.Type, where: str) -> Iterator[Misfit]:
    """Compare a value with a type, field by field. `where` names it in errors: `seat of paused`."""
    match kind:
        case inspect.UnionType(types=types):
            misfits_by_member = [list(_find_misfits(value, member, where)) for member in types]
            # a member without a misfit takes the value; else one whose bounds are exceeded is nearer than another type
            if all(misfits_by_member):
                yield from min(misfits_by_member, key=lambda misfits: misfits[0].is_type)
        case inspect.IntType(ge=low, le=high):
            # Python takes True for a number
            is_number = isinstance(value, int) and not isinstance(value, bool)
            if not is_number or not (low is None or low <= value) or not (high is None or value <= high):
                expected = argument_message("whole-number", low=str(low), high=str(high))
                yield Misfit(where, expected, value, not is_number)
        case inspect.StrType(max_length=most):
            if not isinstance(value, str) or len(value) > (most or len(value)):
                yield Misfit(where, argument_message("text-field", most=str(most)), value, not isinstance(value, str))
        case inspect.LiteralType(values=values):
            if value not in values or isinstance(value, bool):
                expected = argument_message("word-field", known=", ".join(map(str, values)))
                yield Misfit(where, expected, value, type(value) is not type(values[0]))
        case inspect.VarTupleType(item_type=item, min_length=fewest, max_length=most):
            yield from _find_tuple_misfits(value, item, where, fewest or 0, most)
        case inspect.StructType(cls=cls, fields=fields):
            plain_class = get_origin(cls) or cls
            if not isinstance(value, plain_class):
                yield Misfit(where, argument_message("value-field", type=plain_class.__name__), value, is_type=True)
                return
            for field in fields:
                yield from _find_misfits(getattr(value, field.name), field.type, f"{field.encode_name} of {where}")
        case inspect.BoolType() if not isinstance(value, bool):
            yield Misfit(where, argument_message("true-or-false"), value, is_type=True)
        case inspect.NoneType() if value is not None:
            yield Misfit(where, argument_message("none"), value, is_type=True)


def _find_tuple_misfits(value: Any, item: inspect.Type, where: str, fewest: int, most: int | None) -> Iterator[Misfit]:
    """Compare a value with a tuple of such items whose length has these bounds (None: as long as one likes)."""
    if not isinstance(value, tuple | list):
        yield Misfit(where, argument_message("tuple"), value, is_type=True)
        return
    if len(value) < fewest or len(value) > (most or len(value)):
        yield Misfit(where, argument_message("value-count", least=fewest, most=str(most)), len(value), is_type=False)
    for item_value in value:
        yield from _find_misfits(item_value, item, where)

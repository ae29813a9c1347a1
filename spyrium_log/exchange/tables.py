"""A game as JSON and as CSV: everything that its replay says, for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from spyrium_log.edit.annotate import Remark
from spyrium_log.replay import Replay
from spyrium_log.spreadsheet import csv_rows

LEDGER = ("n", "i", "ref", "seat", "player", "what", "amount", "why", "rule", "seen")


def ledger_csv(replayed: Replay, players: Sequence[str], *, raw: bool = False) -> bytes:
    """A row for each change of a resource. `players` are the names of the seats; `raw`: no guard against formulas."""
    names = ["", *players]
    rows = (
        (
            entry.n,
            entry.i,
            entry.ref,
            entry.who,
            names[entry.who],
            entry.what,
            entry.amount,
            entry.why,
            entry.number,
            entry.seen,
        )
        for entry in replayed.ledger
    )
    return "".join(csv_rows([LEDGER, *rows], raw=raw)).encode()


def replay_json(replayed: Replay, raw: bytes, *, remarks: Sequence[Remark] = ()) -> bytes:
    """The whole replay as one object; keys never change their meaning, new ones may be added.

    `raw` are the bytes of the log: its lines are in the object, too, as far as they can be read.
    """
    exported = {
        "header": replayed.header,
        "verdict": replayed.verdict,
        "complaint": None if replayed.complaint is None else str(replayed.complaint),
        "assumed": replayed.assumed,
        # as bytes: the objects of a long log take ten times as much memory
        "events": [msgspec.Raw(msgspec.json.encode(event)) for event in event_objects(replayed, "en")],
        "ledger": replayed.ledger,
        "findings": replayed.findings,
        "notes": remarks,
        "scores": [
            {"player": name, **msgspec.to_builtins(score), "parts": replayed.score_parts(score.seat)}
            for name, score in zip(replayed.players, replayed.scores(), strict=True)
        ],
        "board": replayed.title.screens.view(replayed.state_at(len(replayed.events))),
        "log": _readable_lines(replayed, raw),
        "hash": replayed.log.last_digest,
    }
    return msgspec.json.format(msgspec.json.encode(exported, enc_hook=str), indent=2) + b"\n"


def _readable_lines(replayed: Replay, raw: bytes) -> list[str]:
    """The lines of the log that can be read."""
    damage = replayed.log.damage
    good = raw[: replayed.log.good_bytes + (damage.keep if damage else 0)]
    return good.decode().removesuffix("\n").split("\n")


def event_objects(replayed: Replay, language: str) -> Iterator[dict[str, Any]]:
    """Every standing event with what it moved and the scores after it."""
    title = replayed.title
    state = title.copy(replayed.snapshots[0])
    for event in replayed.events:
        sentence = title.words.describe(state, event.do, event.moved, event.facts, replayed.players, language)
        title.evolve(state, event.do, event.moved, event.facts)
        yield {
            "n": event.n,
            "ref": replayed.name_of(event),
            "by": event.by,
            "at": event.at,
            "verb": title.tables.verb(event.do),
            "sentence": sentence,
            "act": event.do,
            "moved": event.moved,
            "facts": event.facts,
            "scores": title.score(state),
        }

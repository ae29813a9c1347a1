"""A game as JSON and as CSV: everything that its replay says, for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

import msgspec

from spyrium_log.edit.annotate import Remark
from spyrium_log.exchange.values import Json
from spyrium_log.folding import describe_event
from spyrium_log.replay import Replay
from spyrium_log.spreadsheet import format_csv_rows

LEDGER = ("n", "i", "ref", "seat", "player", "what", "amount", "why", "rule", "seen", "assumed")


def ledger_csv(game: Replay, players: Sequence[str], *, raw: bool = False) -> bytes:
    """A row for each change of a resource. `players` are the names of the seats; `raw`: no guard against formulas."""
    # by seat; 0 is nobody
    names = ["", *players]
    fields = attrgetter("what", "amount", "why", "number", "seen", "assumed")
    rows = ((entry.n, entry.i, entry.ref, entry.who, names[entry.who], *fields(entry)) for entry in game.ledger)
    return "".join(format_csv_rows([LEDGER, *rows], raw=raw)).encode()


def replay_json(game: Replay, raw: bytes, *, remarks: Sequence[Remark] = ()) -> bytes:
    """The replay as one object with the lines of `raw`, its log. No key changes its meaning; new ones may be added."""
    # of a damaged log, as far as it can be read
    damage = game.log.damage
    good = raw[: game.log.good_bytes + (damage.keep if damage else 0)]
    exported = {
        "header": game.header,
        "verdict": game.verdict,
        "complaint": None if game.complaint is None else str(game.complaint),
        "assumed": game.assumed_value_count,
        "sheet": {"name": game.sheet.name, "invented": game.sheet.is_invented},
        # as bytes: the objects of a long log take ten times as much memory
        "events": [msgspec.Raw(msgspec.json.encode(event)) for event in event_objects(game, "en")],
        "ledger": game.ledger,
        "findings": game.findings,
        "notes": remarks,
        "scores": [
            {
                "player": name,
                **msgspec.to_builtins(score),
                "parts": game.sum_score_parts(score.seat),
                "assumed_parts": sorted(game.find_assumed_parts(score.seat)),
            }
            for name, score in zip(game.players, game.scores(), strict=True)
        ],
        "board": game.title.screens.view(game.state_at(len(game.events))),
        "log": good.decode().removesuffix("\n").split("\n"),
        "hash": game.log.last_digest,
    }
    return msgspec.json.format(msgspec.json.encode(exported, enc_hook=str), indent=2) + b"\n"


def event_objects(game: Replay, language: str) -> Iterator[dict[str, Json]]:
    """Every standing event as a plain object, with its sentence, what it moved and the scores after it."""
    title = game.title
    state = title.copy(game.snapshots[0])
    for event in game.events:
        sentence = describe_event(title, state, event.do, event.moved, event.facts, game.players, language)
        title.evolve(state, event.do, event.moved, event.facts)
        yield {
            "n": event.n,
            "ref": game.name_of(event),
            "by": event.by,
            "at": event.at,
            "verb": title.tables.verb(event.do),
            "sentence": sentence,
            "act": event.do,
            "moved": event.moved,
            "facts": event.facts,
            "scores": title.score(state),
        }

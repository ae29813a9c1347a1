"""Games whose pages are looked at: real ones, corrected ones, and one in which every text is an attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from msgspec import structs

from spyrium_log.edit.annotate import Remark, list_game_remarks
from spyrium_log.exchange.page import make_page
from spyrium_log.log import notes
from spyrium_log.log.lines import Corrected
from spyrium_log.log.notes import Noted, Notes
from spyrium_log.play import OPEN
from spyrium_log.replay import Replay, replay
from spyrium_log.store import read_bytes
from spyrium_log.title import Adjusted, Paused, Posting
from tests.games import ALL_TITLES, game, raw_of
from tests.scribe import Scribe
from tests.stories import EXAMPLES, FIRST_DEAL

ATTACK = "</script><img src=x onerror=alert(1)><!--"
QUOTES = "\"'>&lt;${a}`\\u003c"
STEERING = "a\u202eb\u2066c\x1b[31m"
TEXTS = (ATTACK, QUOTES, STEERING)


class Sample(NamedTuple):
    done: Replay
    raw: bytes
    remarks: Sequence[Remark] = ()
    language: str = "en"

    def page(self) -> bytes:
        return make_page(self.done, self.raw, remarks=self.remarks, language=self.language)


def example(name: str, language: str = "en") -> Sample:
    raw = (EXAMPLES / f"{name}.jsonl").read_bytes()
    return Sample(replay(read_bytes(raw, name)), raw, language=language)


def noted(sample: Sample, **at: Any) -> Sample:
    """The same with notes: what each says is keyed by the letter e and its line."""
    lines = sample.done.log.lines
    said = [
        Noted(
            id=f"note-{name}",
            by="Cleo",
            game=sample.done.header.game,
            on=name[1:],
            line=lines[int(name[1:])].hash,
            hash=OPEN,
            **fields,
        )
        for name, fields in at.items()
    ]
    sealed = [notes.read_line(notes.hashed_bytes(note), "notes", 1) for note in said]
    return sample._replace(remarks=list_game_remarks(sample.done, Notes.from_lines(sealed)))


def whole() -> Sample:
    """Three players, with notes."""
    return noted(
        example("whole-game-3-players"),
        e2={
            "text": "Why not beside the Crane?\nThere was time.",
            "mark": "?!",
            "tags": ("opening",),
            "variation": ("p23", "p12"),
        },
        e40={"text": "", "mark": "!!"},
        e90={"text": "From here on it was Bob’s game.", "tags": ("turning-point", "bob")},
    )


def hostile() -> Sample:
    """Whatever a log lets people write, they write attacks."""
    scribe = Scribe("game-hostile", seats=3)
    header = structs.replace(
        scribe.table.header,
        place=ATTACK,
        played=QUOTES,
        seats=tuple(
            structs.replace(seat, player=text[:60], colour=f'x" onload="{at}')
            for at, (seat, text) in enumerate(zip(scribe.table.header.seats, TEXTS, strict=True))
        ),
    )
    scribe.table.log.lines[0] = header
    scribe.play(FIRST_DEAL, "p12", "p45")
    scribe.act(Adjusted(who=ATTACK, why=QUOTES), moved=[Posting(1, "points", 3, "adjusted")])
    scribe.act(Paused())
    scribe.undo(2, ATTACK).play("p25")
    scribe.aside(Corrected, place=ATTACK, why=QUOTES)
    raw = scribe.raw()
    sample = Sample(replay(read_bytes(raw, ATTACK)), raw)
    return noted(sample, e2={"text": ATTACK, "tags": ("</script>",), "mark": "?", "variation": (ATTACK, "p12")})


def pebbles() -> Sample:
    """A title without a board of its own."""
    log = game("pebbles", 3)
    raw = raw_of(log)
    return Sample(replay(read_bytes(raw, "pebbles", titles=ALL_TITLES)), raw)


SAMPLES: Mapping[str, Callable[[], Sample]] = {
    "two": lambda: example("whole-game-2-players"),
    "three": whole,
    "four": lambda: example("whole-game-4-players", "pl"),
    "five": lambda: example("whole-game-5-players", "ru"),
    "slip": lambda: example("slip-carried-through"),
    "misplayed": lambda: example("amended-as-misplayed"),
    "twice-corrected": lambda: example("correction-of-a-correction"),
    "undone": lambda: example("undone-and-redone"),
    "flipped": lambda: example("flipped-bit"),
    "scores-only": lambda: example("scores-only"),
    "hostile": hostile,
    "pebbles": pebbles,
    "founders": lambda: example("../founders/two-players-on-the-symmetric-side"),
}


@cache
def sample(name: str) -> Sample:
    return SAMPLES[name]()

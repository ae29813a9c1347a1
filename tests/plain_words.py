"""A whole game as somebody told it in plain words, with his own books, and what a practised scribe types for it.

In tests/keys: the story, line by line; `books.csv`, what everybody has after each line as its author reckoned it,
who has not seen this program; `typed.txt`, for each line of the story what is typed before Enter (`↵`: nothing, Enter
alone takes what is wanted; several rows: several texts; an empty row: talk, nothing is typed). It is typed key by key
into the recorder, from an empty prompt to the line on the disk, and after every line its table is compared with the
books.

One thing stands otherwise in typed.txt than a reader may expect: a deal is told in four lines and typed at its last.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from spyrium_cli.recording.recorder import Recorder
from spyrium_log.entry.requests import Request
from spyrium_log.log.notes import NoteLine
from spyrium_log.play import Play
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Folder
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.state import PLACES, Built, State
from tests.build import begin
from tests.games import log_of

KEYS = Path(__file__).parent / "keys"
PLAYERS = ("Ania", "Marek", "Zofia")
FIRST = PLAYERS.index("Marek") + 1
ENTER_ALONE = "↵"
BY_ITSELF = "gets the other bonus"
SPYRIUM = TITLES["spyrium"]


class Said(NamedTuple):
    """What is typed at a line of the story; None for talk."""

    line: int
    text: str | None


class Typed(NamedTuple):
    """One text that was typed, how many keys it took with Enter, and what came out of it."""

    line: int
    keys: int
    request: Request


@dataclass
class Evening:
    """The game typed to its end."""

    done: Replay
    notes: Sequence[NoteLine]
    typed: list[Typed] = field(default_factory=list)
    compared: int = 0
    differences: list[str] = field(default_factory=list)


def story() -> dict[int, str]:
    lines = re.findall(r"^(\d+)\. (.*)$", (KEYS / "game-in-plain-words.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {int(n): text for n, text in lines}


def said() -> Iterator[Said]:
    for row in (KEYS / "typed.txt").read_text(encoding="utf-8").splitlines():
        line, _, text = row.partition("\t")
        yield Said(int(line), "" if text == ENTER_ALONE else text or None)


def books() -> dict[int, list[dict[str, str]]]:
    """Each line's rows, one a player."""
    with (KEYS / "books.csv").open(encoding="utf-8", newline="") as file:
        return {int(line): list(rows) for line, rows in groupby(csv.DictReader(file), key=lambda row: row["line"])}


def evening(archive: Path) -> Evening:
    """Everything typed into a log on the disk."""
    folder = Folder(archive)
    opened = log_of(SPYRIUM, [Play.new(SPYRIUM, game="plain-words", players=PLAYERS, first=FIRST).header])
    path = begin(folder, opened.header)
    typed: list[Typed] = []
    different: list[str] = []
    compared = 0
    told, kept = story(), books()
    with Recorder(folder, path, by="scribe", language="en") as recorder:
        for line, texts in groupby(said(), key=lambda row: row.line):
            typed += [enter(recorder, line, text) for _, text in texts if text is not None]
            for row in kept.get(line, ()):
                gets = told.get(line + 1, "").startswith(row["player"]) and BY_ITSELF in told[line + 1]
                apart = beyond(recorder.play, told[line], gets=gets)
                compared += len(COLUMNS) - len(apart)
                different += differences(recorder.play, row, apart)
    done = replay(folder.read_log(path))
    return Evening(done, folder.read_notes(path).lines, typed, compared, different)


def enter(recorder: Recorder, line: int, text: str) -> Typed:
    prompt = recorder.prompt
    assert prompt.text == "" or prompt.is_offering, f"at {line}: something was still typed"
    for key in text:
        assert prompt.press(key) is None, f"at {line}: '{text}' ended at '{key}'"
    request = prompt.press("enter")
    assert request is not None, f"at {line}: '{text}': {prompt.view.message or prompt.view.breaches}"
    assert recorder.write(request) is not None, f"at {line}: '{text}': {prompt.view.message}"
    return Typed(line, len(text) + 1, request)


# --- the books -----------------------------------------------------------------------------------


def differences(play: Play, row: Mapping[str, str], apart: set[str]) -> Iterator[str]:
    has = reckoned(play, PLAYERS.index(row["player"]) + 1)
    meant = as_recorded(play, row)
    for what in COLUMNS:
        if what not in apart and meant[what] != has[what]:
            yield f"{row['line']} {row['player']} {what}: books {meant[what]}, record {has[what]}"


def beyond(play: Play, line: str, *, gets: bool) -> set[str]:
    """What cannot be compared after a line, for books and record take it up at different lines."""
    kind = play.awaits().kind
    if kind == "deal" and line.startswith(("Round ", "The event of the round", "The market is laid out")):
        # one deal says all of this at once, when the tokens lie too
        return set(COLUMNS)
    if gets:
        # the story tells it on a line of its own; by S-7.3 it comes by itself, and so with what brought the points
        return {"active", "bonus"}
    # the books keep the track; the final count puts all points there, and is compared with the story's own totals
    return {"points"} if kind == "over" else set()


def as_recorded(play: Play, row: Mapping[str, str]) -> Mapping[str, str]:
    """The books' row; buildings are straightened at the end of a round there, and by the next deal here."""
    return {**row, "buildings": row["buildings"].replace("*", "")} if is_between(play) else row


def is_between(play: Play) -> bool:
    return play.awaits().kind not in ("decision", "choice")


def reckoned(play: Play, seat: int) -> dict[str, str]:
    """What the record says somebody has, under the heads of the books and in their spelling."""
    state: State = play.state
    mat = state.mats[seat]
    market = sum(state.placed[place + seat] for place, _, _ in PLACES.values())
    buildings = " ".join(spelled(built) for built in mat.buildings)
    has = (
        mat.money,
        mat.spyrium,
        mat.points,
        mat.active,
        market,
        mat.workers - mat.active - market,
        # the books name the space by the number on it, the record by its place on the track
        state.printed.residence(mat.residence),
        mat.phase,
        int(mat.passed),
        buildings.replace("*", "") if is_between(play) else buildings,
        " ".join(mat.techniques),
        "+".join(map(str, mat.kept)),
        " ".join(mat.bonuses),
    )
    return dict(zip(COLUMNS, map(str, has), strict=True))


def spelled(built: Built) -> str:
    return built.card + "*" * built.inclined + (f"({built.workers}w)" if built.workers else "")


COLUMNS = (
    "money",
    "spyrium",
    "points",
    "active",
    "market",
    "inactive",
    "residence",
    "phase",
    "passed",
    "buildings",
    "techniques",
    "kept",
    "bonus",
)

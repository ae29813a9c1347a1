"""Whatever happens to an archive, the index says what one built anew says, after every update.

`python -m tests.readmodel.test_histories 300` tries so many random histories. Half of them are of archives that several
processes read in many batches: of few games each, for a history is small. `test_large_archives` is of real sizes.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from spyrium_log.errors import LogError
from spyrium_log.log import codec
from spyrium_log.log.lines import Line
from spyrium_log.log.pack import Game
from spyrium_log.play import encode_log
from spyrium_log.readmodel import connections, sources
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reader import Source
from spyrium_log.readmodel.sources import sources_of
from spyrium_log.readmodel.verification import verify
from spyrium_log.store import Folder
from spyrium_log.titles import TITLES
from tests.edit.test_amend_laws import some_line
from tests.games import ALL_TITLES, game, read
from tests.log.test_notes import note
from tests.packs import write_pack
from tests.readmodel.archive import Settled, work_late
from tests.shares import part

SHARE = part(4, 4)
SOON = 0.04
# An archive that several processes read begins with so many logs.
MANY = 24


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 60)


class Evenings:
    """An archive on a disk, to which things happen."""

    def __init__(self, folder: Path, rng: random.Random, counts: Counter[str], processes: int = 1) -> None:
        self.folder = folder
        self.rng = rng
        self.counts = counts
        self.processes = processes
        self.index = folder / "index.duckdb"
        self.begun = 0
        # How much of a whole game has been played, by the name of its file.
        self.rest: dict[str, list[Line]] = {}
        for _ in range(MANY if processes > 1 else 0):
            self.add()

    def sources(self) -> Iterator[Source]:
        """Another process knows the titles on the shelf, and no others."""
        is_shared = self.processes > 1
        return sources_of(Folder(self.folder, titles=TITLES if is_shared else ALL_TITLES), anywhere=is_shared)

    def logs(self) -> list[Path]:
        return sorted(path for path in self.folder.glob("*.jsonl") if not path.name.endswith(".notes.jsonl"))

    def happen(self) -> None:
        logs = self.logs()
        what = self.rng.choice(
            ("add", "add", "append", "append", "correct", "correct", "undo", "delete", "rename", "annotate", "damage",
             "copy", "pack", "unpack", "merge", "merge", "part")
        )  # fmt: skip
        self.counts[f"histories: {what}"] += 1
        if what == "add" or not logs:
            self.add()
        elif what in ("merge", "part"):
            getattr(self, what)()
        elif what in ("delete", "rename", "copy", "damage"):
            getattr(self, what)(self.rng.choice(logs))
        elif what == "pack":
            self.pack(logs)
        elif what == "unpack":
            for path in self.folder.glob("*.zst"):
                path.unlink()
        else:
            getattr(self, what)(self.rng.choice(logs))

    def add(self) -> None:
        self.begun += 1
        is_small = self.rng.random() < 0.4 and self.processes == 1
        lines = list(game("pebbles" if is_small else "spyrium", self.rng.randrange(60)).lines)
        path = self.folder / f"log-{self.begun:02}.jsonl"
        at = self.rng.randrange(2, len(lines) + 1)
        self.rest[path.name] = lines[at:]
        path.write_bytes(encode_log(lines[:at]))

    def append(self, path: Path) -> None:
        """The game goes on, if nothing came between."""
        more = self.rest.get(path.name, [])[: self.rng.randint(1, 30)]
        lines = read(path.read_bytes()).lines if more else []
        if more and more[0].n == len(lines):
            del self.rest[path.name][: len(more)]
            path.write_bytes(encode_log([*lines, *more]))

    def correct(self, path: Path) -> None:
        """Amended, undone or played on, as somebody could who knows no rules."""
        log = read(path.read_bytes())
        line = None if log.complaint else some_line(log.title, log.lines, self.rng)
        if line is not None:
            path.write_bytes(encode_log([*log.lines, line]))

    undo = correct

    def delete(self, path: Path) -> None:
        path.unlink()

    def rename(self, path: Path) -> None:
        self.begun += 1
        path.rename(path.with_name(f"log-{self.begun:02}.jsonl"))

    def copy(self, path: Path) -> None:
        """Two files say to be one game."""
        (self.folder / f"log-{self.rng.randrange(20):02}-copy.jsonl").write_bytes(path.read_bytes())

    def damage(self, path: Path) -> None:
        raw = path.read_bytes()
        path.write_bytes(raw[: self.rng.randrange(1, len(raw))])

    def annotate(self, path: Path) -> None:
        log = read(path.read_bytes())
        line = note(f"note-{self.rng.randrange(99):02}", game=log.header.game, on="1", text=f"{self.rng.random()}")
        with path.with_name(path.name.replace(".jsonl", ".notes.jsonl")).open("ab") as file:
            file.write(codec.encode(line))

    def pack(self, logs: list[Path]) -> None:
        """Some games lie in one file."""
        some = [path for path in logs if read(path.read_bytes()).title.key == "spyrium"]
        some = [path for path in some if read(path.read_bytes()).complaint is None][: self.rng.randint(1, 4)]
        target = self.folder / f"pack-{self.rng.randrange(2)}.jsonl.zst"
        target.unlink(missing_ok=True)
        write_pack(target, [Game(path.read_bytes()) for path in some], level=1)
        for path in some[: self.rng.randint(0, 4)]:
            path.unlink()

    def merge(self) -> None:
        """Somebody says that spellings mean one person, those of one table among them."""
        one, *others = self.rng.sample(["Anna", "Bob", "Cy", "Dan", "ANNA", "Zoe"], self.rng.randint(2, 3))
        people = f"[[player]]\nname = {one!r}\nalso = {others!r}\n"
        (self.folder / "players.toml").write_text(people, encoding="utf-8")

    def part(self) -> None:
        (self.folder / "players.toml").unlink(missing_ok=True)

    def indexed(self) -> Settled:
        aliases = Folder(self.folder, titles=ALL_TITLES).read_aliases()
        update = bring_up_to_date(self.index, self.sources(), processes=self.processes, aliases=aliases)
        assert not update.held
        return Settled(self.index, self.sources, update, self.processes, aliases)

    def killed(self) -> None:
        """Another process begins to index and is killed."""
        child = os.fork()
        if not child:
            self.indexed()
            os._exit(0)
        time.sleep(self.rng.uniform(0, SOON))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.counts["histories: indexers killed"] += 1


def run(folder: Path, seed: int, counts: Counter[str]) -> None:
    rng = random.Random(seed)
    evenings = Evenings(folder, rng, counts, processes_of(seed))
    for _ in range(rng.randint(3, 6)):
        for _ in range(rng.choice((1, 2, 3, 6))):
            try:
                evenings.happen()
            except LogError:
                counts["histories: nothing could be done with a damaged log"] += 1
        if rng.random() < 0.3:
            evenings.killed()
        evenings.indexed().check()
        counts["histories: updates whose positions and tables are those built anew"] += 1
        counts[f"histories: updates by {evenings.processes} processes"] += 1
    # Nothing changes but who is who.
    rng.choice((evenings.merge, evenings.part))()
    settled = evenings.indexed()
    settled.check()
    second = evenings.index.with_name("second.duckdb")
    done = verify(evenings.index, evenings.sources(), second, sample=None, aliases=settled.aliases)
    assert done.deviations == ()
    counts["histories: games compared with their logs"] += done.compared
    counts["histories"] += 1


def processes_of(seed: int) -> int:
    """One, two, one, three, one, four, and so on."""
    return seed // 2 % 3 + 2 if seed % 2 else 1


def settle(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """How large a batch is, and whether the disk's clock ticks between two updates."""
    # What is one game, a few, or more than there are; the first makes every update one too large for a transaction.
    work_late(monkeypatch, (1, 150_000, 400_000_000)[seed % 3])
    monkeypatch.setattr(sources, "TICK", 0 if seed // 2 % 2 else 2_000_000_000)


@pytest.mark.parametrize("seed", range(SHARE))
def test_after_any_history_the_tables_are_those_built_anew(
    tmp_path: Path, seed: int, counts: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(seed, monkeypatch)
    run(tmp_path, seed, counts)


if __name__ == "__main__":
    counted: Counter[str] = Counter()
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for number in range(first, first + int(sys.argv[1])):
        with tempfile.TemporaryDirectory() as made, pytest.MonkeyPatch.context() as patch:
            settle(number, patch)
            run(Path(made), number, counted)
    for said, n in sorted(counted.items()):
        print(f"{n:9,}  {said}")
    sys.exit(not counted["histories"])

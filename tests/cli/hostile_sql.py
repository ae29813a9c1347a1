"""Statements that take all memory, all time, or all room, and a look at what a command takes while it answers one.

`python -m tests.cli.hostile_sql 40` asks so many of them and prints what each took and how it ended; `--part "repeat"`
those with that word in their name, `--interrupt` presses ^C two seconds after the start. `--code FOLDER` asks another
copy of the source, such as an older one, which has no limits of its own: it gets --cap bytes and --seconds.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from spyrium_cli.main import cli

ROOT = Path(__file__).parents[2]
MEMORY, TIMEOUT = "1GB", "10s"
# A question that no limit ends would end the campaign.
PATIENCE = 120.0
PRESSED_AFTER = 2.0
MEGABYTE = 1 << 20


class Hostile(NamedTuple):
    """A statement, and the options it is asked with."""

    sql: str
    options: tuple[str, ...] = ("--format", "csv")


LISTS = {
    "a list of a range": Hostile("SELECT range(4000000000)", ()),
    "a list of a series": Hostile("SELECT generate_series(1, 4000000000)"),
    "a list that is summed": Hostile("SELECT list_sum(list_transform(range(300000000), lambda x: x * 2))"),
    "lists in a list": Hostile("SELECT list_sum([list_sum([x * y for y in range(10000)]) for x in range(3000000)])"),
    "a list of lists": Hostile("SELECT list_transform(range(100000), lambda x: range(100000))"),
    "a list of rows": Hostile("SELECT list(range) FROM range(1000000000)"),
    "a histogram": Hostile("SELECT histogram(range) FROM range(200000000)"),
    "a list as json": Hostile("SELECT to_json(range(200000000))"),
    "rows of a list": Hostile("SELECT count(*) FROM (SELECT unnest(range(1000000000)))"),
}
TEXTS = {
    "repeat": Hostile("SELECT repeat('x', 2000000000)"),
    "repeat as a table": Hostile("SELECT repeat('x', 2000000000)", ()),
    "lpad": Hostile("SELECT lpad('x', 2000000000, 'y')"),
    "format": Hostile("SELECT format('{:>1900000000}', 1)"),
    "string_agg": Hostile("SELECT string_agg(repeat('x', 1000), ',') FROM range(100000000)"),
    "a regex": Hostile("SELECT regexp_replace(repeat('a', 300000000), '(a|aa)+?', 'bbbb', 'g')"),
    "a cast": Hostile("SELECT repeat('9', 1000000000)::HUGEINT"),
    "a text that doubles": Hostile(
        "WITH RECURSIVE t AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM t) SELECT max(length(s)) FROM t"
    ),
    "one function of one row": Hostile("SELECT levenshtein(repeat('a', 900000), repeat('b', 900000))"),
    "many large cells": Hostile("SELECT repeat('x', 10000000) FROM range(100000)", ("--format", "jsonl")),
}
ROWS = {
    "rows as a table": Hostile("FROM range(200000000)", ("--limit", "0")),
    "rows as markdown": Hostile("FROM range(200000000)", ("--format", "md")),
    "rows as csv": Hostile("FROM range(1000000) a, range(1000000) b"),
    "rows as json": Hostile("FROM range(1000000) a, range(1000000) b", ("--format", "json")),
    "rows as parquet": Hostile("FROM range(4000000000)", ("--format", "parquet")),
    "a cross join": Hostile("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b"),
    "recursion": Hostile(
        "WITH RECURSIVE t AS (SELECT 1::HUGEINT AS x UNION ALL SELECT x + 1 FROM t) SELECT max(x) FROM t"
    ),
    "a sort": Hostile("SELECT * FROM range(100000000) ORDER BY hash(range)"),
    "a window": Hostile("SELECT max(s) FROM (SELECT sum(range) OVER (ORDER BY hash(range)) s FROM range(200000000))"),
    "distinct": Hostile("SELECT count(DISTINCT hash(range)) FROM range(1000000000)"),
    "a pivot": Hostile("PIVOT (SELECT range AS r, range % 50000 AS c FROM range(50000)) ON c USING sum(r)"),
}
STATEMENTS = {
    "deep parentheses": Hostile(f"SELECT {'(' * 200_000}1{')' * 200_000}"),
    "a long sum": Hostile(f"SELECT {'1+' * 400_000}1"),
    "deep lists": Hostile(f"SELECT {'[' * 50_000}{']' * 50_000}"),
    "a large literal": Hostile(f"SELECT repeat('{'x' * 900_000}', 10000)"),
    "many columns": Hostile(f"SELECT {', '.join(['repeat(chr(120), 10000000)'] * 10_000)}"),
    "a large parameter": Hostile("SELECT repeat($text, 100000)", ("--param", f"text={'x' * 100_000}")),
}
HOSTILE = {**LISTS, **TEXTS, **ROWS, **STATEMENTS}


class Ended(NamedTuple):
    """How a command ended: megabytes of it and all it started at their peak, seconds in all, and seconds after ^C."""

    code: int
    error: str
    megabytes: float
    seconds: float
    after_interrupt: float = 0.0

    @property
    def how(self) -> str:
        if self.code == 0:
            return "answered"
        if self.code == -signal.SIGKILL:
            return "killed by this campaign"
        return self.error.strip().splitlines()[-1][:100] if self.error.strip() else f"exit code {self.code}"


def tree(pid: int) -> list[int]:
    """A process and all that it started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [pid, *(each for child in children for each in tree(int(child)))]


def resident(pid: int) -> int:
    """Bytes that a process had at its peak so far."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


def leftovers(archive: Path) -> list[str]:
    """What a command left in the archive that it had for itself."""
    own = re.compile(r"\.index\.[0-9a-f]{16}\.(?:tmp|duckdb)")
    return sorted(file.name for file in archive.iterdir() if own.match(file.name))


def ask(
    archive: Path,
    hostile: Hostile,
    limits: Sequence[str],
    *,
    code: Path = ROOT,
    cap: int = 0,
    patience: float = PATIENCE,
    press_after: float | None = None,
) -> Ended:
    """Ask one, and look at it all the while. The answer goes nowhere."""
    words = [sys.executable, "-m", "spyrium_cli", "--archive", str(archive), "query", "-", *hostile.options, *limits]
    env = {**os.environ, "PYTHONPATH": f"{code}{os.pathsep}{code / 'cli'}"}

    if cap:
        words = ["sh", "-c", f'ulimit -v {cap >> 10}; exec "$@"', "sh", *words]
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, env=env, cwd=code
        )
        assert child.stdin is not None
        child.stdin.write(hostile.sql.encode())
        child.stdin.close()
        began = time.monotonic()
        peaks: dict[int, int] = {}
        pressed = 0.0
        while child.poll() is None:
            for pid in tree(child.pid):
                peaks[pid] = max(peaks.get(pid, 0), resident(pid))
            now = time.monotonic() - began
            if press_after is not None and not pressed and now > press_after:
                child.send_signal(signal.SIGINT)
                pressed = time.monotonic()
            if now > patience:
                for pid in reversed(tree(child.pid)):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)
        ended = time.monotonic()
        errors.seek(0)
        error = errors.read().decode("utf-8", "replace")
    after = ended - pressed if pressed else 0.0
    return Ended(child.returncode, error, sum(peaks.values()) / MEGABYTE, ended - began, after)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cli.hostile_sql", description=__doc__)
    parser.add_argument("amount", type=int, nargs="?", default=len(HOSTILE), help="at most so many of them")
    parser.add_argument("--part", default="", help="only those with this in their name")
    parser.add_argument("--code", type=Path, default=ROOT, help="another copy of the source, without limits")
    parser.add_argument("--cap", type=int, default=12_000_000_000, help="addresses for that copy, in bytes")
    parser.add_argument("--seconds", type=float, default=60.0, help="time for that copy")
    parser.add_argument("--interrupt", action="store_true", help=f"press ^C after {PRESSED_AFTER:g} s")
    options = parser.parse_args()
    is_ours = options.code == ROOT
    limits = ("--memory", MEMORY, *(() if options.interrupt else ("--timeout", TIMEOUT))) if is_ours else ()
    print(f"{'statement':24} {'MB':>7} {'s':>6} {'^C, s':>6}  how it ended")
    asked, worst = 0, Ended(0, "", 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "archive"
        cli.main(["--archive", str(archive), "new", "--players", "Anna,Bob"], standalone_mode=False)
        for name, hostile in HOSTILE.items():
            if options.part not in name or asked == options.amount:
                continue
            ended = ask(
                archive,
                hostile,
                limits,
                code=options.code,
                cap=0 if is_ours else options.cap,
                patience=PATIENCE if is_ours else options.seconds,
                press_after=PRESSED_AFTER if options.interrupt else None,
            )
            asked += 1
            worst = Ended(0, "", *map(max, zip(worst[2:], ended[2:], strict=True)))
            after = f"{ended.after_interrupt:6.2f}" if ended.after_interrupt else "     -"
            print(f"{name:24} {ended.megabytes:7.0f} {ended.seconds:6.1f} {after}  {ended.how}", flush=True)
        left = leftovers(archive)
    print(f"{asked} statements asked; at most {worst.megabytes:.0f} MB, {worst.seconds:.1f} s, ", end="")
    print(f"{worst.after_interrupt:.2f} s after ^C; files left behind: {', '.join(left) or 'none'}")
    return 0 if asked else 1


if __name__ == "__main__":
    sys.exit(main())

"""How much happens for one act: the functions of ours that one `spyrium play` calls, and which of them only once."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import spyrium_cli
import spyrium_log
from spyrium_cli.main import cli

DEAL = "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:1 luxury-home mine-2"

MOST = 300
ROOTS = tuple(f"{Path(str(package.__file__)).parent}/" for package in (spyrium_log, spyrium_cli))
# a fold, the rules that are broken, what the rules give
ONCE = ("replay.current_state", "rules/__init__.find_breaches", "rules/__init__.compute_effects")


def calls_of(args: list[str]) -> Counter[str]:
    """The functions that one command calls. A generator that goes on is not called again."""
    counts: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _arg: Any) -> None:
        code, at = frame.f_code, frame.f_lasti
        # the argument of RESUME, where every function begins, is 0 at its beginning
        is_begun = event == "call" and (at < 0 or code.co_code[at + 1] & 3 == 0)
        if is_begun and code.co_filename.startswith(ROOTS) and not code.co_name.startswith("<"):
            counts[f"{code.co_filename.removesuffix('.py')}.{code.co_qualname}"] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        done = CliRunner().invoke(cli, args, catch_exceptions=False)
    finally:
        sys.setprofile(before)
    assert done.exit_code == 0, done.output
    return counts


def test_one_act_folds_once_and_asks_the_rules_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPYRIUM_ARCHIVE", str(tmp_path))
    for args in (["new", "--players", "Anna,Bob"], ["play", "@last", DEAL, "p12", "p25", "p36", "p45"]):
        assert CliRunner().invoke(cli, args, catch_exceptions=False).exit_code == 0
    # on a log of six lines; what is loaded once and kept is loaded already
    counts = calls_of(["play", "@last", "p58"])
    for name in ONCE:
        assert [n for function, n in counts.items() if function.endswith(name)] == [1], name
    assert counts.total() <= MOST
    print(f"{counts.total()} calls of {len(counts)} functions")

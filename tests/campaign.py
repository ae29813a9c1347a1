"""`make fuzz`: the long campaigns, one after the other; each prints how much it executed, none executed is a failure.

`python -m tests.campaign 20` runs a twentieth of everything. The whole ends with the tests of which CI runs a share.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
# module, and how much of it a whole campaign is
CAMPAIGNS = (
    ("tests.spyrium.test_conservation", 10_000),
    ("tests.spyrium.test_altered", 1_000_000),
    ("tests.spyrium.test_oracle", 2_000),
    ("tests.edit.test_amend_laws", 5_000),
    ("tests.test_keys", 20),
    ("tests.cli.test_killed", 500),
    ("tests.cli.test_killed_commands", 100),
    ("tests.cli.hostile_sql", 40),
    ("tests.cli.hostile", 24),
    ("tests.edit.test_experiment", 500),
    ("tests.edit.test_compare", 2_000),
    ("tests.edit.planted", 500),
    ("tests.edit.locating", 35),
    ("tests.store.test_packs", 10_000),
    ("tests.test_transcript", 5_000),
    ("tests.readmodel.test_histories", 300),
    ("tests.readmodel.test_large_archives", 40),
    ("tests.players.test_strength", 400),
    ("tests.mistakes.test_coverage", 2_000),
    ("tests.cli.test_work", 612),
    ("tests.cli.bombs", 93),
    ("tests.analysis.test_confounder", 200),
    ("tests.analysis.test_confounded_seats", 200),
    ("tests.analysis.test_placebos", 200),
    ("tests.founders.many_games", 500),
    ("tests.founders.oracle_games", 100),
    ("tests.founders.test_altered", 500_000),
    ("tests.founders.test_connections", 1_000_000),
)


def list_shortened() -> list[str]:
    """The files of tests that CI runs a share of."""
    return sorted(str(path) for path in TESTS.rglob("test_*.py") if "from tests.shares" in path.read_text("utf-8"))


def main(share: int = 1) -> int:
    failed = []
    for module, whole in CAMPAIGNS:
        amount = max(1, whole // share)
        print(f"== {module} {amount:,}", flush=True)
        if subprocess.run([sys.executable, "-m", module, str(amount)], check=False).returncode:
            failed.append(module)
    commands = {"tests.defects": [sys.executable, "-m", "tests.defects", str(share)]}
    if share == 1:
        commands["tests of which CI runs a share"] = [sys.executable, "-m", "pytest", "-n", "auto", *list_shortened()]
    for name, command in commands.items():
        print(f"== {name}", flush=True)
        if subprocess.run(command, env={**os.environ, "TESTS": "whole"}, check=False).returncode:
            failed.append(name)
    passed = len(CAMPAIGNS) + len(commands) - len(failed)
    print(f"{passed} campaigns passed, {len(failed)} failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))

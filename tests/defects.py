"""The test of the tests: plants one defect at a time in the rules of both titles, and where lines are appended.

The tests named with a defect must catch it. Those of Founders stand in `tests/founders/planted.py`.

`python -m tests.defects` plants all of them, `python -m tests.defects 5` every fifth. A defect whose text is no longer
in the code is an error, not a pass.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.founders.planted import PLANTED

ROOT = Path(__file__).parents[1]
SPYRIUM = "spyrium_log/titles/spyrium"
FOUNDERS = "spyrium_log/titles/founders"
# Quick tests first: most defects never reach the slow ones.
# Seconds; the whole suite takes a tenth of it.
MOST = 400
SUITE = ("tests/test_examples.py", "tests/edit", "tests/spyrium", "tests/test_laws.py")
SUITE_OF_FOUNDERS = ("tests/test_examples.py", "tests/founders", "tests/test_laws.py", "-k", "founders")
# What is acknowledged is on the disk, and once.
COMMAND_LINE = "../../../cli/spyrium_cli"
PLAY_KILLED = ("tests/cli/test_killed_commands.py", "-k", "play")
RECORDER = ("tests/cli/test_recorder.py",)
PRICES = ("tests/spyrium/test_prices.py",)
WRITER = ("tests/store/test_writer.py",)


class Defect(NamedTuple):
    file: str
    right: str
    wrong: str
    suite: tuple[str, ...] = SUITE
    folder: str = SPYRIUM

    @property
    def name(self) -> str:
        """Where it is planted, and the beginning of the right text."""
        return f"{Path(self.folder).name}/{self.file}: {' '.join(self.right.split())[:60]}"


DEFECTS = (
    # evolve
    Defect("evolve.py", "0].active -= 1\n", "0].active -= 0\n"),
    Defect("evolve.py", "    around[other] += 1\n", ""),
    Defect("evolve.py", "state.around[one] += n\n", "state.around[one] += 1\n"),
    Defect("evolve.py", "    state.around[other] += n\n", ""),
    Defect("evolve.py", "        placed[index] -= 1\n", ""),
    Defect("evolve.py", "        mat.inactive += 1\n", ""),
    Defect("evolve.py", "    mat.built += 1\n", ""),
    Defect("evolve.py", "    mat.inactive += mat.buildings[over - 1].workers\n", ""),
    Defect("evolve.py", '        _tilt_technique(mat, "lobbying")\n', "        pass\n"),
    Defect(
        "evolve.py",
        "        mat.techniques = _with_piece(mat.techniques, card)\n        _clear_space(state, space)",
        "        mat.techniques = _with_piece(mat.techniques, card)",
    ),
    Defect("evolve.py", "        state.discard[act.token] += 1\n", ""),
    Defect("evolve.py", "    mat.used_event = True\n", ""),
    Defect("evolve.py", "        mat.tilted = ()\n", ""),
    Defect("evolve.py", "        mat.active = mat.workers\n", "        mat.active = mat.active + mat.inactive\n"),
    Defect("evolve.py", "    state.last = 0\n", ""),
    Defect("evolve.py", "    if act.next_token:\n        state.reserve[act.next_token] -= 1\n", ""),
    Defect("evolve.py", " if b.inclined or b.workers else b for", " if b.workers else b for"),
    Defect("evolve.py", "        state.discard[value] = 0\n", ""),
    Defect(
        "evolve.py",
        "                mat.workers += posting.n\n                mat.active += posting.n",
        "                mat.workers += posting.n",
    ),
    Defect("evolve.py", "    state.mat(act.seat).bonus_due = False\n", ""),
    # turn
    Defect("rules/turn.py", "        if not (mat.passed or mat.conceded):", "        if not mat.passed:"),
    Defect(
        "rules/turn.py",
        "seat = last if 0 < last <= seats else (state.first - 2) % seats + 1",
        "seat = last or state.first",
    ),
    Defect(
        "rules/turn.py", "elif phase == 1 and type(act) is not UseEvent", "elif phase == 1 and type(act) is UseEvent"
    ),
    # market
    Defect("rules/market.py", "    return state.around[space] - acting", "    return state.around[space]"),
    Defect("rules/market.py", "CAPITALIZATION_PAYS: Final = 2", "CAPITALIZATION_PAYS: Final = 1"),
    Defect(
        "rules/market.py", "(state.market[one] or state.market[other])", "(state.market[one] and state.market[other])"
    ),
    Defect("rules/market.py", "space in (one, other) and state.market", "state.market"),
    # activation
    Defect("rules/activate.py", "SYMBOL_DISCOUNT: Final = 3", "SYMBOL_DISCOUNT: Final = 2"),
    Defect("rules/activate.py", "min(SYMBOL_DISCOUNT, design.price)", "SYMBOL_DISCOUNT"),
    Defect("rules/activate.py", "return site, min(CRANE_SAVES, ", "return site, CRANE_SAVES or ("),
    Defect("rules/activate.py", "least = price + site - crane\n", "least = price + site\n", PRICES),
    Defect("rules/activate.py", "_find_symbol_discount(design, mat.buildings)) if", "SYMBOL_DISCOUNT) if", PRICES),
    Defect("legal.py", "crowd = state.around[space] - 1", "crowd = state.around[space]"),
    Defect("rules/activate.py", "(mat.money < total_pounds(price) > 0", "(mat.money <= total_pounds(price) > 0"),
    Defect("rules/activate.py", "    if mat.spyrium < spyrium > 0:", "    if False:"),
    Defect("rules/activate.py", "site - crane + token", "site + crane + token"),
    Defect("rules/activate.py", "len(mat.kept) < MOST_KEPT", "len(mat.kept) <= MOST_KEPT"),
    Defect(
        "rules/activate.py", "min(NEW_WORKERS.get(card, 0), MOST_WORKERS - mat.workers)", "NEW_WORKERS.get(card, 0)"
    ),
    Defect("rules/activate.py", "sign * (act.commerce - token)", "sign * act.commerce"),
    Defect(
        "rules/activate.py",
        "technique in mat.techniques and technique not in mat.tilted",
        "technique in mat.techniques",
    ),
    # buildings
    Defect("rules/building.py", 'if "automation" in mat.techniques and', 'if "automation" not in mat.techniques and'),
    Defect("rules/building.py", 'if "factory" in design.symbols:', 'if "research" in design.symbols:'),
    Defect("rules/building.py", "    if mat.active + coming < workers > 0:", "    if mat.active + coming < 0:"),
    Defect(
        "rules/building.py",
        "and mat.buildings[slot - 1].inclined:\n        breaches",
        "and not mat.buildings[slot - 1].inclined:\n        breaches",
    ),
    # residence, bonus
    Defect("rules/bonus.py", "if step >= last:", "if step > last:"),
    Defect("rules/bonus.py", "reached >= BONUS_AT", "reached > BONUS_AT"),
    Defect("rules/bonus.py", "reached >= SECOND_BONUS_AT", "reached > SECOND_BONUS_AT"),
    Defect("rules/bonus.py", "mat(seat).workers < MOST_WORKERS:", "mat(seat).workers <= MOST_WORKERS:"),
    Defect("rules/bonus.py", "mat.points >= SECOND_BONUS_AT and left", "left"),
    Defect("rules/bonus.py", "mat.points - mat.corrected < threshold <= mat.points", "threshold <= mat.points"),
    Defect("rules/bonus.py", 'if state.options.residence_action == "may-decline":', "if True:"),
    Defect("rules/bonus.py", " and mat.points + gained >= threshold", ""),
    # events
    Defect("rules/event.py", 'Posting(act.seat, "money", -owned, "event")', 'Posting(act.seat, "money", -1, "event")'),
    Defect("rules/event.py", "    if state.mat(act.seat).used_event:", "    if False:"),
    Defect("rules/event.py", "COST_OF_OVERTIME: Final = 1", "COST_OF_OVERTIME: Final = 0"),
    Defect("rules/event.py", "state.mat(act.seat).phase == 1 and not act.enter", "False"),
    # passing, deal, final
    Defect("rules/market.py", "    if left > 0:", "    if left > 1:"),
    Defect("rules/deal.py", "state.seats - 1 if design.kind", "state.seats if design.kind"),
    Defect("rules/deal.py", "    if drawn > left or", "    if drawn >= left or"),
    Defect("rules/deal.py", "state.first % state.seats + 1 if state.round", "state.first if state.round"),
    Defect("scoring.py", ' if state.options.crane_scores == "owned" else mat.built', ""),
    Defect("scoring.py", "max(0, mat.money // 2)", "max(0, mat.money)"),
    Defect(
        "scoring.py", "min(TECHNIQUE_CAP, _score_technique(state, mat, name))", "_score_technique(state, mat, name)"
    ),
    Defect("scoring.py", "place=1 + sum([other > totals[seat]", "place=1 + sum([other >= totals[seat]"),
    # the audit and the timeline
    Defect(
        "../../audit.py",
        "is_ruled = key in seen and (recorded == amount or key not in derived)",
        "is_ruled = key in seen",
    ),
    Defect(
        "../../audit.py",
        "(*place, None) in accepted or (*place, str(finding.expected)) in accepted",
        "any(finding.n == line for line, *_ in accepted)",
    ),
    Defect(
        "../../audit.py",
        "(*place, None) in accepted or (*place, str(finding.expected)) in accepted",
        "any(place == tuple(finding_of) for *finding_of, _ in accepted)",
    ),
    Defect("../../log/timeline.py", " if line.n not in withdrawn", ""),
    Defect("../../log/timeline.py", "                    last_inserted[edit.at] = make_ref(line.n, inserted)\n", ""),
    Defect(
        "../../log/timeline.py",
        "            tip = tips_by_line[line.to]\n",
        "            tip = tips_by_line[line.to - 1]\n",
    ),
    Defect(
        "../../log/timeline.py",
        "left, right = self._before.pop(ref), self._after.pop(ref)",
        "left, right = self._before[ref], self._after[ref]",
    ),
    Defect("../../log/timeline.py", "i=insertion_number(event)", "i=0"),
    Defect(
        "../../replay.py",
        "        latest = event.n if type(event) is not Edited or not event.i else latest\n",
        "        latest = event.n\n",
    ),
    Defect(
        "../../edit/amend.py",
        "for posting in new.moved if posting_key(posting) not in replaced_keys)",
        "for posting in new.moved)",
    ),
    Defect(
        "../../edit/amend.py", "for fact in new.facts if type(fact) not in replaced_facts)", "for fact in new.facts)"
    ),
    Defect(
        "../../edit/amend.py",
        "    if new is None or (old is not None and _are_same_effects(old, new)):",
        "    if new is None:",
    ),
    Defect("../../edit/amend.py", "            title.evolve(state, event.do, effects.moved, effects.facts)\n", ""),
    Defect("../../edit/amend.py", "event.line == amendment", "event.line < amendment"),
    # other rules, another hand
    Defect(
        "../../edit/amend.py", "(before.header.options, before.sheet) != (after.header.options, after.sheet)", "False"
    ),
    Defect("../../edit/compare.py", "        last_kept = pair.a.ref\n", ""),
    Defect("../../edit/pairs.py", '    return "effects" if self.a.act == self.b.act else "act"', '    return "act"'),
    Defect("../../edit/pairs.py", "return derived is not None and (Counter", "return derived is None and (Counter"),
    Defect("../../edit/checkpoint.py", "is not None and not self.since.changes_scores", "is not None"),
    Defect("../../edit/checkpoint.py", "    if changed is not None:", "    if False:"),
    Defect("../../edit/experiment.py", "        return self.unjudged is None and totals", "        return totals"),
    Defect("../../edit/linked.py", "            yield from _find_choices_and_uses(search, place)\n", ""),
    Defect("../../edit/linked.py", "            yield from _find_swaps(search, place)\n", ""),
    Defect(
        "../../edit/locate.py",
        "        stories.setdefault(",
        "        stories[repr(edits)] = edits\n        stories.setdefault(",
    ),
    Defect("rules/deal.py", " + breaches_of_cards(state, state.round, [fact.card for fact in named])", ""),
    Defect("rules/bonus.py", " if worth else []", ""),
    # facts of the cards
    Defect("cards.py", 'Use(2, 5, "points", 15)', 'Use(2, 5, "points", 14)'),
    Defect(
        "cards.py", '"financier": Call(what="points", n=5, pays_token=True)', '"financier": Call(what="points", n=5)'
    ),
    Defect("cards.py", "EXCHANGE: Final = ((1, 3), (3, 6))", "EXCHANGE: Final = ((1, 3), (3, 5))"),
    # what is acknowledged
    Defect(
        "../../store/locked_file.py",
        "        if stamp != self._stamp:\n            self._compare_lines()",
        "        if False:\n            self._compare_lines()",
        WRITER,
    ),
    Defect(
        f"{COMMAND_LINE}/commands/table/play.py",
        "        yield play.append(proposal.event), sentence\n",
        '        write_line(f"{proposal.event.n:>4}  {sentence}")\n'
        "        yield play.append(proposal.event), sentence\n",
        PLAY_KILLED,
    ),
    Defect(
        f"{COMMAND_LINE}/recording/recorder.py",
        "first = self._failed if self._failed is not None and self._failed.request == request else None",
        "first: _FailedLine | None = None",
        RECORDER,
    ),
    *(Defect(*planted, SUITE_OF_FOUNDERS, FOUNDERS) for planted in PLANTED),
)


def plant(defect: Defect, tree: Path) -> None:
    file = tree / defect.folder / defect.file
    text = file.read_text(encoding="utf-8")
    if text.count(defect.right) != 1:
        sys.exit(f"{defect.file}: expected this once, found it {text.count(defect.right)} times: {defect.right!r}")
    file.write_text(text.replace(defect.right, defect.wrong), encoding="utf-8")


def is_caught(defect: Defect, where: Path) -> str:
    """The first test that fails, or nothing."""
    tree = where / "tree"
    keep_out = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".hypothesis", ".*_cache")
    shutil.copytree(ROOT, tree, ignore=keep_out)
    plant(defect, tree)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *defect.suite]
    env = {**os.environ, "PYTHONPATH": f"{tree}:{tree / 'cli'}"}
    try:
        done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False, timeout=MOST)
    except subprocess.TimeoutExpired:
        return "games that never end"
    finally:
        shutil.rmtree(tree)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else ""


def main(every: int = 1) -> int:
    chosen = DEFECTS[::every]
    survivors = []
    for defect in chosen:
        with tempfile.TemporaryDirectory() as where:
            caught = is_caught(defect, Path(where))
        print(f"{'caught  ' if caught else 'SURVIVED'} {defect.name:90} {caught}", flush=True)
        if not caught:
            survivors.append(defect.name)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} planted defects caught")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))

"""Where a count went wrong. How often it is found, `locating` says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec import structs

from spyrium_log.edit.amend import compute_consequences, make_amendment
from spyrium_log.edit.locate import Proposal, find_stretches, locate_slips
from spyrium_log.edit.slip import Off, Stretch
from spyrium_log.errors import AmendmentError
from spyrium_log.header import make_table
from spyrium_log.log.codec import Log
from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import Accepted, AnyEdit, Declared, Drop, EventLine, Replace, Result, Stated
from spyrium_log.play import OPEN, Play
from spyrium_log.replay import replay
from spyrium_log.title import AnyTitle, Counted, Holding, Posting, Seen
from spyrium_log.titles.spyrium.moves import BuildingAt
from tests.anything import survives
from tests.edit.locating import ALL_KINDS, AMONG_THREE, FIRST, Found, edited, found
from tests.edit.slips import slip
from tests.edit.test_amend_laws import SEEDS, SLOW, corrected_game
from tests.games import ALL_TITLES, every_quick_title, game, log_of
from tests.greedy import SPYRIUM
from tests.scribe import Scribe, market, mat
from tests.stories import FIRST_DEAL
from tests.test_laws import any_events

PEBBLES = ALL_TITLES["pebbles"]


@pytest.fixture(scope="module")
def cases() -> list[Found]:
    """A small share of the long run: of each kind three."""
    return [found(slip(kind, seed, how=how)) for kind, how in ALL_KINDS.items() for seed in (1, 2, 3)]


def test_most_slips_are_found_first_and_nearly_all_among_three(cases: list[Found], counts: Counter[str]) -> None:
    assert sum(each.place == 1 for each in cases) >= FIRST * len(cases)
    assert sum(0 < each.place <= 3 for each in cases) >= AMONG_THREE * len(cases)
    counts["slips located"] += len(cases)


def test_what_a_proposal_says_is_what_then_happens(cases: list[Found], counts: Counter[str]) -> None:
    for case in cases:
        log = case.slip.record
        for proposal in case.proposals[:3]:
            said = compute_consequences(log, proposal.edits, proposal.mode)
            after = replay(edited(log, proposal, proposal.edits))
            assert proposal.open == sum(finding.is_open for finding in after.findings)
            assert Counter(after.findings) == Counter(replay(log).findings) - Counter(said.went) + Counter(said.came)
            wrong = [finding for finding in after.findings if finding.ref == case.stretch.until and finding.is_open]
            assert len(wrong) == len(proposal.left)
            counts["proposals made true"] += 1


def test_nothing_on_the_table_tells_alike_edits_apart(cases: list[Found], counts: Counter[str]) -> None:
    for case in cases:
        log = case.slip.record
        for proposal in case.proposals:
            tables = [at_count(log, proposal, edits, case.stretch) for edits in (proposal.edits, *proposal.alike)]
            assert all(table == tables[0] for table in tables)
            counts["alike edits compared"] += len(tables) - 1


def at_count(log: Log, proposal: Proposal, edits: Sequence[AnyEdit], stretch: Stretch) -> object:
    after = replay(edited(log, proposal, edits))
    place = after.index_of(stretch.until)
    return log.title.screens.view(after.state_at(place)), sum(finding.is_open for finding in after.findings)


def test_no_decision_of_spyrium_written_twice_goes_unnoticed(counts: Counter[str]) -> None:
    """A worker, a disc or a building is missing the second time: so the slips double rulings and moves of one's own."""
    log = game(SPYRIUM.key, 1)
    for line in log.lines[1:]:
        if isinstance(line, EventLine) and isinstance(line.do, SPYRIUM.wire.decision):
            play = Play(log_of(SPYRIUM, log.lines[: line.n + 1]))
            for event in [line, *log.lines[line.n + 1 :]]:
                assert isinstance(event, EventLine)
                if SPYRIUM.breaches(play.state, event.do):
                    break
                play.do(event.do, by="scribe")
            else:
                raise AssertionError(line)
            counts["decisions written twice"] += 1


# --- stretches -----------------------------------------------------------------------------------


def opening() -> Scribe:
    return Scribe("game-locate").play(FIRST_DEAL)


def count(scribe: Scribe, **off: int) -> Scribe:
    """The whole table counted; `money2=-1`: of that, seat 2 has one less than the log says."""
    held = [has for has in scribe.title.held(scribe.state) if has.who]
    wrong = {name: structs.replace(has, n=has.n + off.get(name, 0)) for has in held if (name := f"{has.what}{has.who}")}
    return scribe.act(Counted(held=tuple(wrong.values())))


def heap(n: int = 9) -> Scribe:
    scribe = Scribe("game-heap", seats=2, title=PEBBLES)
    return scribe.act(PEBBLES.wire.deal(heap=n))


def spans(scribe: Scribe) -> list[tuple[str, str]]:
    return [(stretch.after, stretch.until) for stretch in find_stretches(scribe.replay())]


def best(scribe: Scribe, **said: Any) -> Proposal:
    log = scribe.log()
    return locate_slips(log, find_stretches(replay(log))[0], **said).proposals[0]


def test_a_stretch_begins_at_the_last_count_that_agreed() -> None:
    scribe = count(count(opening().play("p12")).play("p45"), money2=-1)
    assert spans(scribe) == [("3", "5")]
    assert find_stretches(scribe.replay())[0].off == (Off(who=2, what="money", counted=9, folded=10),)


def test_without_a_count_that_agreed_it_begins_at_the_beginning() -> None:
    assert spans(count(opening(), money2=-1)) == [("0", "2")]


def test_a_difference_that_was_counted_before_is_no_second_slip() -> None:
    scribe = count(count(opening().play("p12"), money2=-1).play("p45"), money2=-1)
    assert spans(scribe) == [("0", "3")]


def test_of_a_difference_that_grew_only_the_growth_is_to_be_explained() -> None:
    scribe = count(count(opening().play("p12"), money2=-1).play("p45"), money2=-3)
    second = find_stretches(scribe.replay())[1]
    assert (second.after, second.off[0].carried, second.off[0].n) == ("3", -1, -2)


def test_a_count_that_agrees_again_is_no_stretch() -> None:
    scribe = count(count(opening().play("p12"), money2=-1).play("p45"))
    assert spans(scribe) == [("0", "3")]


def test_each_number_has_its_own_last_count() -> None:
    scribe = opening().play("p12").act(Counted(held=(Holding(1, "money", 10),))).play("p45")
    scribe.act(Counted(held=(Holding(2, "money", 10),))).play("p45")
    assert spans(scribe.act(Counted(held=(Holding(1, "money", 9), Holding(2, "money", 10))))) == [("3", "7")]


def test_a_count_that_the_table_lives_with_is_no_stretch() -> None:
    scribe = count(opening(), money2=-1)
    scribe.aside(Accepted, line=2, rule="count.money", who="Bob", why="never mind")
    assert spans(scribe) == []


def test_what_was_laid_open_begins_anew() -> None:
    scribe = count(opening(), money2=-1).resync("looked", mats=(mat(2, money=5),))
    assert spans(count(scribe, money2=-1)) == [("0", "2"), ("3", "4")]


def test_a_declared_result_goes_from_the_last_count_that_agreed_to_the_end() -> None:
    scribe = count(opening().play("p12")).play("p45")
    scribe.aside(Declared, results=(Result(seat=1, points=0), Result(seat=2, points=3)))
    stretch = find_stretches(scribe.replay())[0]
    assert (stretch.of, stretch.after, stretch.until) == ("result", "3", "5")
    assert stretch.off == (Off(who=2, what="result", counted=3, folded=0),)


# --- proposals -----------------------------------------------------------------------------------


def test_what_was_forgotten_is_a_seen_nothing_in_its_place() -> None:
    scribe = count(opening().play("p12"), money2=-2)
    first = best(scribe, who="Bob")
    assert (first.kind, first.mode, first.explains, first.open) == ("missed", "misplayed", "all", 0)
    edit = first.edits[0]
    assert isinstance(edit, Replace)
    assert edit.event.moved[-1] == Posting(2, "money", 0, "revenue", Seen(who="Bob", why="as counted in 3"))
    findings = scribe.amend(first.mode, *first.edits, why="").replay().findings
    assert [(finding.ref, finding.status) for finding in findings] == [("1", "ruled")]


def test_two_slips_are_found_where_one_explains_only_a_part() -> None:
    scribe = count(opening().play("p12", "p12", "p45", ">g12.1", ">g12.2"), money1=-1, money3=-2)
    first = best(scribe)
    assert (first.kind, len(first.edits), first.explains, first.open) == ("two_slips", 2, "all", 0)
    assert scribe.amend(first.mode, *first.edits, why="").replay().verdict == "clean"


def test_where_nothing_explains_it_the_count_is_ruled() -> None:
    scribe = count(count(opening()).play("p12"), spyrium2=4)
    (only,) = locate_slips(scribe.log(), find_stretches(scribe.replay())[0]).proposals
    assert (only.kind, only.explains, only.open) == ("ruled", "all", 0)
    assert scribe.amend(only.mode, *only.edits, why="").replay().verdict == "clean"


def test_what_explains_a_part_says_what_it_leaves() -> None:
    scribe = count(opening().play("p12"), money2=-2, spyrium3=4)
    first = best(scribe)
    assert (first.kind, first.explains) == ("missed", "partly")
    assert first.left == (Off(who=3, what="spyrium", counted=6, folded=2),)


def test_an_act_before_the_count_that_agreed_may_be_what_was_written_wrong() -> None:
    """Nothing showed until the worker was used: Bob stands beside Anna's card, not where the scribe put him."""
    scribe = opening().play("p12", "p36", "p58")
    count(scribe).play(">g12.1")
    proposals = locate_slips(count(scribe, money1=1).log(), find_stretches(scribe.replay())[0]).proposals
    assert ("other_choice", "3") in {(each.kind, each.edits[0].at) for each in proposals}


def test_a_worker_in_a_wrong_gap_and_used_from_there_is_one_slip() -> None:
    """Bob stood beside Anna's card, so that she paid £1 more; the scribe put him elsewhere, and took him from there."""
    scribe = opening().play("p12", "p36", "p45", ">a12.1", ">g36.3")
    result = locate_slips(count(scribe, money1=-1).log(), find_stretches(scribe.replay())[0])
    (place, slip), *_ = [(at, each) for at, each in enumerate(result.proposals) if each.kind == "choice_and_use"]
    assert place < 3
    stories = [slip.edits, *slip.alike]
    assert all([edit.at for edit in edits] == ["3", "6"] for edits in stories)
    gaps = [[edit.event.do.gap for edit in edits if isinstance(edit, Replace)] for edits in stories]
    assert [12, 12] in gaps
    assert all(placed == used for placed, used in gaps)
    assert (slip.mode, slip.explains, slip.open) == ("misrecorded", "all", 0)
    assert scribe.amend(slip.mode, *slip.edits, why="").replay().verdict == "clean"


def test_two_moves_in_the_other_order_are_one_slip() -> None:
    """Anna took £1 beside her other worker and then bought with him for £2; the scribe had her buy first, for £3."""
    scribe = opening().play("p12", "p45", "p58", "p12", ">g45.4", ">g58.5", ">a12.1", "x", "x", "g12.2")
    result = locate_slips(count(scribe, money1=2).log(), find_stretches(scribe.replay())[0])
    (swapped,) = [each for each in result.proposals[:3] if each.kind == "swapped"]
    assert [edit.at for edit in swapped.edits] == ["8", "11"]
    assert (swapped.mode, swapped.explains, swapped.open) == ("misrecorded", "all", 0)
    after = scribe.amend(swapped.mode, *swapped.edits, why="").replay()
    assert after.verdict == "clean"
    assert [type(event.do).__name__ for event in after.events if event.n in {8, 11}] == ["GainMoney", "ActivateCard"]


def test_no_two_proposals_that_are_alike_tell_the_same(cases: list[Found], counts: Counter[str]) -> None:
    for case in cases:
        for proposal in case.proposals:
            stories = [tuple(map(_story, edits)) for edits in (proposal.edits, *proposal.alike)]
            assert len(set(stories)) == len(stories)
            counts["alike stories compared"] += len(stories)


def _story(edit: AnyEdit) -> str:
    """What the edit tells, whatever the causes are called."""
    if isinstance(edit, Drop):
        return f"{edit.at} drop"
    sums: Counter[tuple[int, str]] = Counter()
    for posting in edit.event.moved:
        sums[posting.who, posting.what] += posting.n
    moved = sorted((key, n) for key, n in sums.items() if n)
    return f"{edit.at} {type(edit).__name__} {edit.event.do} {moved}"


def test_the_search_says_how_many_slips_it_tried_and_whether_it_was_cut_off() -> None:
    scribe = count(opening().play("p12", "p36", "p45", ">a12.1"), money1=-1)
    stretch = find_stretches(scribe.replay())[0]
    whole = locate_slips(scribe.log(), stretch)
    short = locate_slips(scribe.log(), stretch, effort=1)
    assert not whole.is_cut
    assert short.is_cut
    assert 0 < short.tried < whole.tried


def test_a_slip_in_another_title_is_found_through_the_same_door() -> None:
    scribe = count(heap().play("1", "2", "1"), pebbles2=-1)
    proposals = locate_slips(scribe.log(), find_stretches(scribe.replay())[0]).proposals
    other = next(each for each in proposals if each.kind == "other_choice")
    assert other.edits == (Replace(at="3", event=scribe.told("2", "1")),)
    assert scribe.amend(other.mode, *other.edits, why="").replay().verdict == "clean"


def test_points_of_a_declared_result_that_were_never_taken() -> None:
    scribe = opening().play("p12", "p12", "p45", "p25", ">a12.2")
    scribe.aside(Declared, results=(Result(seat=2, points=0),))
    first = best(scribe)
    assert (first.kind, first.edits[0].at, first.explains, first.open) == ("missed", "6", "all", 0)


def test_a_declared_result_may_rest_on_a_bonus_of_the_final_count() -> None:
    scribe = Scribe("game-end")
    done: dict[str, Any] = {"passed": True, "active": 3, "bonuses": ()}
    mats = (mat(1, points=30, buildings=(BuildingAt(card="palace"),), **done), mat(2, **done), mat(3, **done))
    scribe.resync("the end", round=6, first=1, market=market(), mats=mats).play("final")
    scribe.aside(Declared, results=(Result(seat=1, points=30),))
    first = best(scribe)
    assert (first.kind, first.edits[0].at, first.explains, first.open) == ("missed", "2", "all", 0)


def test_of_a_game_without_an_event_nothing_is_proposed() -> None:
    scribe = Scribe("game-empty").aside(Declared, results=(Result(seat=1, points=5),))
    (stretch,) = find_stretches(scribe.replay())
    assert (stretch.after, stretch.until) == ("0", "1")
    assert locate_slips(scribe.log(), stretch).proposals == ()


def test_no_more_is_proposed_than_asked_for() -> None:
    scribe = count(opening().play("p12"), money2=-2)
    stretch = find_stretches(scribe.replay())[0]
    assert len(locate_slips(scribe.log(), stretch).proposals) > 1
    assert len(locate_slips(scribe.log(), stretch, most=1).proposals) == 1


def test_without_effort_only_the_ruling_is_left() -> None:
    scribe = count(opening().play("p12"), money2=-2)
    found = locate_slips(scribe.log(), find_stretches(scribe.replay())[0], effort=0)
    assert [each.kind for each in found.proposals] == ["ruled"]
    assert found.is_cut


def test_a_stretch_of_another_log_is_refused() -> None:
    stretch = find_stretches(count(opening().play("p12"), money2=-2).replay())[0]
    with pytest.raises(AmendmentError, match="expected an event that stands, found '3'"):
        locate_slips(opening().log(), stretch)


@every_quick_title
@settings(SLOW, max_examples=30)
@given(seed=SEEDS)
def test_whatever_was_counted_the_search_ends(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    """Anything the decoder takes, on any corrected game: seats that do not exist, numbers no hand holds."""
    rng = random.Random(seed)
    lines = list(corrected_game(title, seed, most=15, lines=2).lines)
    for event in any_events(title, seed, 6):
        lines.append(structs.replace(event, n=len(lines)))
    what = [has.what for has in title.held(title.setup(make_table(lines[0], title.sheet())))]  # type: ignore[arg-type]
    held = tuple(Holding(rng.randint(1, 9), rng.choice(what), rng.randint(-99_999, 99_999)) for _ in range(4))
    lines.append(Stated(n=len(lines), by="x", do=Counted(held=held), prev=OPEN, hash=OPEN))
    results = tuple(Result(seat=seat, points=rng.randint(-9, 99)) for seat in (1, 2, 9))
    lines.append(Declared(n=len(lines), by="x", results=results, prev=OPEN, hash=OPEN))
    log = log_of(title, lines)
    for stretch in find_stretches(replay(log)):
        for proposal in locate_slips(log, stretch, effort=5).proposals:
            line = make_amendment(log, proposal.edits, proposal.mode, by="x", why="")
            assert survives(line_type(title), line)
            counts[f"proposals for anything: {title.key}"] += 1

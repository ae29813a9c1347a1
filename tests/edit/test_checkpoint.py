"""A checkpoint that was kept elsewhere finds every change of history before it, however well it was made."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from msgspec import structs

from spyrium_log.edit.checkpoint import (
    MAX_CHECKPOINT,
    Checkpoint,
    compare_to_checkpoint,
    format_checkpoint,
    make_checkpoint,
    read_checkpoint,
)
from spyrium_log.edit.experiment import find_winners
from spyrium_log.errors import LogError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyHeader, Decided, Drop, Event, EventLine, Line, Result, Sealed, Undone
from spyrium_log.log.seals import load_signer, make_pem
from spyrium_log.play import OPEN, encode_log, make_scoresheet
from spyrium_log.title import AnyTitle, Holding, Posting
from tests.edit.test_amend_laws import SEEDS, SOME, corrected_game
from tests.games import every_quick_title, game, log_of, raw_of, read
from tests.greedy import SPYRIUM
from tests.pebbles import PEBBLES
from tests.stories import EXAMPLES, KNOWN_SEED, opening

KEY = load_signer(make_pem(KNOWN_SEED))


def kept(made: Checkpoint) -> Checkpoint:
    """The checkpoint as it comes back from a chat."""
    return read_checkpoint(b"\n  " + format_checkpoint(made).encode() + b"\r\n")


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_a_log_is_exactly_what_it_was_at_each_of_its_checkpoints(
    title: AnyTitle, counts: Counter[str], seed: int
) -> None:
    log = corrected_game(title, seed)
    for lines in range(1, len(log.lines) + 1):
        then = log_of(title, log.lines[:lines])
        made = make_checkpoint(then)
        assert made == kept(made)
        assert compare_to_checkpoint(then, made).outcome == "EXACT"
        found = compare_to_checkpoint(log, made)
        assert found.outcome in ({"GREW", "AMENDED"} if lines < len(log.lines) else {"EXACT"})
        assert found.after == len(log.lines) - lines
        counts[f"checkpoints found {found.outcome}: {title.key}"] += 1
        counts[f"checkpoints found exact: {title.key}"] += 1


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_no_rewriting_of_what_was_before_it_goes_unseen(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    """Whoever rewrites history recomputes every hash and every seal: the copy reads without complaint."""
    rng = random.Random(seed)
    log = corrected_game(title, seed)
    lines = rng.randint(2, len(log.lines))
    made = kept(make_checkpoint(log_of(title, log.lines[:lines])))
    for how in (altered, shortened, lengthened, swapped, cut):
        forged = rechained(title, how(log.lines, rng.randrange(lines), rng))
        if raw_of(forged).startswith(raw_of(log_of(title, log.lines[:lines]))):
            continue
        found = compare_to_checkpoint(forged, made)
        is_cut = raw_of(log).startswith(raw_of(forged))
        assert found.outcome in {"REWRITTEN", "CUT", "REPLACED"}
        assert found.outcome == "CUT" or not is_cut
        # of the few lines behind the last mark the checkpoint says that it cannot tell
        assert found.outcome != "CUT" or is_cut or "cannot tell" in str(found.message)
        assert not found.is_same
        counts[f"history {how.__name__}, all hashes right: {title.key}"] += 1


def altered(lines: list[Line], at: int, rng: random.Random) -> list[Line]:
    line = lines[at]
    if isinstance(line, EventLine) and line.moved and rng.random() < 0.7:
        line = structs.replace(line, moved=(*line.moved, Posting(1, line.moved[0].what, rng.randint(1, 9), "adjusted")))
    else:
        line = structs.replace(line, by=line.by + "!")
    return [*lines[:at], line, *lines[at + 1 :]]


def shortened(lines: list[Line], at: int, _rng: random.Random) -> list[Line]:
    return [*lines[: max(1, at)], *lines[max(1, at) + 1 :]]


def lengthened(lines: list[Line], at: int, rng: random.Random) -> list[Line]:
    return [*lines[: at + 1], rng.choice(lines[1:]), *lines[at + 1 :]]


def swapped(lines: list[Line], at: int, rng: random.Random) -> list[Line]:
    one, other = sorted((max(1, at), rng.randrange(1, len(lines))))
    return [*lines[:one], lines[other], *lines[one + 1 : other], lines[one], *lines[other + 1 :]]


def cut(lines: list[Line], at: int, _rng: random.Random) -> list[Line]:
    return lines[: max(1, at)]


def rechained(title: AnyTitle, lines: list[Line]) -> Log:
    """Lines numbered and chained anew, each undo to a line before it, as a careful forger would."""
    made: list[Line] = []
    for n, line in enumerate(lines):
        to = {"to": min(line.to, n - 1)} if isinstance(line, Undone) else {}
        made.append(structs.replace(line, n=n, **to))
    log = read(encode_log(made), title)
    assert log.complaint is None
    return log


def test_a_log_that_nobody_touched_is_exact() -> None:
    log = opening().play("p12").log()
    found = compare_to_checkpoint(log, make_checkpoint(log))
    assert (found.outcome, found.after, found.is_same, found.since) == ("EXACT", 0, True, None)


def test_lines_that_follow_are_growth() -> None:
    made = make_checkpoint(opening().play("p12").log())
    found = compare_to_checkpoint(opening().play("p12", "p45").undo(2).log(), made)
    assert (found.outcome, found.after, found.is_same, found.since) == ("GREW", 2, True, None)
    # what was undone and came back stands as it stood
    found = compare_to_checkpoint(opening().play("p12").undo(1).undo(2).log(), made)
    assert (found.outcome, found.is_same) == ("GREW", True)


def test_an_undo_before_it_says_which_events_it_took_back() -> None:
    made = make_checkpoint(opening().play("p12", "p45").log())
    found = compare_to_checkpoint(opening().play("p12", "p45").undo(2).play("p36").log(), made)
    assert found.outcome == "AMENDED"
    assert found.since is not None
    assert (found.since.events, found.since.changes_scores) == (("3",), False)
    assert found.is_same


APPRENTICE = ("p12", "p12", "p45", "p25", "p36", "p25", ">a12.2")


def test_an_amendment_that_changes_a_score_is_not_the_same() -> None:
    """Anna called the Apprentice for 3 points before the checkpoint; afterwards somebody says that she never did."""
    scribe = opening().play(*APPRENTICE)
    made = make_checkpoint(scribe.log())
    before = [score.total for score in scribe.replay().scores()]
    scribe.amend("misplayed", Drop(at="8"), why="she never did")
    found = compare_to_checkpoint(scribe.log(), made)
    assert (found.outcome, found.is_same) == ("AMENDED", False)
    since = found.since
    assert since is not None
    assert since.events == ("8",)
    assert [score.total for score in since.before] == before != [score.total for score in since.after]
    points = [(one.ref, one.who, one.before, one.after) for one in since.amounts if one.what == "points"]
    assert points == [("8", 1, 3, 0)]
    assert (find_winners(since.before), find_winners(since.after)) == ((1,), (1, 2, 3))


def test_an_amendment_of_what_came_after_it_is_growth() -> None:
    scribe = opening().play(*APPRENTICE[:-1])
    made = make_checkpoint(scribe.log())
    scribe.play(APPRENTICE[-1]).amend("misplayed", Drop(at="8"), why="she never did")
    found = compare_to_checkpoint(scribe.log(), made)
    assert (found.outcome, found.is_same) == ("GREW", True)


def test_a_result_declared_anew_changes_the_score_of_a_score_sheet() -> None:
    lines = make_scoresheet(SPYRIUM, game="game-sheet", scores=(("Anna", 40), ("Bob", 39)))
    log = log_of(SPYRIUM, lines)
    results = (Result(seat=1, points=40), Result(seat=2, points=41))
    other = log_of(SPYRIUM, [*lines, structs.replace(lines[1], n=2, results=results)])
    found = compare_to_checkpoint(other, make_checkpoint(log))
    assert (found.outcome, found.is_same) == ("AMENDED", False)


def test_another_game_has_its_own_word() -> None:
    log = opening().log()
    header: AnyHeader = structs.replace(log.header, game="game-another")
    found = compare_to_checkpoint(log_of(log.title, [header, *log.lines[1:]]), make_checkpoint(log))
    assert (found.outcome, str(found.message)) == ("REPLACED", "expected game 'game-opening', found 'game-another'")


def test_a_log_that_lost_its_end_is_cut() -> None:
    log = opening().play("p12", "p45").log()
    found = compare_to_checkpoint(log_of(log.title, log.lines[:2]), make_checkpoint(log))
    assert (found.outcome, found.is_same) == ("CUT", False)
    assert str(found.message) == "expected 4 lines, found 2: the last 2 are missing"


def test_a_rewritten_log_that_is_shorter_is_no_cut_one() -> None:
    """Somebody left out a move and chained the rest anew: a line is missing, and not the last one."""
    log = opening().play("p12", "p45", "p36").log()
    forged = rechained(log.title, [*log.lines[:2], *log.lines[3:]])
    found = compare_to_checkpoint(forged, make_checkpoint(log))
    assert (found.outcome, found.is_same) == ("REWRITTEN", False)
    assert str(found.message) == "expected 5 lines, found 4, and line 2 or one before it was changed"


def test_a_checkpoint_without_marks_says_that_it_cannot_tell() -> None:
    """As they were made before there were any."""
    log = opening().play("p12", "p45").log()
    made = structs.replace(make_checkpoint(log), marks="")
    found = compare_to_checkpoint(log_of(log.title, log.lines[:2]), made)
    assert found.outcome == "CUT"
    assert "of lines 0 to 1 the checkpoint cannot tell" in str(found.message)


def test_a_checkpoint_marks_lines_all_the_way_back() -> None:
    """The nearer to its end, the closer they lie; the header is always one of them."""
    log = game("spyrium", 3)
    made = make_checkpoint(log)
    lines = len(log.lines)
    unproved = []
    for found in range(1, lines):
        message = str(compare_to_checkpoint(log_of(SPYRIUM, log.lines[:found]), made).message)
        unproved.append(int(message.split("of lines ")[1].split(maxsplit=1)[0]) if "of lines" in message else found)
    assert unproved[-3:] == [lines - 3, lines - 2, lines - 1]
    assert all(proved >= 1 for proved in unproved)


def test_damage_before_it_has_its_own_word() -> None:
    raw = (EXAMPLES / "first-round.jsonl").read_bytes()
    made = make_checkpoint(read(raw))
    found = compare_to_checkpoint(read((EXAMPLES / "flipped-bit.jsonl").read_bytes()), made)
    assert (found.outcome, found.is_same) == ("DAMAGED", False)


def test_what_the_fold_makes_otherwise_is_said_first_seat_first() -> None:
    made = make_checkpoint(opening().log())
    assert (made.what[:2], made.held[0][:1]) == (("money", "spyrium"), (1,))
    (one, first), (two, second), *rest = made.held
    other = structs.replace(made, held=((one, (first[0], 9, *first[2:])), (two, (0, *second[1:])), *rest))
    found = compare_to_checkpoint(opening().log(), other)
    assert found.outcome == "DIVERGED"
    assert [str(one) for one in found.differences] == [
        f"seat 1 spyrium: expected 9, found {first[1]}",
        f"seat 2 money: expected 0, found {second[0]}",
    ]
    assert str(found.differences[0]) in str(found.message)


def test_a_fold_that_was_changed_since_diverges() -> None:
    log = game("pebbles", 3)
    made = make_checkpoint(log)

    def held(state: Any) -> list[Holding[str]]:
        return [structs.replace(has, n=has.n + (has.who == 2)) for has in PEBBLES.held(state)]

    changed = dataclasses.replace(log, title=structs.replace(PEBBLES, held=held))
    found = compare_to_checkpoint(changed, made)
    assert found.outcome == "DIVERGED"
    assert {difference.who for difference in found.differences} == {2}


def test_a_log_of_an_older_format_is_upgraded() -> None:
    raw = raw_of(game("pebbles", 3))
    made = [make_checkpoint(read(b"".join(raw.splitlines(keepends=True)[:lines]))) for lines in (4, None)]
    later = structs.replace(PEBBLES, title_format=PEBBLES.title_format + 1, upcasts={PEBBLES.title_format: dict})
    log = read(raw, later)
    assert [compare_to_checkpoint(log, one).outcome for one in made] == ["UPGRADED", "UPGRADED"]
    assert make_checkpoint(log) == made[1]
    altered_ = rechained(later, altered(read(raw).lines, 2, random.Random(1)))
    assert {compare_to_checkpoint(altered_, one).outcome for one in made} == {"REWRITTEN"}


# --- signatures ----------------------------------------------------------------------------------


def test_a_signed_checkpoint_says_by_whom() -> None:
    made = make_checkpoint(opening().log(), signer=KEY)
    found = compare_to_checkpoint(opening().log(), kept(made))
    assert (found.outcome, found.signature, found.key, found.is_same) == ("EXACT", "valid", KEY.key, True)


def test_a_checkpoint_that_somebody_changed_is_worth_nothing() -> None:
    before, log = opening().log(), opening().play("p12").log()
    moved = structs.replace(make_checkpoint(before), signed=make_checkpoint(log, signer=KEY).signed)
    found = compare_to_checkpoint(log, moved)
    assert (found.outcome, found.signature, found.is_same) == ("GREW", "wrong", False)


def test_a_seals_signature_is_none_of_a_checkpoint() -> None:
    log = opening().seal(KEY).log()
    seal = log.lines[-1]
    assert isinstance(seal, Sealed)
    made = structs.replace(make_checkpoint(opening().log()), signed=seal.signed)
    assert compare_to_checkpoint(log, made).signature == "wrong"


# --- from outside --------------------------------------------------------------------------------


def test_it_is_short() -> None:
    assert len(format_checkpoint(make_checkpoint(read((EXAMPLES / "whole-game-5-players.jsonl").read_bytes())))) < 400


def test_what_went_astray_is_in_seat_0() -> None:
    scribe = opening()
    line: Event = Decided(n=2, by="x", do=scribe.title.words.read(scribe.state, "p12"), prev=OPEN, hash=OPEN)
    scribe.write(structs.replace(line, moved=(Posting(9, "money", 3, "gain"),)))
    made = make_checkpoint(scribe.log())
    assert made.held[0][0] == 0
    assert compare_to_checkpoint(scribe.log(), kept(made)).outcome == "EXACT"


def test_there_is_none_of_a_damaged_log() -> None:
    with pytest.raises(LogError):
        make_checkpoint(read((EXAMPLES / "flipped-bit.jsonl").read_bytes()))


GOOD = format_checkpoint(make_checkpoint(opening().log())).encode()


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "blank"),
        (b"   \n", "blank"),
        (b"see you on Friday", "not-json"),
        (b"\xff", "not-json"),
        (b"[" * 9_000, "wrong-type"),
        (b" " * MAX_CHECKPOINT + GOOD, "truncated"),
        (GOOD + b"x" * MAX_CHECKPOINT, "too-long"),
        (GOOD.replace(b'"lines":2', b'"lines":0'), "out-of-range"),
        (GOOD.replace(b'"format":1', b'"format":2'), "unknown-word"),
        (GOOD.replace(b'"what":[', b'"what":["sand",'), "checkpoint"),
        (GOOD.replace(b'"lines"', b'"line"'), "unknown-field"),
        (GOOD[:-1] + b',"signed":{"key":"x","signature":"y"}}', "out-of-range"),
    ],
)
def test_hostile_checkpoints_end_in_one_typed_error(raw: bytes, code: str) -> None:
    with pytest.raises(LogError) as caught:
        read_checkpoint(raw, "chat.txt")
    assert (caught.value.code, caught.value.file) == (code, "chat.txt")

"""Where somebody stands who looks at a game, where they can go, what they see there."""

from __future__ import annotations

import random

import pytest

from spyrium_log.edit.annotate import make_note
from spyrium_log.errors import IllegalError, NotationError
from spyrium_log.log.lines import Drop, InsertAfter, Replace
from spyrium_log.log.notes import Notes
from spyrium_log.stepper import Branch, Stepper
from spyrium_log.title import AnyTitle
from tests.games import ALL_TITLES, game
from tests.scribe import Scribe
from tests.stories import opening
from tests.test_laws import every_title, fingerprint


def corrected() -> Scribe:
    """Events 1 to 5, of which 3 says something else now, and 6.1 after 4."""
    scribe = opening().play("p12", "p45", "p45", "p36")
    return scribe.amend(
        "misplayed",
        Replace(at="3", event=scribe.told("2", "p25")),
        InsertAfter(at="4", event=scribe.told("4", "p89")),
        why="recorded by heart",
    )


def test_nobody_steps_over_an_end() -> None:
    steps = Stepper(corrected().log())
    assert (steps.at, steps.ref, steps.sentence, steps.changed()) == (0, "0", "", [])
    steps.move(-1)
    assert steps.at == 0
    steps.move(99)
    assert (steps.at, steps.ref) == (steps.last, "5")


def test_one_goes_to_a_line_or_to_an_event_by_name() -> None:
    steps = Stepper(corrected().log())
    for where, at, ref in (("3", 3, "3"), (4, 5, "6.1"), ("4", 4, "4"), ("6.1", 5, "6.1"), (0, 0, "0")):
        steps.go(where)
        assert (steps.at, steps.ref) == (at, ref)


def test_what_was_amended_says_what_it_said_first_and_who_told_it_anew() -> None:
    steps = Stepper(corrected().log())
    steps.go("3")
    assert "Workshop" in steps.other
    assert steps.other != steps.sentence
    assert steps.amendment == (6, "scribe", "recorded by heart")
    steps.go("2")
    assert (steps.other, steps.amendment) == ("", (0, "", ""))
    steps.go("6.1")
    assert (steps.other, steps.amendment[0]) == ("nothing", 6)


def test_both_histories_are_walked_through_each_with_its_own_events() -> None:
    scribe = corrected()
    scribe.amend("misplayed", Drop(at="5"), why="never happened")
    steps = Stepper(scribe.log())
    refs = {}
    for _ in range(2):
        steps.at = 0
        said = []
        while steps.at < steps.last:
            steps.move(1)
            said.append((steps.ref, steps.sentence))
            assert fingerprint(steps.state()) == fingerprint(steps.shown.state_at(steps.at))
        refs[steps.is_recorded] = dict(said)
        steps.turn()
    assert list(refs[False]) == ["1", "2", "3", "4", "6.1"]
    assert list(refs[True]) == ["1", "2", "3", "4", "5"]
    assert refs[True]["3"] != refs[False]["3"]
    # one stays at the event; where there is none, at the one before it
    steps.go("6.1")
    steps.turn()
    assert (steps.ref, steps.is_recorded) == ("4", True)
    steps.move(1)
    assert (steps.ref, steps.other) == ("5", "nothing")
    assert steps.seek("correction", back=True)
    assert (steps.ref, steps.other) == ("3", refs[False]["3"])
    steps.turn()
    assert (steps.ref, steps.is_recorded) == ("3", False)


def test_one_looks_for_the_next_of_a_kind() -> None:
    scribe = corrected()
    remark = make_note(scribe.log(), "4", note_id="note-1", by="ann", text="Why NOT the crane?", tags=["opening"])
    steps = Stepper(scribe.log(), Notes.of([remark]))
    assert steps.seek("correction")
    assert steps.ref == "3"
    assert steps.seek("correction")
    assert steps.ref == "6.1"
    assert not steps.seek("correction")
    assert steps.seek("note", back=True)
    assert (steps.ref, steps.remarks) == ("4", [remark])
    assert steps.seek("round", back=True)
    assert steps.ref == "1"
    assert steps.seek("player", seat=2)
    assert steps.ref == "3"
    assert steps.seek("finding") == bool(steps.done.findings)


def test_words_are_looked_for_in_sentences_and_notes_round_and_round() -> None:
    scribe = corrected()
    remark = make_note(scribe.log(), "4", note_id="note-1", by="ann", text="Why NOT the crane?", tags=["opening"])
    steps = Stepper(scribe.log(), Notes.of([remark]))
    for back in (False, True):
        steps.move(99)
        assert steps.search("not the", back=back)
        assert steps.ref == "4"
    assert not steps.search("nobody says so")
    assert not steps.search("")


def test_a_guess_is_told_beside_what_came() -> None:
    steps = Stepper(corrected().log())
    steps.go("1")
    right = steps.guess("p12")
    assert (right.is_right, right.guessed == right.was, steps.ref) == (True, True, "2")
    wrong = steps.guess("p12")
    assert (wrong.is_right, wrong.guessed == wrong.was, steps.ref) == (False, False, "3")
    steps.move(99)
    with pytest.raises(NotationError, match="found the end of the game"):
        steps.guess("p12")


def test_what_might_have_been_is_played_beside_the_game() -> None:
    steps = Stepper(corrected().log())
    steps.go("2")
    branch = Branch(steps)
    branch.play("p89")
    branch.play("p12")
    assert (branch.on, branch.notation, len(branch.sentences)) == ("3", ["p89", "p12"], 2)
    made = make_note(steps.log, branch.on, note_id="note-1", by="ann", instead=branch.notation)
    assert made.variation == ("p89", "p12")
    with pytest.raises(IllegalError):
        branch.play("a12.1")
    assert steps.ref == "2"
    steps.move(99)
    with pytest.raises(NotationError, match="found the end of the game"):
        Branch(steps)


@every_title
def test_wherever_one_stands_ledger_and_table_agree(title: AnyTitle) -> None:
    rng = random.Random(title.key)
    steps = Stepper(game(title.key, 11))
    for _ in range(40):
        steps.at = rng.randint(0, steps.last)
        held = {(has.who, has.what): has.n for has in title.held(steps.state())}
        for seat in range(1, len(steps.done.players) + 1):
            sums: dict[str, int] = {}
            for entry in steps.ledger(seat):
                sums[entry.what] = sums.get(entry.what, 0) + entry.amount
            assert all(held[seat, what] == n for what, n in sums.items())
        assert fingerprint(steps.state()) == fingerprint(steps.done.state_at(steps.at))
    assert steps.done.title.key in ALL_TITLES

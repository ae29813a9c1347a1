"""Where somebody stands who looks at a game, where they can go, what they see there."""

from __future__ import annotations

import random

import pytest

from spyrium_log.edit.annotate import make_note
from spyrium_log.errors import IllegalError, NotationError
from spyrium_log.log.lines import Drop, InsertAfter, Replace
from spyrium_log.log.notes import Notes
from spyrium_log.stepper import Stepper
from spyrium_log.title import AnyTitle
from tests.games import ALL_TITLES, every_quick_title, game
from tests.scribe import Scribe
from tests.stories import opening
from tests.test_laws import fingerprint


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
    stepper = Stepper(corrected().log())
    assert (stepper.position, stepper.ref, stepper.sentence, stepper.list_postings()) == (0, "0", "", [])
    stepper.move(-1)
    assert stepper.position == 0
    stepper.move(99)
    assert (stepper.position, stepper.ref) == (stepper.last, "5")


def test_one_goes_to_a_line_or_to_an_event_by_name() -> None:
    stepper = Stepper(corrected().log())
    for where, at, ref in (("3", 3, "3"), (4, 5, "6.1"), ("4", 4, "4"), ("6.1", 5, "6.1"), (0, 0, "0")):
        stepper.go_to(where)
        assert (stepper.position, stepper.ref) == (at, ref)


def test_what_was_amended_says_what_it_said_first_and_who_told_it_anew() -> None:
    stepper = Stepper(corrected().log())
    stepper.go_to("3")
    assert "Workshop" in stepper.other_sentence
    assert stepper.other_sentence != stepper.sentence
    assert stepper.amendment is not None
    assert (stepper.amendment.n, stepper.amendment.by, stepper.amendment.why) == (6, "scribe", "recorded by heart")
    stepper.go_to("2")
    assert (stepper.other_sentence, stepper.amendment is None) == ("", True)
    stepper.go_to("6.1")
    assert stepper.amendment is not None
    assert (stepper.other_sentence, stepper.amendment.n) == ("nothing", 6)


def test_both_histories_are_walked_through_each_with_its_own_events() -> None:
    scribe = corrected()
    scribe.amend("misplayed", Drop(at="5"), why="never happened")
    stepper = Stepper(scribe.log())
    refs = {}
    for _ in range(2):
        stepper.position = 0
        said = []
        while stepper.position < stepper.last:
            stepper.move(1)
            said.append((stepper.ref, stepper.sentence))
            assert fingerprint(stepper.copy_state()) == fingerprint(stepper.shown.state_at(stepper.position))
        refs[stepper.is_recorded] = dict(said)
        stepper.switch_history()
    assert list(refs[False]) == ["1", "2", "3", "4", "6.1"]
    assert list(refs[True]) == ["1", "2", "3", "4", "5"]
    assert refs[True]["3"] != refs[False]["3"]
    # one stays at the event; where there is none, at the one before it
    stepper.go_to("6.1")
    stepper.switch_history()
    assert (stepper.ref, stepper.is_recorded) == ("4", True)
    stepper.move(1)
    assert (stepper.ref, stepper.other_sentence) == ("5", "nothing")
    assert stepper.seek("correction", back=True)
    assert (stepper.ref, stepper.other_sentence) == ("3", refs[False]["3"])
    stepper.switch_history()
    assert (stepper.ref, stepper.is_recorded) == ("3", False)


def test_one_looks_for_the_next_of_a_kind() -> None:
    scribe = corrected()
    remark = make_note(scribe.log(), "4", note_id="note-1", by="ann", text="Why NOT the crane?", tags=["opening"])
    stepper = Stepper(scribe.log(), Notes.from_lines([remark]))
    assert stepper.seek("correction")
    assert stepper.ref == "3"
    assert stepper.seek("correction")
    assert stepper.ref == "6.1"
    assert not stepper.seek("correction")
    assert stepper.seek("note", back=True)
    assert (stepper.ref, stepper.notes["4"]) == ("4", [remark])
    assert stepper.seek("round", back=True)
    assert stepper.ref == "1"
    assert stepper.seek("player", seat=2)
    assert stepper.ref == "3"
    assert stepper.seek("finding") == bool(stepper.standing.findings)


def test_words_are_looked_for_in_sentences_and_notes_round_and_round() -> None:
    scribe = corrected()
    remark = make_note(scribe.log(), "4", note_id="note-1", by="ann", text="Why NOT the crane?", tags=["opening"])
    stepper = Stepper(scribe.log(), Notes.from_lines([remark]))
    for back in (False, True):
        stepper.move(99)
        assert stepper.search("not the", back=back)
        assert stepper.ref == "4"
    assert not stepper.search("nobody says so")
    assert not stepper.search("")


def test_a_guess_is_told_beside_what_came() -> None:
    stepper = Stepper(corrected().log())
    stepper.go_to("1")
    right = stepper.guess("p12")
    assert (right.is_right, right.guessed == right.was, stepper.ref) == (True, True, "2")
    wrong = stepper.guess("p12")
    assert (wrong.is_right, wrong.guessed == wrong.was, stepper.ref) == (False, False, "3")
    stepper.move(99)
    with pytest.raises(NotationError, match="found the end of the game"):
        stepper.guess("p12")


def test_guesses_are_counted_once_for_each_event_and_by_player() -> None:
    stepper = Stepper(corrected().log())
    assert stepper.count_guesses() == (0, 0)
    # past the deal, which nobody decides
    assert stepper.skip_to_decision()
    assert stepper.ref == "1"
    seats = [stepper.guess(notation).seat for notation in ("p12", "p12", "p36")]
    assert seats == [1, 2, 3]
    assert [stepper.count_guesses(seat) for seat in (0, 1, 2, 3)] == [(1, 3), (1, 1), (0, 1), (0, 1)]
    stepper.go_to("2")
    assert stepper.guess("p25").is_right
    assert stepper.count_guesses() == (1, 3)
    stepper.move(99)
    assert not stepper.skip_to_decision()


def test_what_might_have_been_is_played_beside_the_game_and_found_again() -> None:
    stepper = Stepper(corrected().log())
    stepper.go_to("2")
    variation = stepper.start_variation(["p89"])
    variation.play("p12")
    assert (variation.ref, variation.notation, len(variation.sentences)) == ("3", ["p89", "p12"], 2)
    made = make_note(stepper.log, variation.ref, note_id="note-1", by="ann", instead=variation.notation)
    assert made.variation == ("p89", "p12")
    with pytest.raises(IllegalError):
        variation.play("a12.1")
    assert (stepper.ref, stepper.list_variations()) == ("2", [])
    stepper.add_note(made)
    # from where it was tried, and from the event that it is on
    for where in ("2", "3"):
        stepper.go_to(where)
        assert stepper.list_variations() == [made]
    assert stepper.describe_variation(made) == variation.sentences
    stepper.go_to("4")
    assert stepper.list_variations() == []
    stepper.move(99)
    with pytest.raises(NotationError, match="found the end of the game"):
        stepper.start_variation()


@every_quick_title
def test_the_curve_ends_at_the_points_that_everybody_has(title: AnyTitle) -> None:
    stepper = Stepper(game(title.key, 11))
    assert [len(row) for row in stepper.points] == [stepper.last + 1] * len(stepper.standing.players)
    for position in (0, stepper.last // 2, stepper.last):
        scores = title.score(stepper.standing.state_at(position))
        assert [row[position] for row in stepper.points] == [score.points for score in scores]
    numbers = [number for _, number in stepper.rounds]
    assert numbers == sorted(numbers)
    assert {position for position, _ in stepper.rounds} <= stepper.standing.find_round_starts()


@every_quick_title
def test_wherever_one_stands_ledger_and_table_agree(title: AnyTitle) -> None:
    rng = random.Random(title.key)
    stepper = Stepper(game(title.key, 11))
    for _ in range(40):
        stepper.position = rng.randint(0, stepper.last)
        held = {(has.who, has.what): has.n for has in title.held(stepper.copy_state())}
        for seat in range(1, len(stepper.standing.players) + 1):
            sums: dict[str, int] = {}
            for entry in stepper.list_seat_postings(seat):
                sums[entry.what] = sums.get(entry.what, 0) + entry.amount
            assert all(held[seat, what] == n for what, n in sums.items())
        assert fingerprint(stepper.copy_state()) == fingerprint(stepper.standing.state_at(stepper.position))
    assert stepper.standing.title.key in ALL_TITLES

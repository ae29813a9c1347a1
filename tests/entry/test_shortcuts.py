"""What is said beside moves: how many keys it takes, and what it comes to."""

from __future__ import annotations

import pytest

from spyrium_log.entry import requests
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import UNSAID, Acceptance, Act, Note, Reading, Request, Ruling, Undo, find_unsaid
from spyrium_log.log.lines import Line
from spyrium_log.replay import replay
from spyrium_log.title import Abandoned, Adjusted, Conceded, Continued, Counted, Holding, Paused, Resynced, Seen
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS
from spyrium_log.titles.spyrium.messages import LANGUAGES, vocabulary
from tests.entry.test_prompt import DEAL, act_of, entered, opening, typed
from tests.games import log_of
from tests.pebbles import PEBBLES, HeapDealt
from tests.scribe import Scribe

# Anna has bought Mine I in phase II
BOUGHT = ("p12", "p36", "p45", ">a12.1")

# What is said, by the text for it and the keys that takes with Enter.
KEYS = {
    "=3": (Reading, 3),
    "=m1 4": (Reading, 6),
    "=m1 points 3": (Reading, 13),
    ";!": (Note, 3),
    ";bold": (Note, 6),
    "#2 ;bold": (Note, 9),
    "u": (Undo, 2),
    "/m+1 Bob: so": (Adjusted, 13),
    "#5 m-1 Bob: so": (Ruling, 15),
    "#2 Bob: so": (Note, 11),
    "c 8 2 0 3 2, 10 2 0 3 2, 10 2 0 3 2": (Counted, 36),
    "c m8": (Counted, 5),
    "~ bob m7 s0: so": (Resynced, 16),
    "pause": (Paused, 6),
    "continue": (Continued, 9),
    "concede": (Conceded, 8),
    "concede cleo": (Conceded, 13),
    "abandon rain": (Abandoned, 13),
}


def pressed(prompt: Prompt, text: str) -> tuple[Request | None, int]:
    keys = [*text, "enter"]
    return typed(prompt, keys), len(keys)


@pytest.mark.parametrize("text", KEYS)
def test_what_is_said_takes_so_many_keys(text: str) -> None:
    prompt = opening(*BOUGHT)
    request, keys = pressed(prompt, text)
    kind = type(request.act) if isinstance(request, Act) else type(request)
    assert (kind, keys) == KEYS[text], prompt.view.message
    assert request is not None
    if not isinstance(request, Note):
        # whatever it is, it is a line that the log takes
        done = replay(log_of(prompt.play.title, [*prompt.play.log.lines, written(prompt, request)]))
        assert done.complaint is None
    assert prompt.describe(request)


def written(prompt: Prompt, request: Request) -> Line:
    assert not isinstance(request, Note)
    return requests.make_line(prompt.play, request, by="Zoë")


def test_a_price_is_read_before_the_move_in_five_keys_at_most_behind_the_move() -> None:
    """A card's own keys and `=3`, Enter; the move then waits for one Enter more."""
    request, keys = pressed(opening(*BOUGHT[:3]), "a1=3")
    assert request == Reading(of="mine-1", what="price", value=3)
    assert keys == 5


def test_the_table_says_otherwise_in_the_keys_of_the_move_and_of_the_reason() -> None:
    request, keys = pressed(opening(*BOUGHT[:3]), "a1/m-1 Bob: so")
    assert isinstance(request, Act)
    assert keys == len("a1") + len("/m-1 ") + len("Bob: so") + 1


# --- a ruling about an earlier line --------------------------------------------------------------


def against_the_rules() -> Prompt:
    """Line 2 is Bob's, out of turn."""
    return Prompt(Scribe("game-turn").play(DEAL).play("@2 p12", anyway=True).table, by="Zoë")


def test_a_finding_stands_with_who_and_why() -> None:
    prompt = against_the_rules()
    typed(prompt, "#")
    (choice,) = prompt.view.choices
    assert (choice.keys, choice.text) == ("#2", "#2 ")
    assert choice.name.startswith("turn.order (S-5.1): expected Anna")
    typed(prompt, ["down", "enter"])
    assert prompt.text == "#2 "
    request = entered(prompt, "Cleo: nobody minded")
    assert isinstance(request, Acceptance)
    assert (request.finding.rule, request.who, request.why) == ("turn.order", "Cleo", "nobody minded")
    assert prompt.describe(request).startswith("2 stands, says Cleo: nobody minded; turn.order (S-5.1): expected Anna")
    done = replay(log_of(prompt.play.title, [*prompt.play.log.lines, written(prompt, request)]))
    assert [finding.status for finding in done.findings if finding.rule == "turn.order"] == ["accepted"]


def test_a_ruling_takes_four_keys_beyond_the_number_and_leaves_who_and_why_for_later() -> None:
    request = against_the_rules().enter_line("#2")
    assert isinstance(request, Acceptance)
    assert (request.finding.rule, request.who, request.why) == ("turn.order", "table", UNSAID)
    assert find_unsaid(request, 9) == "2"
    prompt = opening(*BOUGHT)
    request, keys = pressed(prompt, "#5m-1")
    assert isinstance(request, Ruling)
    # with Enter one more
    assert keys == len("5") + 4 + 1
    assert (request.at, request.why, find_unsaid(request, 9)) == ("5", "table: ?", "5")
    for text in ("a1/m-1", "/2m+1"):
        act = opening(*BOUGHT[:3]).enter_line(text)
        assert isinstance(act, Act)
        assert act.extra[0].seen == Seen(who="table", why=UNSAID)
        assert find_unsaid(act, 9) == "9"
    said = against_the_rules().enter_line("#2 Anna: so")
    assert said is not None
    assert find_unsaid(said, 9) == ""


def test_one_of_several_findings_is_named() -> None:
    prompt = Prompt(Scribe("game-wild").play(DEAL).play("@2 a12.1 o9 lob", anyway=True).table, by="Zoë")
    assert entered(prompt, "#2 fine") is None
    assert prompt.view.message.startswith("expected which of turn.order, ")
    typed(prompt, "escape")
    prompt.press("escape")
    for name in ("turn.order", "S-5.1"):
        request = prompt.enter_line(f"#2 {name} fine")
        assert isinstance(request, Acceptance)
        assert (request.finding.rule, request.who, request.why) == ("turn.order", "Zoë", "fine")


def test_what_an_earlier_event_moved_is_ruled_and_what_came_after_stands() -> None:
    prompt = opening(*BOUGHT, "@2 p12")
    request = prompt.enter_line("#5 m-1 Bob: we said so")
    assert isinstance(request, Ruling)
    assert prompt.describe(request) == "at 5: Anna money -1, not -2; Bob: we said so"
    lines = [*prompt.play.log.lines, written(prompt, request)]
    done = replay(log_of(prompt.play.title, lines))
    state = done.state_at(len(done.events))
    assert state.mats[1].money == prompt.play.state.mats[1].money + 1
    assert [finding.status for finding in done.findings if finding.ref == "5"] == ["ruled"]
    prompt.play.append(lines[-1])
    prompt.restart()
    assert prompt.enter_line("#5 m-1 Bob: again") is None
    assert prompt.view.message == "expected another amount than is recorded, found 'm-1'"
    # and back to what the rules gave
    back = prompt.enter_line("#5 m-2 Bob: no")
    assert isinstance(back, Ruling)
    assert all(posting.why != "table" for posting in back.event.moved)


def test_a_ruling_that_nothing_speaks_against_is_a_note() -> None:
    prompt = opening(*BOUGHT)
    request = prompt.enter_line("#2 Bob: next time we ask first")
    assert request == Note(on="2", text="Bob: next time we ask first", tags=("ruling",))
    assert prompt.describe(request) == "on 2: Bob: next time we ask first #ruling"
    noted = requests.make_note(prompt.play, request, note_id="0001-note", by="Zoë")
    assert (noted.on, noted.tags) == ("2", ("ruling",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#", "expected a line, and who says what, such as '#12 Anna: it stands'"),
        ("#9 Bob: so", "expected an event that stands, such as 12 or 57.1, found '9'"),
        ("#2", "expected who says so and why, such as 'Anna: it was missed', found nothing"),
        ("#2 Anna", "expected who says so and why, such as 'Anna: it was missed', found 'Anna'"),
        ("#2 q-1 Bob: so", "expected one of £ m s p w r, found 'q-1'"),
        ("#2 ;", "expected a mark (!! ! !? ?! ? ??) or a note, found nothing"),
        ("abandon", "expected why, such as 'abandon it got late', found nothing"),
        ("concede zed", "expected one player of Anna (blue), Bob (red), Cleo (yellow), found none for 'zed'"),
        ("pause now", "expected nothing more, found 'now'"),
        ("c r1", "expected a number of the track, 2, 3, 4, 5, 7, or a space such as #1, found 'r1'"),
        ("c m#1", "expected how much money, found 'm#1'"),
        ("c 1 2 3 4 5 6", "expected at most money, spyrium, points, workers, residence, found '6'"),
    ],
)
def test_half_a_saying_is_answered_with_what_is_missing(text: str, said: str) -> None:
    prompt = opening(*BOUGHT)
    assert prompt.enter_line(text) is None
    assert prompt.view.message == said
    assert prompt.text == text


# --- a track -------------------------------------------------------------------------------------


def test_a_track_is_counted_by_the_number_printed_there_or_by_its_space() -> None:
    prompt = opening()
    for text in ("c r4", "c r#3"):
        request = prompt.enter_line(text)
        assert request is not None
        assert act_of(request) == Counted(held=(Holding(1, "residence", 3),))
        assert prompt.describe(request).startswith(
            "1 number counted: ≠ Anna residence 4 (space 3) counted, 2 (space 1) recorded"
        )
    assert act_of(prompt.enter_line("c - - - - 2, - - - - #2")) == Counted(
        held=(Holding(1, "residence", 1), Holding(2, "residence", 2))
    )
    request = prompt.enter_line("~ bob r3 m2: the dog")
    assert request is not None
    act = act_of(request)
    assert isinstance(act, Resynced)
    (mat,) = act.position.mats
    assert (mat.seat, mat.residence) == (2, 2)
    assert [tuple(change) for change in prompt.compute_changes(request)] == [
        (2, "money", 10, 2, False),
        (2, "residence", 2, 3, False),
    ]


# --- who does not know the keys ------------------------------------------------------------------


def test_a_question_mark_lists_what_else_may_be_said() -> None:
    prompt = opening()
    typed(prompt, "?")
    shown = prompt.view
    assert not shown.message
    assert [choice.keys for choice in shown.choices][:5] == ["u", "c", "locate", "=", ";"]
    typed(prompt, ["down", "down", "enter"])
    assert prompt.text == "c "
    assert act_of(entered(prompt, "m9")) == Counted(held=(Holding(1, "money", 9),))


@pytest.mark.parametrize(("word", "line"), [("mis", "~ "), ("abandon", "abandon "), ("rul", "#"), ("cou", "c ")])
def test_a_word_leads_to_its_key(word: str, line: str) -> None:
    prompt = opening()
    typed(prompt, [*word, "tab"])
    assert prompt.text == line


def test_what_lies_there_is_offered_to_be_mended() -> None:
    prompt = opening()
    typed(prompt, "~")
    assert [choice.text for choice in prompt.view.choices][1] == "~ bob m10 s2 p0 w3 r2"
    typed(prompt, ["down", "down", "tab", "backspace"])
    act = act_of(entered(prompt, "4: it slid"))
    assert isinstance(act, Resynced)
    assert act.position.mats[0].residence == 3


def test_in_a_deal_a_question_mark_is_a_card_and_a_word_still_a_word() -> None:
    prompt = Prompt(Scribe("game-words").table)
    typed(prompt, "exes?")
    assert prompt.view.words == ["exchange", "estate", "?"]
    typed(prompt, "escape")
    assert act_of(prompt.enter_line("pause")) == Paused()
    assert act_of(prompt.enter_line("abandon no light")) == Abandoned(why="no light")


def test_the_smaller_title_is_paused_and_ruled_about_alike() -> None:
    prompt = Prompt(Scribe("game-small", title=PEBBLES).act(HeapDealt(heap=5)).play("2").table)
    assert act_of(prompt.enter_line("concede")) == Conceded(seat=2)
    request = prompt.enter_line("#2 t+1 Bob: a good one")
    assert isinstance(request, Ruling)
    assert written(prompt, request).n == len(prompt.play.log.lines)
    typed(prompt, "escape")
    typed(prompt, ["escape", "~"])
    assert next(choice.keys for choice in prompt.view.choices).startswith("anna ")


# --- what was refused ----------------------------------------------------------------------------


def test_a_refused_move_is_typed_over_and_backspace_mends_it() -> None:
    prompt = opening("p12")
    assert entered(prompt, "a12.1") is None
    assert prompt.view.selected
    assert prompt.text == "a12.1"
    assert act_of(entered(prompt, "45")) is not None
    prompt.press("escape")
    assert entered(prompt, "a12.1") is None
    typed(prompt, ["backspace"])
    assert (prompt.text, prompt.view.selected) == ("a12.", False)
    prompt.press("escape")
    # what says no move at all, once Enter was pressed
    typed(prompt, "zz")
    selected = [prompt.view.selected]
    prompt.press("enter")
    assert [*selected, prompt.view.selected] == [False, True]
    assert act_of(entered(prompt, "45")) is not None


@pytest.mark.parametrize("text", ["4", "a1/m-1", "c bob", "=m1 zeal 3", ";"])
def test_what_is_half_said_goes_on_where_it_was(text: str) -> None:
    prompt = opening("p12")
    assert entered(prompt, text) is None
    assert not prompt.view.selected
    typed(prompt, "5")
    assert prompt.text == f"{text}5"


def test_a_long_deal_is_never_wiped_by_a_key() -> None:
    prompt = Prompt(Scribe("game-long").table)
    assert entered(prompt, "exesm1m1m1m1m1m1m1m1m12") is None
    assert prompt.view.refused
    typed(prompt, "z")
    assert prompt.text.startswith("exesm1")


# --- deals by name -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("exchange estate miner 13 app", ["exchange", "estate", "miner:13", "apprentice"]),
        ("exesminer13appm1", ["exchange", "estate", "miner:13", "apprentice", "mine-1"]),
        ("Exes Mine-1, mine2", ["exchange", "estate", "mine-1", "mine-2"]),
        ("exesuniversity-12w1", ["exchange", "estate", "university-1:2", "workshop-1"]),
        ("exes Mine II", ["exchange", "estate", "mine-2"]),
    ],
)
def test_a_card_goes_by_its_name_too(keys: str, said: list[str]) -> None:
    prompt = Prompt(Scribe("game-named").table)
    typed(prompt, keys)
    assert prompt.view.words == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_goes_by_its_name_in_every_edition(language: str) -> None:
    named = {**vocabulary(language)["cards"], **vocabulary(language)["events"]}
    for card in (*CARDS, *EVENTS):
        for called in (card, named[card], f"{named[card].upper()} "):
            prompt = Prompt(Scribe("game-named").table, language=language)
            typed(prompt, [*("" if card in EVENTS else "exes"), *called])
            assert card in prompt.view.words, (called, prompt.view.words)
            assert prompt.view.choices[-1].name in ("?", "", vocabulary(language)["cards"]["?"])


def test_what_a_name_may_still_mean_is_listed_and_taken() -> None:
    prompt = Prompt(Scribe("game-begun").table)
    typed(prompt, "exes min")
    assert [choice.name for choice in prompt.view.choices] == ["mine-1", "mine-2", "miner"]
    typed(prompt, ["down", "enter"])
    assert prompt.text == "exes m1"
    typed(prompt, [" ", *"app", "tab"])
    assert prompt.view.words[-1] == "apprentice"


def test_what_could_come_stays_in_sight_after_a_slip() -> None:
    prompt = Prompt(Scribe("game-slip").table)
    typed(prompt, "exes")
    before = [choice.keys for choice in prompt.view.choices]
    typed(prompt, "zz")
    shown = prompt.view
    assert shown.message == "expected a card, found 'zz'"
    assert [choice.keys for choice in shown.choices] == before
    assert shown.words == ["exchange", "estate"]
    prompt.press("enter")
    assert [choice.keys for choice in prompt.view.choices] == before
    typed(prompt, ["down", "tab"])
    assert prompt.text == f"exes{before[0]}"


def test_a_deal_of_any_letters_is_read_in_no_time() -> None:
    prompt = Prompt(Scribe("game-any").table)
    for text in ("mine" * 100, "exes" + "m" * 400, "?" * 400, "exes" + "mi13" * 100, "é" * 300):
        prompt.enter_line(text)
        assert prompt.view.message

"""The prompt, key by key: what is asked, what is highlighted, what Enter records, what is said beside moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from spyrium_log.entry import requests
from spyrium_log.entry.prompt import LONGEST_LINE, Prompt
from spyrium_log.entry.requests import Act, Note, Reading, Request, Slip, Undo
from spyrium_log.log.lines import Amended, Line, ReadOff, Stated, Undone
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.store.folder import Folder
from spyrium_log.title import Adjusted, Counted, FinalCount, Holding, Posting, Resynced, Seen
from spyrium_log.titles.spyrium.moves import ActivateCard, GainMoney, PlaceWorker, RoundDealt, UseBuilding
from tests.games import game, log_of
from tests.pebbles import PEBBLES, HeapDealt, Keep, Take
from tests.scribe import Scribe, market, mat, workers

DEAL = "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:13 luxury-home mine-2"


def opening(*texts: str) -> Prompt:
    return Prompt(Scribe("game-prompt").play(DEAL, *texts).table, by="Zoë")


def activating(**position: object) -> Prompt:
    """Anna in phase II with workers beside the upper cards."""
    laid = {
        "market": market("mine-1", "miner:13", "residence-1", "mine-2", "architect:23"),
        "workers": workers(g12="12", g14="1", g25="1"),
        "mats": (mat(1, money=20, active=0), mat(2), mat(3)),
        "last": 3,
    }
    return Prompt(Scribe("game-prompt").play(DEAL).resync("set up", **{**laid, **position}).table, by="Zoë")


def typed(prompt: Prompt, keys: str | Sequence[str]) -> Request | None:
    request = None
    for key in keys:
        request = prompt.press(key)
    return request


def entered(prompt: Prompt, keys: str) -> Request | None:
    return typed(prompt, [*keys, "enter"])


def act_of(request: Request | None) -> object:
    assert isinstance(request, Act)
    return request.act


# --- moves ---------------------------------------------------------------------------------------


def test_a_worker_is_placed_in_two_digits() -> None:
    prompt = opening()
    assert act_of(entered(prompt, "12")) == PlaceWorker(seat=1, gap=12)
    assert act_of(prompt.enter_line("p12")) == PlaceWorker(seat=1, gap=12)


def test_half_a_gap_is_asked_for() -> None:
    prompt = opening()
    typed(prompt, "1")
    assert [choice.keys for choice in prompt.view.choices] == ["12", "14"]
    assert prompt.press("enter") is None
    assert prompt.view.message == "expected gap"
    assert prompt.text == "1"


def test_entering_phase_two_is_not_asked() -> None:
    prompt = opening("p12", "p36", "p45")
    assert act_of(entered(prompt, "a1")) == ActivateCard(seat=1, gap=12, space=1, enter=True)


def test_a_bare_number_is_a_card_once_all_workers_are_placed() -> None:
    assert act_of(entered(activating(), "1")) == ActivateCard(seat=1, gap=12, space=1)
    assert act_of(entered(activating(), "14")) == ActivateCard(seat=1, gap=14, space=1)


def test_the_worker_who_has_nothing_else_to_do_goes_first() -> None:
    prompt = activating(market=market("mine-1", "miner:13"), workers=workers(g12="1", g14="1"))
    assert act_of(entered(prompt, "1")) == ActivateCard(seat=1, gap=14, space=1)
    assert act_of(prompt.enter_line("g1")) == GainMoney(seat=1, gap=14, space=1)


def test_the_better_token_is_guessed_and_another_can_be_said() -> None:
    assert act_of(entered(activating(), "2")) == ActivateCard(seat=1, gap=12, space=2, token=3)
    assert act_of(entered(activating(), "2t1")) == ActivateCard(seat=1, gap=12, space=2, token=1)
    # one that is paid for is the cheap one, and early in the game the track pays
    assert act_of(entered(activating(), "5")) == ActivateCard(seat=1, gap=25, space=5, token=2, residence="move")
    assert act_of(entered(activating(), "5st3")) == ActivateCard(seat=1, gap=25, space=5, token=3, residence="score")


def test_commerce_is_guessed_only_where_it_makes_a_token_better() -> None:
    anna = mat(1, money=20, active=0, techniques=("commerce",))
    for token, value in ((2, 3), (3, None)):
        prompt = activating(market=market(f"university-1:{token}"), mats=(anna, mat(2), mat(3)))
        assert act_of(entered(prompt, "12")) == ActivateCard(seat=1, gap=12, space=1, commerce=value)


def test_arrows_choose_and_enter_takes_what_they_show() -> None:
    prompt = opening()
    assert prompt.view.highlighted is None
    request = typed(prompt, ["down", "down", "up", "enter"])
    assert act_of(request) == prompt.view.choices[0].act
    assert act_of(typed(prompt, ["escape", "up", "enter"])) == prompt.view.choices[-1].act


def test_tab_completes() -> None:
    prompt = opening()
    typed(prompt, ["8", "tab"])
    assert prompt.text == "89"
    typed(prompt, ["escape", "down", "tab"])
    assert prompt.text == "12"


def test_what_is_typed_is_wiped_key_by_key_or_at_once() -> None:
    prompt = opening()
    typed(prompt, ["1", "2", "backspace"])
    assert prompt.text == "1"
    typed(prompt, ["escape", "backspace"])
    assert prompt.text == ""
    typed(prompt, ["\x07", "f13", "pageup"])
    assert prompt.text == ""
    typed(prompt, ";" * (LONGEST_LINE + 5))
    assert len(prompt.text) == LONGEST_LINE


def test_enter_alone_takes_the_only_sensible_act_and_no_other() -> None:
    prompt = opening()
    assert prompt.press("enter") is None
    assert prompt.view.message == "expected a move"
    last = Prompt(Scribe("game-last", title=PEBBLES).act(HeapDealt(heap=1)).table)
    assert act_of(last.press("enter")) == Take(seat=1, n=1)
    due = Prompt(Scribe("game-due", title=PEBBLES).act(HeapDealt(heap=1)).play("1").table)
    assert act_of(due.press("enter")) == Keep(seat=1, keep=True)
    assert act_of(entered(due, "g")) == Keep(seat=1, keep=False)


def test_the_final_count_is_one_key_and_then_nothing_is_expected() -> None:
    log = game("spyrium", 3)
    table = Play(log_of(log.title, log.lines[:-1]))
    prompt = Prompt(table)
    assert act_of(prompt.press("enter")) == FinalCount()
    table.append(log.lines[-1])
    prompt.restart()
    assert prompt.press("enter") is None
    assert "the game is over" in prompt.view.message


def test_a_move_against_the_rules_takes_one_key_more() -> None:
    prompt = opening("p12")
    assert prompt.press("!") is None
    prompt.press("escape")
    assert entered(prompt, "a12.1") is None
    shown = prompt.view
    assert shown.refused
    assert shown.breaches[0].rule == "turn.phase"
    assert shown.breaches[0].number == "S-5.2"
    assert shown.choices
    request = prompt.press("!")
    assert request == Act(act=ActivateCard(seat=2, gap=12, space=1), anyway=True)
    assert prompt.enter_line("a12.1!") == request
    assert prompt.enter_line("a12.1") is None
    assert prompt.enter_line("!") == request
    assert requests.make_line(prompt.play, request, by="Zoë").n == 3
    typed(prompt, ["backspace"])
    assert not prompt.view.refused


def test_what_says_no_move_is_answered_with_what_begins_so() -> None:
    prompt = opening("p12", "p36", "p45")
    typed(prompt, "a7z")
    assert "no legal move begins with 'a7z'" in prompt.view.message
    assert {choice.keys for choice in prompt.view.choices} == {"a1", "a2"}
    typed(prompt, ["escape", *"32"])
    assert prompt.view.message == "no legal move begins with '32': did you mean '23'?"
    typed(prompt, ["escape", *"zz"])
    assert prompt.view.message.startswith("expected a move such as p12 g12.1 a12.1")
    assert entered(opening(), "zz") is None


NO_WORKER = "activate.worker (S-5.6): expected an own worker in the gap, found nothing"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("a", f"every move that begins with 'a' is against a rule now: {NO_WORKER}"),
        (
            "13",
            "no legal move begins with '13'; expected one of the gaps 12 23 45 56 78 89 14 25 36 47 58 69, found '13'",
        ),
        ("c", "expected what was counted, such as '12 2 0, 8 1 3' or 'bob m8 s1', found nothing"),
        ("!", "expected a refused move before '!': it records that one all the same"),
        ("banana", "expected a move such as p12 g12.1 a12.1 e u2.1 r2.1 x bw, found 'banana'"),
    ],
)
def test_a_newcomer_who_has_no_worker_there_is_told_what_is_missing(keys: str, said: str) -> None:
    prompt = opening("p12")
    assert entered(prompt, keys) is None
    assert prompt.view.message == said
    assert prompt.view.choices or keys in ("c", "!", "banana")


@pytest.mark.parametrize(
    ("keys", "act", "rules"),
    [
        ("a6", ActivateCard(seat=2, gap=36, space=6, enter=True), ["activate.worker"]),
        ("G7", GainMoney(seat=2, gap=78, space=7, enter=True), ["gain.worker"]),
        (
            "a4=mi",
            ActivateCard(seat=2, gap=14, space=4, enter=True, named="miner"),
            ["activate.worker", "choice.stray"],
        ),
        ("e9", None, []),
        ("u2", UseBuilding(seat=2, slot=2, effect=1, enter=True), ["building.use"]),
    ],
)
def test_a_short_form_is_expanded_to_what_it_must_mean_and_judged(keys: str, act: Any, rules: list[str]) -> None:
    prompt = opening("p12")
    assert entered(prompt, keys) is None
    if act is None:
        assert not prompt.view.refused
        assert prompt.view.message
        return
    assert prompt.view.refused
    assert prompt.view.choices
    assert {breach.rule for breach in prompt.view.breaches} >= set(rules)
    assert prompt.press("!") == Act(act=act, anyway=True)


def test_moves_are_read_in_capitals() -> None:
    assert act_of(entered(opening(), "P12")) == PlaceWorker(seat=1, gap=12)
    assert act_of(entered(activating(), "A14")) == ActivateCard(seat=1, gap=14, space=1)
    assert isinstance(entered(opening("p12"), "U"), Undo)


def test_a_gap_or_a_card_without_a_worker_names_the_rule_and_guesses_no_worker() -> None:
    prompt = opening("p12")
    assert entered(prompt, "a45") is None
    assert [breach.rule for breach in prompt.view.breaches] == ["activate.worker"]
    spent = opening(*["p12", "p36", "p45"] * 3)
    assert entered(spent, "78") is None
    assert [breach.rule for breach in spent.view.breaches] == ["worker.active"]


def test_a_short_move_against_the_rules_is_refused_by_rule() -> None:
    poor = activating(mats=(mat(1, money=0, active=0), mat(2), mat(3)))
    assert entered(poor, "1") is None
    assert [breach.rule for breach in poor.view.breaches] == ["activate.money"]
    assert act_of(poor.press("!")) == ActivateCard(seat=1, gap=12, space=1)
    assert entered(activating(), "u1") is None


# --- deals ---------------------------------------------------------------------------------------


def test_a_deal_is_two_keys_a_card_and_one_a_token() -> None:
    prompt = Prompt(Scribe("game-deal").table)
    assert prompt.view.question == "the round's event"
    typed(prompt, "exesm1apr1u1")
    assert prompt.view.question == "1 token on university-1"
    typed(prompt, "2w1crmi1")
    assert prompt.view.question == "1 token on miner"
    typed(prompt, "3lu")
    assert prompt.view.question == "card 9"
    assert entered(prompt, "") is None
    assert prompt.view.message == "expected card 9"
    act = act_of(entered(prompt, "m2"))
    assert act == prompt.play.read_notation(DEAL)
    assert prompt.view.words[-2:] == ["luxury-home", "mine-2"]


def test_cards_are_completed_from_what_can_still_come() -> None:
    prompt = Prompt(Scribe("game-deal").table)
    typed(prompt, "exes")
    codes = dict(choice[::2] for choice in prompt.view.choices)
    assert "pa" not in codes
    assert codes["ap"] == "apprentice"
    typed(prompt, "crc")
    assert [choice.name for choice in prompt.view.choices] == ["capitalization", "commerce"]
    typed(prompt, ["down", "enter"])
    assert prompt.text == "exescrca"
    typed(prompt, ["c", "o", "tab"])
    assert prompt.text == "exescrcaco"


def test_a_card_that_nobody_saw_is_a_question_mark_and_gets_its_name_later() -> None:
    prompt = Prompt(Scribe("game-deal").table)
    act = act_of(entered(prompt, "exes?apr1u12w1crmi13lu?"))
    assert isinstance(act, RoundDealt)
    assert act.market[0].card == "?"
    table = Scribe("game-named").act(act).play("p12", "p12", "p69", "p69", "p45", "p45").table
    request = entered(Prompt(table), "a1=m1")
    assert act_of(request) == ActivateCard(seat=1, gap=12, space=1, enter=True, named="mine-1")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("exm1", "expected an event, found 'mine-1'"),
        ("exeswi", "expected a card, found 'windfall'"),
        ("exqq", "expected a card, found 'qq'"),
        ("ex9", "expected a card, ? or a token, found '9'"),
        ("exesm1m1m1m2m2w1w1crapm1", "expected 11 cards, found more"),
        ("exesz", "expected a card, found 'z'"),
    ],
)
def test_a_slip_in_a_deal_is_shown_at_once(keys: str, said: str) -> None:
    prompt = Prompt(Scribe("game-deal").table)
    typed(prompt, keys)
    assert prompt.view.message == said


def test_an_event_lies_there_from_the_round_before() -> None:
    log = game("spyrium", 1, 3)
    deals = [at for at, line in enumerate(log.lines) if line.__struct_config__.tag == "deal"]
    table = Play(log_of(log.title, log.lines[: deals[1]]))
    assert Prompt(table).view.question == "the future event"


# --- sayings -------------------------------------------------------------------------------------


def test_undo_shows_what_it_takes_back() -> None:
    prompt = opening("p12", "p36")
    request = entered(prompt, "u")
    assert request == Undo()
    assert prompt.describe(request) == "takes back 3 Bob places a worker between Residence I and Crane"
    assert isinstance(requests.make_line(prompt.play, request, by="Zoë"), Undone)
    request = entered(opening("p12", "p36"), "u 1")
    assert request == Undo(to=1)
    assert [part.split()[:3] for part in prompt.describe(request).split("; ")] == [["takes", "back", n] for n in "23"]
    typed(prompt, ["escape", *"u 9"])
    assert prompt.view.message == "expected a line from 0 to 3, found '9'"
    assert Prompt(Scribe("game-none").table).enter_line("u") is None


def test_a_redo_says_what_it_brings_back() -> None:
    scribe = Scribe("game-redo").play(DEAL, "p12")
    scribe.undo(1)
    assert Prompt(scribe.table).describe(Undo(to=2)).startswith("brings back 2 Anna places")


def test_the_table_says_otherwise_with_who_and_why() -> None:
    prompt = opening("p12", "p36", "p45")
    request = entered(prompt, "a1/m-1 Bob: a gift")
    assert isinstance(request, Act)
    assert request.extra == [Posting(1, "money", 1, "table", Seen(who="Bob", why="a gift"))]
    assert [tuple(change) for change in prompt.compute_changes(request) if change.what == "money"] == [
        (1, "money", 10, 9, False)
    ]
    table = prompt.play
    line = requests.make_line(table, request, by="Zoë")
    assert sum(posting.n for posting in line.moved) == -1  # type: ignore[union-attr]
    log = log_of(table.title, [*table.log.lines, line])
    assert [finding.status for finding in replay(log).findings] == ["ruled"]
    shouted = prompt.enter_line("a1/m-1 a gift!")
    assert isinstance(shouted, Act)
    assert shouted.extra[0].seen == Seen(who="Zoë", why="a gift!")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a1/m-2 Bob: so", "expected another amount than the rules give, found 'm-2'"),
        ("a1/Bob: so", "expected an amount such as £3 s3 p3 w3 r3, found 'Bob: so'"),
        ("a1/q-1 Bob: so", "expected one of £ m s p w r, found 'q-1'"),
        ("a/m-1 Bob: so", "expected a move, found 'a'"),
        ("/Bob: so", "expected an amount such as £3 s3 p3 w3 r3, found 'Bob: so'"),
        ("c bob", "expected what was counted, such as £3 s3 p3 w3 r3, found nothing"),
        ("c zed m8", "expected one player of Anna (blue), Bob (red), Cleo (yellow), found none for 'zed'"),
        ("c m8!x", "expected one player of Anna (blue), Bob (red), Cleo (yellow), found none for 'm8!x'"),
        ("c 9m8", "expected seat 1 to 3, found '9m8'"),
        ("c 1 2 3 4 5 6", "expected at most money, spyrium, points, workers, residence, found '6'"),
        ("~ m8", "expected what lies there now, a colon, and why, found nothing"),
        ("=", "expected the number on the card, such as '=3' or '=m1 points 3', found nothing"),
        ("=3", "expected a card that was just bought, found none: say which"),
        ("=zz 3", "expected a component of the sheet, found 'zz'"),
        ("=m1 zeal 3", "expected one of price, points, copies-a, copies-b, copies-c, found 'zeal'"),
        (";", "expected a mark (!! ! !? ?! ? ??) or a note, found nothing"),
    ],
)
def test_half_a_saying_is_answered_with_what_is_missing(text: str, said: str) -> None:
    prompt = opening("p12", "p36", "p45")
    assert prompt.enter_line(text) is None
    assert prompt.view.message == said
    assert prompt.text == text


def test_a_number_that_belongs_to_no_move_is_ruled() -> None:
    request = entered(opening(), "/2m+1 the table: a pound lay under the box")
    act = act_of(request)
    assert act == Adjusted(who="the table", why="a pound lay under the box")
    assert isinstance(request, Act)
    assert request.extra == [Posting(2, "money", 1, "adjusted", Seen(who="the table", why="a pound lay under the box"))]


def test_the_table_is_counted_in_one_line() -> None:
    held = (Holding(1, "money", 10), Holding(1, "spyrium", 2), Holding(2, "money", 9))
    prompt = opening()
    assert act_of(prompt.enter_line("c 10 2, 9 -")) == Counted(held=held)
    assert act_of(prompt.enter_line("c m10 s2 bob m9")) == Counted(held=held)
    assert prompt.describe(Act(act=Counted(held=held))).endswith(
        ": ≠ Bob money 9 counted, 10 recorded; locate lists what would explain it"
    )
    assert prompt.describe(Act(act=Counted(held=held[:2]))).endswith(": all as recorded")
    assert act_of(prompt.enter_line("c 1m10 1s2 2m9")) == Counted(held=held)


def test_moves_that_were_missed() -> None:
    prompt = opening("p12")
    request = prompt.enter_line(
        "~ bob m7 w4, anna s0, round 2, last @2, market mine-1 - miner:2: the dog ran off with it"
    )
    act = act_of(request)
    assert isinstance(act, Resynced)
    assert act.why == "the dog ran off with it"
    scribe = Scribe("game-resync").play(DEAL, "p12").act(act)
    state = scribe.state
    assert (state.mats[2].money, state.mats[2].workers, state.mats[1].spyrium) == (7, 4, 0)
    assert (state.market[3], state.tokens[3], state.market[2], state.round) == ("miner", (2,), "", 2)
    assert scribe.table.awaits().seat == 3
    assert prompt.enter_line("~ zed m9: lost") is None
    assert prompt.view.message


def test_a_price_is_read_off_before_and_after() -> None:
    prompt = opening("p12", "p36", "p45")
    request = entered(prompt, "a1=3")
    assert request == Reading(of="mine-1", what="price", value=3)
    assert prompt.describe(request) == "price of mine-1 is printed as 3, not 2 (assumed)"
    line = requests.make_line(prompt.play, request, by="Zoë")
    assert isinstance(line, ReadOff)
    assert (line.value.source, line.value.by) == ("read", "Zoë")
    bought = opening("p12", "p36", "p45", ">a12.1")
    assert bought.enter_line("=3") == request
    assert bought.enter_line("=m1 points 4") == Reading(of="mine-1", what="points", value=4)
    assert bought.enter_line("=m1 4") == Reading(of="mine-1", what="price", value=4)
    assert Prompt(Scribe("game-none").table).enter_line("=3") is None


def test_a_price_read_after_the_purchase_asks_whether_it_was_paid() -> None:
    prompt = opening("p12", "p36", "p45", ">a12.1")
    enter_and_write(prompt, "=3")
    assert prompt.view.words == ("was this paid in 5? Enter: yes, it is corrected; any other key leaves it",)
    correction = prompt.view.request
    assert isinstance(correction, Slip)
    assert prompt.describe(correction).startswith("at 5: Anna money -3, not -2; 1 fewer open findings")
    typed(prompt, "4")
    assert prompt.view.request != correction
    prompt.press("escape")
    enter_and_write(prompt, "=4")
    line = enter_and_write(prompt, "")
    assert isinstance(line, Amended)
    assert line.mode == "misrecorded"
    assert prompt.play.state.mats[1].money == 6
    assert replay(prompt.play.log).findings == []
    # what was paid is by that price now
    enter_and_write(prompt, "=m1 4")
    assert not isinstance(prompt.view.request, Slip)


def enter_and_write(prompt: Prompt, text: str) -> Line:
    request = entered(prompt, text)
    assert request is not None
    assert not isinstance(request, Note)
    line = prompt.play.append(requests.make_line(prompt.play, request, by="Zoë"))
    prompt.restart_after(request)
    return line


def test_what_the_table_said_it_paid_is_not_asked_about() -> None:
    prompt = opening("p12", "p36", "p45")
    enter_and_write(prompt, "a1/m-5 Bob: so")
    enter_and_write(prompt, "=3")
    assert not isinstance(prompt.view.request, Slip)


def test_marks_and_notes_are_on_the_last_event() -> None:
    prompt = opening("p12")
    request = entered(prompt, ";!? Bob thinks")
    assert request == Note(text="Bob thinks", mark="!?")
    assert prompt.describe(request) == "on 2: !? Bob thinks"
    noted = requests.make_note(prompt.play, request, note_id="0001-note", by="Zoë")
    assert (noted.on, noted.mark) == ("2", "!?")
    assert entered(Prompt(Scribe("game-none").table), ";late start") == Note(text="late start")
    # what begins like a tag but is a number, or stands within the text, belongs to it
    tagged = entered(Prompt(Scribe("game-none").table), ";!see #12 #a-b then #opening  #crane")
    assert tagged == Note(text="see #12 #a-b then", mark="!", tags=("opening", "crane"))
    assert entered(Prompt(Scribe("game-none").table), ";#opening") == Note(tags=("opening",))
    assert requests.make_note(Scribe("game-none").table, Note(text="x"), note_id="0001-note", by="Zoë").on == "0"


def test_the_smaller_title_has_the_same_sayings() -> None:
    prompt = Prompt(Scribe("game-small", title=PEBBLES).act(HeapDealt(heap=5)).table)
    assert act_of(prompt.enter_line("c 3 1")) == Counted(held=(Holding(1, "pebbles", 3), Holding(1, "stars", 1)))
    assert isinstance(act_of(prompt.enter_line("~ 4: one rolled away")), Resynced)
    assert prompt.enter_line("=9") == Reading(of="heap", what="most", value=9)
    assert prompt.enter_line("p+1") is None
    assert act_of(prompt.enter_line("c b3 t1")) == act_of(prompt.enter_line("c 3 1"))


def test_a_whole_game_says_each_line_as_it_is(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever a request becomes can be written and read again."""
    prompt = opening("p12", "p36", "p45")
    folder = Folder(tmp_path_factory.mktemp("archive"))
    kinds = set()
    with folder.create(prompt.play) as play:
        for text in ("a1=3", "a1", "c 9", "u", "/m+1 Bob: so", "~ bob m3: lost"):
            request = prompt.enter_line(text)
            assert request is not None and not isinstance(request, Note)  # noqa: PT018 - for the type checker
            kinds.add(type(play.append(requests.make_line(play, request, by="Zoë"))))
            prompt.restart()
    assert kinds >= {ReadOff, Undone, Stated}
    assert folder.read_log(play.header.game).complaint is None

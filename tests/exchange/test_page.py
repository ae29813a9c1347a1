"""The page without a browser: what it holds, what it may not hold, and that the log comes back out of it."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections import Counter
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from markupsafe import escape

from spyrium_log.edit.annotate import play_variation
from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.html import SEAT_COLOURS, Line, curve_values
from spyrium_log.exchange.page import compute_delta, make_page
from spyrium_log.replay import replay
from spyrium_log.shown import plain
from spyrium_log.store import read_bytes
from tests.analysis.test_pages import contrast
from tests.exchange.samples import ATTACK, SAMPLES, Sample, example, sample
from tests.games import ALL_TITLES

VOID = {"meta", "link", "br", "input"}
# Letters of a log of so many events must fit with it: what a mail takes without a thought.
MOST_BYTES = 400_000
ORDINARY = ("two", "three", "four", "five")

every_sample = pytest.mark.parametrize("name", SAMPLES)


class Parsed(HTMLParser):
    """A page as a browser would take it apart, as far as the tests ask."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self._inside: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append((tag, given))
        if tag not in VOID:
            self.open.append(tag)
            self._inside.append(given.get("id") or given.get("class") or tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another one"
        self._inside.pop()

    def handle_data(self, data: str) -> None:
        for inside in set(self._inside):
            self.texts.setdefault(inside, []).append(data)

    def handle_decl(self, decl: str) -> None:
        assert decl == "DOCTYPE html"

    def handle_comment(self, data: str) -> None:
        pytest.fail(f"a comment: {data}")

    def all(self, tag: str) -> list[dict[str, str]]:
        return [given for name, given in self.tags if name == tag]

    def one(self, id_: str) -> dict[str, str]:
        (found,) = [given for _, given in self.tags if given.get("id") == id_]
        return found

    def text(self, inside: str) -> str:
        return "".join(self.texts.get(inside, []))

    @property
    def data(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.text("data"))
        return said


def parsed(one: Sample) -> Parsed:
    return Parsed(one.page().decode())


def applied(old: Any, change: Any) -> Any:
    """The new value: what page.js does, in Python."""
    if change is None:
        return old
    if isinstance(change, list):
        return change[0]
    if isinstance(old, dict):
        return {key: applied(value, change.get(key)) for key, value in old.items()}
    return [applied(value, change.get(str(index))) for index, value in enumerate(old)]


@every_sample
def test_every_element_is_closed_and_every_id_is_one(name: str) -> None:
    made = parsed(sample(name))
    assert made.open == []
    ids = [given["id"] for _, given in made.tags if "id" in given]
    assert len(ids) == len(set(ids)) > 20
    targets = [given["href"] for given in made.all("a") if given["href"].startswith("#")]
    assert {target[1:] for target in targets} <= set(ids)


@every_sample
def test_nothing_is_asked_of_anybody(name: str) -> None:
    made = parsed(sample(name))
    for tag, given in made.tags:
        assert tag not in {"img", "iframe", "object", "embed", "base", "form", "video", "audio"}
        assert not any(attribute.startswith("on") or attribute in {"src", "style", "srcset"} for attribute in given)
        assert given.get("href", "#").startswith(("#", "data:"))
    css = made.text("style")
    assert css
    assert not re.search(r"@import|url\(|expression", css)
    (script,) = re.findall(r"<script>(.*?)</script>", sample(name).page().decode(), re.DOTALL)
    assert not re.search(r"https?:|fetch|XMLHttp|WebSocket|sendBeacon|import\(|eval|innerHTML", script)


@every_sample
def test_the_policy_lets_in_what_is_there_and_nothing_else(name: str) -> None:
    text = sample(name).page().decode()
    (policy,) = [one["content"] for one in parsed(sample(name)).all("meta") if "http-equiv" in one]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert set(rules) == {
        "default-src",
        "script-src",
        "style-src",
        "img-src",
        "base-uri",
        "form-action",
        "require-trusted-types-for",
    }
    for rule, element in (("script-src", "script"), ("style-src", "style")):
        (inline,) = re.findall(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
        assert rules[rule] == f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"


@every_sample
def test_the_log_comes_back_byte_for_byte(name: str) -> None:
    one = sample(name)
    made = parsed(one)
    link = made.one("log")
    kind, _, said = link["href"].partition(";base64,")
    assert kind == "data:application/x-ndjson"
    assert link["download"] == f"{one.done.header.game}.jsonl"
    raw = b64decode(said, validate=True)
    assert raw == one.raw
    again = read_bytes(raw, "page", titles=ALL_TITLES)
    assert made.text("digest") == again.last_digest


@every_sample
def test_every_sentence_and_every_finding_is_there(name: str) -> None:
    one = sample(name)
    made = parsed(one)
    told = [plain(sentence) for _, sentence in one.done.describe_events(one.language)]
    said = "\n".join(made.texts["say"])
    at = 0
    for sentence in told:
        at = said.index(sentence, at) + 1
    findings = made.text("findings")
    for finding in one.done.findings:
        assert finding.rule in findings
        assert finding.number in findings
    if one.done.complaint is not None:
        assert plain(str(one.done.complaint)) in findings


@every_sample
def test_the_tables_unfold_to_those_of_the_replay(name: str) -> None:
    one = sample(name)
    steps = parsed(one).data["standing"]
    assert len(steps) == len(one.done.events) + 1
    seen: Any = None
    for index, step in enumerate(steps):
        seen = applied(seen, step["delta"])
        assumed = sorted(f"{who}-{what}" for who, what in one.done.assumed_holdings[index])
        view = msgspec.json.decode(msgspec.json.encode(one.done.title.screens.view(one.done.state_at(index))))
        if one.done.title.screens.drawing is None:
            assert seen["assumed"] == assumed
            assert seen["shown"] == {name: value for name, value in view.items() if not isinstance(value, dict | list)}
        else:
            assert seen == {**view, "assumed": assumed}


@every_sample
def test_the_scores_are_the_replays(name: str) -> None:
    one = sample(name)
    made = parsed(one)
    totals = [text.removeprefix("~") for text in made.texts["total"]]
    by_place = sorted(one.done.scores(), key=lambda score: (score.place, score.seat))
    assert totals == [str(score.total) for score in by_place]
    ledger = sum(len(step["moved"]) for step in made.data["standing"])
    assert ledger == sum(entry.n > 0 for entry in one.done.ledger)


@every_sample
def test_it_is_made_the_same_again(name: str) -> None:
    one = sample(name)
    done = replay(read_bytes(one.raw, "again", titles=ALL_TITLES))
    again = one._replace(done=done)
    if one.done.complaint is None:
        assert again.page() == one.page()


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_game_is_small(name: str) -> None:
    raw = sample(name).page()
    print(f"{name}: {len(sample(name).done.events)} events, {len(raw):,} bytes, log {len(sample(name).raw):,}")
    assert len(raw) < MOST_BYTES


def test_no_text_of_a_log_becomes_anything_but_text() -> None:
    text = sample("hostile").page().decode()
    made = Parsed(text)
    assert len(made.all("script")) == 2
    assert text.count("</script>") == 2
    assert ATTACK in made.text("scores")
    assert ATTACK in made.text("when")
    assert ATTACK in made.text("notes")
    for steering in "\u202e\u2066\x1b":
        assert steering not in text
    assert {given["class"] for given in made.all("span") if "pawn" in given.get("class", "").split()} == {
        "pawn c-other",
        "pawn none",
    }


def test_what_is_assumed_is_marked() -> None:
    made = parsed(sample("three"))
    assert all(text.startswith("~") for text in made.texts["total"])
    assert f"This game rests on {sample('three').done.assumed_value_count} such values" in made.text("assumed")
    assert "Mine I" in made.text("values")
    assert "~" not in parsed(sample("pebbles")).text("scores")


def test_of_mere_scores_there_is_a_winner_and_no_curve() -> None:
    made = parsed(sample("scores-only"))
    assert made.text("h1") == "Bob · Cleo share the win with 51"
    assert "declared by the table" in made.text("parts")
    assert "curve" not in made.texts


def test_names_of_rounds_do_not_lie_on_each_other() -> None:
    lines = [Line("A", "Anna", "blue", range(101), "100")]
    rounds = curve_values(lines, [(at, str(nth)) for nth, at in enumerate((0, 30, 32, 60, 67, 68, 69, 76), 1)])[
        "rounds"
    ]
    assert rounds == [
        *(("1", "0.00%"), ("2", "30.00%"), ("", "32.00%"), ("4", "60.00%")),
        *(("", "67.00%"), ("6", "68.00%"), ("", "69.00%"), ("8", "76.00%")),
    ]


def test_a_name_at_the_end_of_a_line_has_its_room() -> None:
    page = sample("three").page().decode()
    (width,) = re.findall(r'<svg width="(\d+)" height="\d+" aria-hidden="true"><text class="end', page)
    ends = re.findall(r'<text class="end [^>]+>([^<]+)<', page)
    assert len(ends) == 3
    assert all(int(width) >= 8 + 9 * len(end) for end in ends)


def test_where_points_came_from_names_the_players_on_a_phone() -> None:
    for name, least in (("three", 5), ("hostile", 1)):
        table = re.findall(r'<table class="parts">(.*?)</table>', sample(name).page().decode(), re.DOTALL)[0]
        rows = re.findall(r'<tr><th scope="row">(.*?)</tr>', table, re.DOTALL)
        assert len(rows) >= least
        for row in rows:
            heads = [unescape(head) for head in re.findall(r'<td[^>]* data-head="([^"]*)"', row)]
            assert heads == [plain(player) for player in sample(name).done.players]


def test_a_word_of_a_plain_board_is_no_string_of_a_program() -> None:
    values = re.findall(r"<dd>(.*?)</dd>", still_of("founders"))
    assert "practice-1" in values
    assert not any('"' in value or "&#34;" in value for value in values)


def test_a_row_of_a_plain_table_names_its_numbers_on_a_phone() -> None:
    still = still_of("pebbles")
    heads = re.findall(r'<th scope="col">([^<]+)</th>', still)[1:]
    (row, *_) = re.findall(r'<tr><th scope="row".*?</tr>', still)
    assert heads
    assert re.findall(r'<td data-head="([^"]+)">', row) == heads


def test_colours_of_seats_can_be_read() -> None:
    """A mark on its piece, and a name in its colour on the paper of the page's sections."""
    seats = re.compile(r"--(blue|red|yellow|player-green|black|white|grey|brown|purple|orange|pink|other): (#\w{6})")
    # of the colours of seats and then of the page: light, dark
    blocks = re.findall(r":root {(.+?)}", page_style(), re.DOTALL)
    for block, paper in zip(blocks[:2], blocks[2:4], strict=True):
        ground = dict(re.findall(r"--(card|on-piece): (#\w{3,6})", block + paper))
        on_piece = ground["on-piece"].replace("#fff", "#ffffff") if len(ground["on-piece"]) == 4 else ground["on-piece"]
        colours = seats.findall(block)
        assert len(colours) == len(SEAT_COLOURS) + 1
        for name, colour in colours:
            assert contrast(colour, on_piece) >= 4.5, name
            assert contrast(colour, ground["card"]) >= 4.5, name


def page_style() -> str:
    return "".join(re.findall(r"<style>(.*?)</style>", sample("three").page().decode(), re.DOTALL))


def test_both_histories_are_there() -> None:
    one = sample("slip")
    made = parsed(one)
    recorded = made.data["recorded"]
    assert len(recorded) == len(one.done.log.lines)
    assert [step["id"] for step in recorded] == [f"r{line.n}" for line in one.done.log.lines]
    assert made.text("was").count("first recorded as:") == 7
    assert "Amendment: it was recorded wrongly: it was the Crane, and she paid with it" in made.text("recorded")
    assert parsed(sample("three")).data["recorded"] == []


def test_what_was_taken_back_is_told_as_it_was_recorded() -> None:
    made = parsed(sample("undone"))
    assert "Undone: the game stands as after line 2: Bob takes it back" in made.text("recorded")
    assert "taken back later" in made.text("was")


def test_a_note_stands_beside_its_move_and_in_the_list() -> None:
    made = parsed(sample("three"))
    assert "Why not beside the Crane?" in made.text("e2")
    assert "Why not beside the Crane?" in made.text("notes")
    assert "!!" in made.text("e40")


def test_a_variation_is_stepped_through_beside_its_move() -> None:
    made = parsed(sample("three"))
    (variation,) = made.data["variations"]
    done = sample("three").done
    assert (variation["id"], variation["base"]) == ("v1", "e1")
    start, first, *_ = made.data["standing"]
    table = applied(applied(None, start["delta"]), first["delta"])
    played = play_variation(done.log, "2", ["p23", "p12"])
    for step in variation["steps"]:
        table = applied(table, step["delta"])
        assert made.text(step["id"]) != ""
    view = msgspec.json.decode(msgspec.json.encode(done.title.screens.view(played.table.state)))
    assert table == {**view, "assumed": table["assumed"]}
    # what the game does not allow stands as it was typed, and leads nowhere
    assert parsed(sample("hostile")).data["variations"] == []


def test_the_curve_stands_above_the_moves_with_the_cursor_in_it() -> None:
    page = sample("three").page().decode()
    assert page.index('id="curve"') < page.index('id="cursor"') < page.index('id="moves"')


@every_sample
def test_there_is_a_way_to_the_next_finding_and_the_next_note_where_there_is_one(name: str) -> None:
    one = sample(name)
    made = parsed(one)
    buttons = {given.get("id"): given.get("aria-keyshortcuts") for given in made.all("button")}
    assert ("next-finding" in buttons) == bool(one.done.findings)
    assert ("next-note" in buttons) == bool(one.remarks)
    assert {buttons.get("next-finding", "f"), buttons.get("next-note", "n")} == {"f", "n"}
    assert made.one("link")["href"] == "#e0"


@every_sample
def test_the_keys_that_do_something_on_this_page_are_listed(name: str) -> None:
    one = sample(name)
    listed = set(re.findall("<kbd>(.*?)</kbd>", one.page().decode()))
    assert {"→", "←", "Home", "End", "p", "+", "−", "?"} <= listed
    assert ("f" in listed) == bool(one.done.findings)
    assert ("n" in listed) == bool(one.remarks)
    assert ("Esc" in listed) == (name == "three")
    assert ("R" in listed) == bool(one.done.list_rounds())


@pytest.mark.parametrize("language", ["en", "pl", "ru", "ru-desktopgames"])
def test_it_speaks_the_language(language: str) -> None:
    made = parsed(example("first-round", language))
    assert made.all("html") == [{"lang": language}]
    sentence = [told for _, told in example("first-round").done.describe_events(language)][1]
    assert sentence in made.text("e2")


@pytest.mark.parametrize(("language", "word"), [("en", "Turn"), ("pl", "Runda"), ("ru", "Раунд")])
def test_a_round_has_one_word_everywhere(language: str, word: str) -> None:
    one = example("whole-game-2-players", language)
    page = make_page(one.done, one.raw, language=language).decode()
    assert f"<span>{word}</span>" in page
    assert f'aria-label="{word} 2"' in page
    # the list of moves and the board say the same
    assert f">{word} 1 (" in page
    assert one.done.title.screens.drawing is not None
    assert one.done.title.screens.drawing.words(language)["page"]["round"] == word


def test_what_no_game_ever_was_is_refused() -> None:
    one = example("first-round")
    one.done.log.lines.extend(one.done.log.lines[1:2] * 5_000)
    with pytest.raises(ExchangeError, match="at most 5000 lines for one page, found"):
        make_page(one.done, one.raw)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (None, {"a": 1}),
        ({"a": [1, 2], "b": None}, {"a": [1, 3], "b": None}),
        ({"a": 1}, {"b": 1}),
        ([1, [2]], [1, [2, 3]]),
        ({"a": True}, {"a": 1}),
        ({"a": 1}, {"a": None}),
        ([], []),
    ],
)
def test_a_delta_laid_over_the_old_is_the_new(old: Any, new: Any) -> None:
    again = applied(old, compute_delta(old, new))
    assert json.dumps(again) == json.dumps(new)


# --- without scripts -----------------------------------------------------------------------------


def still_of(name: str) -> str:
    """What stands in the page for a reader without scripts, behind the notice."""
    (noscript,) = re.findall(r"<noscript>(.*?)</noscript>", sample(name).page().decode(), re.DOTALL)
    return str(noscript.partition("</p>")[2])


def test_of_an_old_score_sheet_no_table_is_drawn() -> None:
    assert still_of("scores-only") == ""


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "scores-only"])
def test_the_last_table_is_drawn_without_scripts(name: str, counts: Counter[str]) -> None:
    done, still = sample(name).done, still_of(name)
    assert Parsed(still).open == []
    held = {(has.who, has.what): has.n for has in done.title.held(done.state_at(len(done.events)))}
    mats = re.findall(r'<section class="mat[ "].*?</section>', still) or re.findall(
        r'<tr><th scope="row".*?</tr>', still
    )
    assert len(mats) == len(done.players)
    for seat, mat in enumerate(mats, 1):
        numbers = [int(number) for number in re.findall(r"<b>~?(-?\d+)</b>", mat)]
        for what in ("money", "spyrium", done.title.score_resource):
            if (seat, what) in held:
                assert held[seat, what] in numbers
                counts["amounts on a page without scripts"] += 1
        assert f'title="{escape(plain(done.players[seat - 1]))}"' in mat
    view = msgspec.to_builtins(done.title.screens.view(done.state_at(len(done.events))))
    cards = [space["card"] for space in view.get("market", []) if isinstance(space, dict) and space["card"]]
    cards += [
        built["card"] for mat in view.get("mats", []) if isinstance(mat, dict) for built in mat.get("buildings", [])
    ]
    for card in cards:
        assert f">{escape(plain(card_name(name, card)))}" in still
        counts["cards on a page without scripts"] += 1


def card_name(name: str, card: str) -> str:
    one = sample(name)
    return str(one.done.title.words.vocabulary(one.language)["cards"].get(card, card))

"""A game as one HTML file that needs nothing else: no network, no server, no other file. The log itself is in it.

The moves in words and the table after the last event are plain HTML and stay readable without scripts; a script draws
the table after any event from the deltas that the page carries.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import chain, pairwise
from typing import NamedTuple, TypedDict

import msgspec
from jinja2 import Template

from spyrium_log.catalogue import Catalogue, Tables
from spyrium_log.edit.annotate import Remark
from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.html import (
    SEAT_COLOURS,
    Line,
    curve_values,
    make_environment,
    script_data,
    seat_style,
    security_policy,
)
from spyrium_log.exchange.steps import RemarkNote, Step, Steps
from spyrium_log.exchange.values import Json
from spyrium_log.ledger import Entry
from spyrium_log.messages import Reader
from spyrium_log.replay import Replay, find_seat_colour
from spyrium_log.shown import plain, short_names
from spyrium_log.title import AnyTitle

# A page is for looking at a game; nobody plays a log of more lines.
MOST_LINES = 5_000
# How fast a page plays by itself.
PACES = ((0.5, "½"), (1, "1"), (2, "2"), (4, "4"))

_encode = msgspec.json.Encoder().encode
_JSON_ARRAYS = (list, tuple)

# The page's own words. Those of cards, causes and sentences are the title's.
page_words = Catalogue("spyrium_log.exchange", ("en", "pl", "ru"))


class Seat(NamedTuple):
    """A player as shown: `mark` is one letter or two, `colour` one that the page's style knows."""

    seat: int
    name: str
    mark: str
    colour: str


class _StepData(TypedDict):
    """A step as page.js reads it: what changed on the table since the step before, and the postings."""

    id: str
    delta: Json
    moved: list[list[int | str]]


class _VariationData(TypedDict):
    """A variation as page.js reads it: its name, the step that it begins after, and its own steps."""

    id: str
    base: str
    steps: list[_StepData]


class Source(NamedTuple):
    """Where points came from: a cause, its rule, and each seat's points with whether they are assumed."""

    cause: str
    rule: str
    points: Sequence[tuple[int, bool]]


def make_page(game: Replay, raw: bytes, *, remarks: Sequence[Remark] = (), language: str = "en") -> bytes:
    """The page of a game that was audited; `raw` are the bytes of its log, which the page holds."""
    if len(game.log.lines) > MOST_LINES:
        raise ExchangeError("long-page", most=MOST_LINES, found=len(game.log.lines), place=game.log.file)
    return _Page(game, raw, remarks, language).render().encode()


def _read_package_text(name: str) -> str:
    """The text of a file of this package: a template, a script or a style."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _load_template(board: str) -> Template:
    """The template of the page, with the board of a title in it, which is a template itself; parsed once for each."""
    templates = {name: _read_package_text(name) for name in ("page.html", "parts.html", "curve.html")}
    return make_environment({**templates, "board.html": board}).get_template("page.html")


class _Page:
    """The values that the template of one page prints."""

    def __init__(self, game: Replay, raw: bytes, remarks: Sequence[Remark], language: str) -> None:
        """The arguments are those of `make_page`. All attributes are values of the template."""
        self.game = game
        self.raw = raw
        self.language = language
        self.say, self.script = page_words(language)["page"], page_words(language)["script"]
        title = game.title
        self.drawing = title.screens.drawing
        self.names: Tables = (self.drawing.words if self.drawing else title.words.vocabulary)(language)
        shown = [plain(player) for player in game.players]
        self.seats = [
            Seat(number, name, mark, self._choose_colour(number))
            for number, (name, mark) in enumerate(zip(shown, short_names(shown), strict=True), 1)
        ]
        self.scores = game.scores()
        self.parts = [game.sum_score_parts(seat.seat) for seat in self.seats]
        self.assumed_causes = [game.find_assumed_parts(seat.seat) for seat in self.seats]
        self.totals = [standing.total for standing in game.list_standings(len(game.events))]
        steps = Steps(game, self.say, remarks, language)
        self.recorded = steps.recorded_steps()
        self.standing = list(steps.standing_steps(self.recorded))
        ids = {step.name for step in self.standing}
        lost_remarks = [remark for name, notes in steps.remarks.items() if name not in ids for remark in notes]
        all_notes = chain.from_iterable(step.notes for step in self.standing)
        self.remarks = [*(note for note in all_notes if isinstance(note, RemarkNote)), *lost_remarks]
        self.variations = list(self._make_variation_data())
        self.findings = [steps.finding_note(finding) for finding in game.findings]

    def render(self) -> str:
        """The page, with the title's own drawing of the board if it has one."""
        drawing = self.drawing
        board = drawing.template() if drawing else _read_package_text("board.html")
        draw = drawing.script() if drawing else _read_package_text("board.js")
        script = f'"use strict";\n{draw}\n{_read_package_text("page.js")}'
        style = seat_style() + _read_package_text("page.css") + (drawing.style() if drawing else "")
        return _load_template(board).render(
            **vars(self),
            policy=security_policy(script, style),
            style=style,
            code=script,
            data=script_data(self._make_script_data()),
            word=self._word_for,
            seat_of=self._seat_of,
            names_of=lambda numbers: " · ".join(self._seat_of(number).name for number in numbers),
            result=self._describe_result(),
            ranked_scores=sorted(self.scores, key=lambda score: (score.place, score.seat)),
            unit=self._word_for("resources", self.game.title.score_resource),
            table=None if self.game.is_scores_only else _make_table_data(self.game.title, self.standing[-1]),
            rounds=[(number, self.standing[index].id) for index, number in self.game.list_rounds()],
            round_word=self.names.get("page", {}).get("round", self.say["round"]),
            paces=PACES,
            shortcuts=list(self._list_shortcuts()),
            stepped={variation["id"] for variation in self.variations},
            ids={step.name for step in self.standing},
            curve=self._make_chart_values(),
            sources=list(self._list_point_sources()),
            # what a bar of full length stands for; 1 where nobody has a point
            most=max((abs(points) for parts in self.parts for points in parts.values()), default=0) or 1,
            assumed_values=self._list_assumed_values(),
            about=list(self._list_record_facts()),
            file=f"{self.game.header.game}.jsonl",
            size=len(self.raw),
            log=b64encode(self.raw).decode(),
        )

    def _word_for(self, table: str, key: object) -> str:
        """The word for a key in a table of the title's words; the key itself where it has none."""
        return self.names.get(table, {}).get(str(key), str(key))

    def _seat_of(self, number: int) -> Seat:
        """The player of a seat; `#7` for one where nobody sits, which a corrected or damaged log may name."""
        is_known = 0 < number <= len(self.seats)
        return self.seats[number - 1] if is_known else Seat(number, f"#{number}", "?", "other")

    def _choose_colour(self, seat: int) -> str:
        """The colour that a seat chose in the game or has by the header, if the style knows it; else `other`."""
        game = self.game
        colour = find_seat_colour(game.title, game.header, game.state_at(len(game.events)), seat)
        return colour if colour in SEAT_COLOURS else "other"

    def _describe_result(self) -> str:
        """Who won, or that the game is not over."""
        game = self.game
        if not game.is_scores_only and game.title.awaits(self.standing[-1].state).kind != "over":
            return self.say["unfinished"]
        winners = [seat for seat, score in zip(self.seats, self.scores, strict=True) if score.won]
        if not winners:
            return self.say["nobody"]
        sentence = self.say["wins" if len(winners) == 1 else "share"]
        return sentence.format(names=" · ".join(seat.name for seat in winners), points=self.totals[winners[0].seat - 1])

    def _list_point_sources(self) -> Iterator[Source]:
        """The table of where the points came from, cause by cause."""
        for cause in dict.fromkeys(cause for parts in self.parts for cause in parts):
            name = self.names.get("causes", {}).get(cause) or self.say.get(f"cause_{cause}", cause)
            points = [
                (parts.get(cause, 0), cause in assumed)
                for parts, assumed in zip(self.parts, self.assumed_causes, strict=True)
            ]
            yield Source(name, self.game.title.causes.get(cause, ""), points)

    def _list_shortcuts(self) -> Iterator[tuple[Sequence[str], str]]:
        """The keys of page.js, those that go the same way back last, and the key of what they do."""
        yield ("→", "←"), "key_step"
        yield ("End", "Home"), "key_ends"
        if self.game.list_rounds():
            yield ("r", "R"), "key_round"
        if self.findings:
            yield ("f", "F"), "key_finding"
        if self.remarks:
            yield ("n", "N"), "key_note"
        yield ("p", self.say["space"]), "key_play"
        yield ("+", "−"), "key_pace"
        if self.variations:
            yield ("Esc",), "key_variation"
        yield ("?",), "key_help"

    def _make_chart_values(self) -> Mapping[str, object] | None:
        """The chart of everybody's points; None where there are no events."""
        game = self.game
        if not game.events:
            return None
        lines = []
        for index, (seat, points) in enumerate(zip(self.seats, game.list_points(), strict=True)):
            end = self.totals[seat.seat - 1] if points[-1] == self.scores[index].total else str(points[-1])
            lines.append(Line(seat.mark, seat.name, seat.colour, points, end))
        return curve_values(lines, [(index, str(number)) for index, number in game.list_rounds()])

    def _list_assumed_values(self) -> Mapping[str, Sequence[str]]:
        """The unchecked printed values that this game rests on, by component."""
        game = self.game
        components = game.used_components if game.assumed_value_count else ()
        reader = Reader(self.language, words=game.title.words.vocabulary(self.language))
        values: dict[str, list[str]] = {}
        for row in game.sheet.printed:
            if row.source == "assumed" and row.of in components:
                name = reader.title_word("values", row.what)
                values.setdefault(row.of, []).append(f"{name} ~{row.value if row.value != '' else '–'}")
        return values

    def _list_record_facts(self) -> Iterator[tuple[str, object]]:
        """Facts about the record, by the key of their label."""
        header = self.game.header
        options = {**({"edition": header.edition} if header.edition else {}), **msgspec.to_builtins(header.options)}
        yield "game", header.game
        yield "by", header.by
        yield "source", self.say[f"source_{header.source}"]
        yield "rules", f"{header.rules} {', '.join(f'{key}: {value}' for key, value in options.items())}".strip()
        invented = f", {self.say['is_invented']}" if self.game.sheet.is_invented else ""
        yield "sheet", f"{self.game.sheet.name} ({header.sheet_digest[:8]}){invented}"
        yield "lines", len(self.game.log.lines)
        yield "verdict", self.say[f"verdict_{self.game.verdict}"]

    def _make_script_data(self) -> dict[str, Json]:
        """What the script draws from, for JSON. A resource whose name is a sign stands before its amount."""
        resources = self.names.get("resources", {})
        return {
            "seats": self.seats,
            "names": {table: {key: plain(word) for key, word in words.items()} for table, words in self.names.items()},
            "signs": {what: word for what, word in resources.items() if not any(map(str.isalpha, word))},
            "say": self.script,
            "standing": self._make_step_data(self.standing),
            "recorded": self._make_step_data(self.recorded),
            "variations": self.variations,
        }

    def _make_variation_data(self) -> Iterator[_VariationData]:
        """The variations that can be stepped through: those instead of an event that stands."""
        positions = {step.name: position for position, step in enumerate(self.standing)}
        for remark in self.remarks:
            if not remark.states or positions.get(remark.step, 0) == 0:
                continue
            base = self.standing[positions[remark.step] - 1]
            steps = [
                base._replace(id=f"{remark.name}-{number}", state=state, moved=())
                for number, state in enumerate(remark.states, 1)
            ]
            _, *data = self._make_step_data([base, *steps])
            yield _VariationData(id=remark.name, base=base.id, steps=data)

    def _make_step_data(self, steps: Sequence[Step]) -> list[_StepData]:
        """The steps for the script, each with what changed: so a page holds many tables in little room."""
        # before the first step there is no table
        tables = chain((None,), (_make_table_data(self.game.title, step) for step in steps))
        return [
            _StepData(id=step.id, delta=compute_delta(before, table), moved=list(map(_make_posting_data, step.moved)))
            for step, (before, table) in zip(steps, pairwise(tables), strict=True)
        ]


def _make_posting_data(entry: Entry) -> list[int | str]:
    """A posting as page.js reads it, in this order."""
    return [entry.who, entry.what, entry.amount, entry.why, entry.number, int(entry.seen), int(entry.assumed)]


def compute_delta(old: Json, new: Json) -> Json:
    """What changes, for page.js: `[5]` for a new value, `{"1": [5]}` for deltas by key or index; None for nothing."""
    # in JSON true is not 1, though Python finds them equal
    if old == new and _encode(old) == _encode(new):
        return None
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        pairs = [(key, old[key], new[key]) for key in new]
    elif isinstance(old, _JSON_ARRAYS) and isinstance(new, _JSON_ARRAYS) and len(old) == len(new):
        pairs = [(str(index), *pair) for index, pair in enumerate(zip(old, new, strict=True))]
    else:
        return [new]
    changes = {key: change for key, before, after in pairs if (change := compute_delta(before, after)) is not None}
    return changes or None


def _make_table_data(title: AnyTitle, step: Step) -> dict[str, Json]:
    """What the board is drawn from: the view as plain data, or what everybody holds and the view's single values.

    `assumed` are the amounts, as `1-money`, that rest on printed values which nobody has checked.
    """
    view: dict[str, Json] = msgspec.to_builtins(title.screens.view(step.state), str_keys=True)
    assumed = sorted(f"{who}-{what}" for who, what in step.assumed)
    if title.screens.drawing is not None:
        return {**view, "assumed": assumed}
    mats: dict[str, dict[str, int]] = {}
    for holding in title.held(step.state):
        # 0 is the table
        if holding.who:
            mats.setdefault(str(holding.who), {})[holding.what] = holding.n
    shown = {name: value for name, value in view.items() if not isinstance(value, (dict, *_JSON_ARRAYS))}
    return {"mats": mats, "shown": shown, "assumed": assumed}

"""A game as one HTML file that needs nothing else: no network, no server, no other file. The log itself is in it.

What is told in words, and the table after the last event, is plain HTML and stays readable without scripts; a script
draws the table after any event from the deltas that travel along. Every text of the log goes through `as_html`, or as
JSON into the script's data.
"""

from __future__ import annotations

import tomllib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from string import Template
from typing import Any, NamedTuple

import msgspec

from spyrium_log.audit import Finding, audited
from spyrium_log.edit.annotate import Remark, variation
from spyrium_log.errors import ExchangeError, SpyriumLogError
from spyrium_log.exchange import curve
from spyrium_log.exchange.delta import delta
from spyrium_log.exchange.drawers import Drawer, Words, drawer_of
from spyrium_log.exchange.markup import as_html
from spyrium_log.exchange.still import Seat, Still, el
from spyrium_log.ledger import Entry
from spyrium_log.messages import Reader, comparison
from spyrium_log.replay import Replay, told_by, written
from spyrium_log.shown import marks, plain
from spyrium_log.title import seat_of

# Who opens a page wants to look at a game: a log of more lines is none that was played.
MOST_LINES = 5_000
COLOURS = frozenset(("blue", "red", "yellow", "green", "black", "white", "grey", "brown", "purple", "orange", "pink"))
POINTS = "points"


class Step(NamedTuple):
    """One line of the list of moves, and the table after it. `notes` are ready HTML."""

    id: str
    name: str
    seat: int
    kind: str
    sentence: str
    state: Any
    moved: Sequence[Entry]
    notes: Sequence[str]


def page(done: Replay, raw: bytes, *, remarks: Sequence[Remark] = (), language: str = "en") -> bytes:
    """The page of a game that was audited; `raw` are the bytes of its log, which the page gives back."""
    if len(done.log.lines) > MOST_LINES:
        raise ExchangeError(
            f"expected at most {MOST_LINES} lines for one page, found {len(done.log.lines)}, at {done.log.file}"
        )
    return _Page(done, raw, remarks, language).html().encode()


def page_words(language: str) -> Mapping[str, str]:
    """What the page itself says; editions of one language share it, and others read English."""
    known = _all_words()
    return {**known["en"], **known.get(language.partition("-")[0], {})}


@cache
def _all_words() -> dict[str, dict[str, str]]:
    return tomllib.loads(_file("words.toml"))


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _json(value: Any) -> str:
    """JSON that ends no script element and opens no comment, whatever it says."""
    said = msgspec.json.encode(value).decode()
    for sign in ("<", ">", "&", "\u2028", "\u2029"):
        said = said.replace(sign, f"\\u{ord(sign):04x}")
    return said


def hash_of(text: str) -> str:
    """As a Content-Security-Policy names what it lets in."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class _Page:
    """One page while it is made."""

    def __init__(self, done: Replay, raw: bytes, remarks: Sequence[Remark], language: str) -> None:
        self.done = done
        self.raw = raw
        self.language = language
        self.say = page_words(language)
        self.drawer: Drawer = drawer_of(done.title.key)
        self.names: Words = self.drawer.words(done.title, language)
        shown = [plain(player) for player in done.players]
        self.seats = [
            Seat(number, name, mark, at.colour if at.colour in COLOURS else "other")
            for number, (name, mark, at) in enumerate(zip(shown, marks(shown), done.header.seats, strict=True), 1)
        ]
        self.scores = done.scores()
        self.parts = [done.score_parts(seat.seat) for seat in self.seats]
        self.assumed = [self.drawer.assumed(done, seat.seat) for seat in self.seats]
        self.is_over = done.is_scores_only or done.title.awaits(done.state_at(len(done.events))).kind == "over"
        self.remarks: dict[str, list[Remark]] = defaultdict(list)
        for remark in remarks:
            self.remarks[remark.on].append(remark)
        self.as_recorded = self._recorded()
        self.steps = list(self._standing())
        self.ids = {step.name for step in self.steps}

    # --- the steps ---------------------------------------------------------------------------

    def _standing(self) -> Iterator[Step]:
        """The events as they stand, the table before them all first."""
        done, title = self.done, self.done.title
        findings: dict[str, list[Finding]] = defaultdict(list)
        for finding in done.findings:
            findings[finding.ref].append(finding)
        moved: dict[str, list[Entry]] = defaultdict(list)
        for entry in done.ledger:
            moved[entry.ref].append(entry)
        first = {step.name: step.sentence for step in self.as_recorded}
        yield Step("e0", "0", 0, "start", self.say["start"], done.state_at(0), (), list(self._remarks("0")))
        for index, (event, sentence) in enumerate(done.sentences(self.language), 1):
            name = done.name_of(event)
            notes = [self._finding(finding) for finding in findings[name]]
            if told := told_by(event):
                was = first.get(name, "")
                text = self.say["told_by"].format(line=told) if was == sentence else self.say["was"].format(was=was)
                if name != str(event.n):
                    text = self.say["inserted"].format(line=told)
                notes.append(f'<p class="was"><a href="#r{told}">↺ {as_html(text)}</a></p>')
            notes += self._remarks(name)
            kind = title.tables.verb(event.do)
            seat = seat_of(event.do)
            state = done.state_at(index)
            yield Step(f"e{name}", name, seat, kind, plain(sentence), state, moved[name], notes)

    def _recorded(self) -> list[Step]:
        """The lines as they were written; none where nothing was ever taken back or told otherwise."""
        done, title = self.done, self.done.title
        tags = {str(type(line).__struct_config__.tag) for line in done.log.lines}
        if not tags & {"undo", "amendment"}:
            return []
        now = {done.name_of(event): event for event in done.events}
        told = {done.name_of(event): plain(sentence) for event, sentence in done.sentences(self.language)}
        steps = [Step("r0", "0", 0, "start", self.say["start"], done.state_at(0), (), ())]
        for each in written(done):
            line, before, after = each.line, each.before, each.after
            tag, name = str(type(line).__struct_config__.tag), str(line.n)
            seat, kind, notes = 0, tag, []
            act = getattr(line, "do", None)
            if act is not None:
                event: Any = line
                sentence = title.words.describe(before, act, event.moved, event.facts, done.players, self.language)
                seat, kind = seat_of(act), title.tables.verb(act)
                notes = [self._finding(finding) for finding in audited(title, before, event)]
                if name not in now:
                    notes.append(f'<p class="was">↺ {as_html(self.say["gone"])}</p>')
                elif told_by(now[name]):
                    notes.append(f'<p class="was"><a href="#e{name}">↺ {as_html(self.say["told_otherwise"])}</a></p>')
            else:
                sentence = self._correction(tag, line)
                notes = [f'<p class="was">{text}</p>' for text in self._edits(line, told, steps)]
            steps.append(Step(f"r{name}", name, seat, kind, plain(sentence), after, (), notes))
        return steps

    def _correction(self, tag: str, line: Any) -> str:
        """A line that is no event, in words."""
        say = self.say
        why = getattr(line, "why", None)
        fields = {"to": getattr(line, "to", ""), "line": getattr(line, "line", ""), "by": line.by}
        mode = getattr(line, "mode", "")
        sentence = say[f"line_{mode}" if mode else f"line_{tag}"].format(**fields)
        return f"{sentence}: {why}" if why else sentence

    def _edits(self, line: Any, told: Mapping[str, str], steps: Sequence[Step]) -> Iterator[str]:
        """What an amendment makes of which events."""
        before = {step.name: step.sentence for step in steps}
        inserted = 0
        for edit in getattr(line, "edits", ()):
            tag, name = str(type(edit).__struct_config__.tag), edit.at
            if tag == "insert_after":
                inserted += 1
                name = f"{line.n}.{inserted}"
            now = told.get(name, "")
            if tag != "drop" and now:
                text = f'<a href="#e{name}">{as_html(self.say[tag].format(at=edit.at, name=name))}</a>: {as_html(now)}'
            else:
                text = as_html(self.say[tag].format(at=edit.at, name=name))
            yield text + (f" <del>{as_html(before[name])}</del>" if name in before else "")
        if effects := getattr(line, "effects", ()):
            yield as_html(self.say["rederived"].format(n=len(effects)))

    # --- what is said beside a move ------------------------------------------------------------

    def _finding(self, finding: Finding) -> str:
        say = self.say
        status = say["on_sheet"] if finding.on == "sheet" and finding.status == "open" else say[finding.status]
        vocabulary = self.done.title.words.vocabulary(self.language)
        said = comparison(finding.expected, finding.found, Reader(self.language, self.done.players, vocabulary))
        number = f" {as_html(finding.number)}" if finding.number else ""
        shown = "open" if finding.is_open else "settled"
        return (
            f'<p class="finding {shown}"><b>⚠ {as_html(finding.rule)}{number}</b> '
            f'<span class="status">{as_html(status)}</span> {as_html(said)}</p>'
        )

    def _remarks(self, name: str) -> Iterator[str]:
        for remark in self.remarks.pop(name, ()):
            yield self._remark(remark)

    def _remark(self, remark: Remark) -> str:
        mark = f'<b class="mark">{as_html(remark.mark)}</b> ' if remark.mark else ""
        text = "<br>".join(as_html(line) for line in remark.text.split("\n"))
        tags = "".join(f' <span class="tag">#{as_html(tag)}</span>' for tag in remark.tags)
        moved = (
            ""
            if remark.anchor == "stands"
            else f' <i class="status">{as_html(self.say[f"anchor_{remark.anchor}"])}</i>'
        )
        instead = "".join(f"<li>{as_html(line)}</li>" for line in self._variation(remark))
        instead = f'<span class="status">{as_html(self.say["variation"])}</span><ol>{instead}</ol>' if instead else ""
        by = f"<cite>— <bdi>{as_html(remark.by)}</bdi></cite>"
        return f'<div class="remark">✎ {mark}{text}{tags} {by}{moved}{instead}</div>'

    def _variation(self, remark: Remark) -> Sequence[str]:
        """As sentences, as far as the game allows what was noted; else as it was typed."""
        try:
            told = variation(self.done.log, remark.on, remark.variation, self.language)
        except SpyriumLogError:
            return remark.variation
        return [sentence for _, sentence in told]

    # --- the page ------------------------------------------------------------------------------

    def html(self) -> str:
        style = _file("page.css")
        script = f'"use strict";\n{_file(self.drawer.script)}\n{_file("page.js")}'
        policy = (
            f"default-src 'none'; script-src {hash_of(script)}; style-src {hash_of(style)}; img-src data:; "
            "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
        )
        header, digest = self.done.header, self.done.log.last_digest
        when = " · ".join(as_html(part) for part in (header.played, header.place) if part)
        said = {f"say_{key}": as_html(text) for key, text in self.say.items()}
        return Template(_file("page.html")).substitute(
            said,
            policy=as_html(policy),
            style=style,
            script=script,
            language=as_html(self.language),
            title=as_html(f"{self.done.title.name}: {', '.join(seat.name for seat in self.seats)}"),
            name=as_html(self.done.title.name),
            when=f'<p class="when">{when}</p>' if when else "",
            result=as_html(self._result()),
            scores="".join(self._scores()),
            still=self._still(),
            rounds=self._rounds(),
            moves="".join(map(self._move, self.steps)),
            recorded=self._history(),
            curve=self._curve(),
            parts=self._sources(),
            findings=self._findings(),
            remarks=self._notes(),
            assumed=self._assumed(),
            about="".join(self._about()),
            digest=as_html(digest),
            size=len(self.raw),
            file=as_html(f"{header.game}.jsonl"),
            log=b64encode(self.raw).decode(),
            data=_json(self._data()),
        )

    def _still(self) -> str:
        """The table after the last event, without scripts; nobody knows what lay there beside an old score sheet."""
        if self.done.is_scores_only:
            return ""
        assumed = [self._counts_assumed(at) for at in range(len(self.seats))]
        names = {part: {key: plain(word) for key, word in said.items()} for part, said in self.names.items()}
        drawn = self.drawer.board(
            Still(self.seats, names, self.say, assumed), self.drawer.seen(self.done.title, self.steps[-1].state)
        )
        title = el("h2", "", self.say["last_table"], id="still-title")
        return el("section", "still", title, drawn, aria_labelledby="still-title")

    def _pawn(self, seat: int) -> str:
        """Whose it is: a mark in a piece of the colour. Nobody's where nobody sits."""
        if not 0 < seat <= len(self.seats):
            return '<span class="pawn none" aria-hidden="true"></span>'
        at = self.seats[seat - 1]
        return f'<span class="pawn c-{at.colour}" aria-hidden="true">{as_html(at.mark)}</span>'

    def _move(self, step: Step) -> str:
        number = "" if step.kind == "start" else as_html(step.name)
        return (
            f'<li id="{step.id}" class="move k-{step.kind}"><a href="#{step.id}"><span class="n">{number}</span>'
            f'{self._pawn(step.seat)}<span class="say">{as_html(step.sentence)}</span></a>{"".join(step.notes)}</li>'
        )

    def _result(self) -> str:
        """Who won, or how it stands."""
        best = [seat.name for seat, score in zip(self.seats, self.scores, strict=True) if score.place == 1]
        if not self.is_over:
            return self.say["unfinished"]
        points = self._total(next(at for at, score in enumerate(self.scores) if score.place == 1))
        return self.say["wins" if len(best) == 1 else "share"].format(names=" · ".join(best), points=points)

    def _total(self, at: int) -> str:
        """With the mark of what is assumed where any part of it is."""
        is_assumed = any(self.parts[at].get(part) for part in self.assumed[at])
        return f"{'~' if is_assumed else ''}{self.scores[at].total}"

    def _scores(self) -> Iterator[str]:
        for at in sorted(range(len(self.seats)), key=lambda at: (self.scores[at].place, at)):
            seat, place = self.seats[at], self.scores[at].place
            yield (
                f'<li class="place-{min(place, 4)}"><span class="place">{place}.</span>{self._pawn(seat.seat)}'
                f'<bdi class="player">{as_html(seat.name)}</bdi> <b class="total">{as_html(self._total(at))}</b> '
                f'<span class="unit">{as_html(self._resource(POINTS))}</span></li>'
            )

    def _counts_assumed(self, at: int) -> bool:
        """Whether the final count gave the seat points that are assumed: its points on the table are, then."""
        return any(one.who == at + 1 and one.why in self.assumed[at] for one in self.done.ledger)

    def _resource(self, what: str) -> str:
        return self.names.get("resources", {}).get(what, what)

    def _deals(self) -> Iterator[tuple[int, str, str]]:
        """Which steps begin a round: its place, what it is called, its step."""
        rounds = 0
        for at, (step, event) in enumerate(zip(self.steps[1:], self.done.events, strict=True), 1):
            if step.kind == "deal":
                rounds = getattr(event.do, "round", rounds + 1)
                yield at, str(rounds), step.id

    def _rounds(self) -> str:
        say = self.say
        links = "".join(
            f'<li><a href="#{id_}" aria-label="{as_html(say["round"].format(round=name))}">{as_html(name)}</a></li>'
            for _, name, id_ in self._deals()
        )
        label = as_html(say["rounds"])
        return f'<nav class="rounds" aria-label="{label}"><span>{label}</span><ol>{links}</ol></nav>' if links else ""

    def _history(self) -> str:
        """The lines as they were written, where they tell another evening than the one that stands."""
        if not self.as_recorded:
            return ""
        title, items = as_html(self.say["as_recorded"]), "".join(map(self._move, self.as_recorded))
        return (
            f'<h3 id="recorded-title">{title}</h3><ol id="recorded" class="moves" aria-labelledby="recorded-title">'
            f"{items}</ol>"
        )

    def _curve(self) -> str:
        title = self.done.title
        if not self.done.events:
            return ""
        scores = [title.score(step.state) for step in self.steps]
        lines = []
        for at, seat in enumerate(self.seats):
            points = [score[at].points for score in scores]
            end = self._total(at) if points[-1] == self.scores[at].total else str(points[-1])
            lines.append(curve.Line(seat.mark, seat.name, seat.colour, points, end))
        rounds = [(at, name) for at, name, _ in self._deals()]
        said = self.say["curve"]
        drawn = f'{curve.curve(lines, rounds, said)}<ul class="legend">{"".join(curve.legend(lines))}</ul>'
        return f'<section id="curve"><h2>{as_html(said)}</h2>{drawn}</section>'

    def _sources(self) -> str:
        """A row a cause, a column a seat, and under each number its bar."""
        causes = list(dict.fromkeys(why for parts in self.parts for why in parts))
        most = max((abs(points) for parts in self.parts for points in parts.values()), default=0) or 1
        heads = "".join(
            f'<th scope="col">{self._pawn(seat.seat)} <bdi>{as_html(seat.name)}</bdi></th>' for seat in self.seats
        )
        rows = []
        for why in causes:
            number = self.done.title.causes.get(why, "")
            cells = "".join(self._source(at, why, most) for at in range(len(self.seats)))
            rule = f'<span class="rule">{as_html(number)}</span>'
            rows.append(f'<tr><th scope="row">{as_html(self._cause(why))} {rule}</th>{cells}</tr>')
        totals = "".join(f"<td><b>{as_html(self._total(at))}</b></td>" for at in range(len(self.seats)))
        return (
            f'<table class="parts"><thead><tr><td></td>{heads}</tr></thead><tbody>{"".join(rows)}</tbody>'
            f'<tfoot><tr><th scope="row">{as_html(self.say["total"])}</th>{totals}</tr></tfoot></table>'
        )

    def _source(self, at: int, why: str, most: int) -> str:
        points = self.parts[at].get(why, 0)
        if not points:
            return '<td class="zero">–</td>'
        share = f"{100 * abs(points) / most:.0f}%"
        bar = f'<svg class="bar c-{self.seats[at].colour}" aria-hidden="true"><rect width="{share}" height="8"/></svg>'
        return f"<td>{'~' if why in self.assumed[at] else ''}{points}{bar}</td>"

    def _cause(self, why: str) -> str:
        return self.names.get("causes", {}).get(why) or self.say.get(f"cause_{why}", why)

    def _findings(self) -> str:
        found = self.done.findings
        items = "".join(f"<li>{self._link(finding.ref)}{self._finding(finding)}</li>" for finding in found)
        complaint = self.done.complaint
        damaged = f'<p class="finding open"><b>⚠</b> {as_html(complaint)}</p>' if complaint is not None else ""
        return damaged + (f'<ul class="list">{items}</ul>' if items else f"<p>{as_html(self.say['no_findings'])}</p>")

    def _link(self, name: str) -> str:
        label = as_html(self.say["move"].format(n=name))
        return (
            f'<a class="at" href="#e{as_html(name)}">{label}</a>'
            if name in self.ids
            else f'<span class="at">{label}</span>'
        )

    def _notes(self) -> str:
        """Notes stand beside their moves; here is where they are, and those whose move is gone."""
        items = [
            f"<li>{self._link(step.name)} {note}</li>"
            for step in self.steps
            for note in step.notes
            if note.startswith('<div class="remark"')
        ]
        items += [
            f"<li>{self._link(name)} {self._remark(remark)}</li>"
            for name, some in self.remarks.items()
            for remark in some
        ]
        if not items:
            return ""
        return (
            f'<section id="notes"><h2>{as_html(self.say["notes"])}</h2><ul class="list">{"".join(items)}</ul></section>'
        )

    def _assumed(self) -> str:
        """What the game rests on and nobody has checked, component by component."""
        done = self.done
        if not done.assumed:
            return f"<p>{as_html(self.say['nothing_assumed'])}</p>"
        components = done.rests_on
        rows: dict[str, list[str]] = defaultdict(list)
        for row in done.sheet.printed:
            if row.source == "assumed" and row.of in components:
                rows[row.of].append(f"{row.what} ~{row.value if row.value != '' else '–'}")
        cards = self.names.get("cards", {})
        items = "".join(
            f"<li><b>{as_html(cards.get(of, of))}</b> {as_html(', '.join(said))}</li>" for of, said in rows.items()
        )
        return (
            f"<p>{as_html(self.say['assumed'].format(n=done.assumed))}</p>"
            f'<details><summary>{as_html(self.say["assumed_list"])}</summary><ul class="values">{items}</ul></details>'
        )

    def _about(self) -> Iterator[str]:
        """Whose record this is, of what."""
        header = self.done.header
        options = {**({"edition": header.edition} if header.edition else {}), **msgspec.to_builtins(header.options)}
        said = (
            ("game", header.game),
            ("by", header.by),
            ("source", self.say[f"source_{header.source}"]),
            ("rules", f"{header.rules} {', '.join(f'{key}: {value}' for key, value in options.items())}".strip()),
            ("sheet", f"{self.done.sheet.name} ({header.sheet_digest[:8]})"),
            ("lines", len(self.done.log.lines)),
            ("verdict", self.say[f"verdict_{self.done.verdict}"]),
        )
        for key, value in said:
            yield f"<div><dt>{as_html(self.say[key])}</dt><dd>{as_html(value)}</dd></div>"

    def _data(self) -> dict[str, Any]:
        """What the script draws from."""
        return {
            "seats": self.seats,
            "assumed": [self._counts_assumed(at) for at in range(len(self.seats))],
            "names": {part: {key: plain(word) for key, word in said.items()} for part, said in self.names.items()},
            "say": {key: text for key, text in self.say.items() if key.startswith("js_")},
            "standing": self._told(self.steps),
            "recorded": self._told(self.as_recorded),
        }

    def _told(self, steps: Iterable[Step]) -> list[dict[str, Any]]:
        told = []
        before: Any = None
        for step in steps:
            seen = self.drawer.seen(self.done.title, step.state)
            moved = [[one.who, one.what, one.amount, one.why, one.number, int(one.seen)] for one in step.moved]
            told.append({"id": step.id, "delta": delta(before, seen), "moved": moved})
            before = seen
        return told

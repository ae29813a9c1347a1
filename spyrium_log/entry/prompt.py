"""The prompt: keys in, choices and preview out; Enter takes what is highlighted.

It decides nothing. Legal moves, breaches and effects come from the title, the text stays until what it says is on the
disk, and whoever writes it says so (`settled`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.entry import requests, shortcuts
from spyrium_log.entry.keys import Keys
from spyrium_log.entry.requests import Acceptance, Act, Note, Reading, Request, Ruling, Undo
from spyrium_log.errors import Breach, NotationError
from spyrium_log.log.timeline import ref_of, timeline
from spyrium_log.messages import Reader, comparison
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.title import Counted, Dealing, Effects, FinalCount, Resynced
from spyrium_log.transcript.span import whole

ANYWAY = "!"
LONGEST = 500
# as many events as are listed one by one when they go or come back
LISTED = 4


class Choice(NamedTuple):
    """Something that may be typed now: an act by its keys, or what goes on by `name`; `text` is the whole line then."""

    keys: str
    act: Any = None
    name: str = ""
    text: str = ""


class Change(NamedTuple):
    """What somebody has before and after."""

    seat: int
    what: str
    before: int
    after: int


class Shown(Struct, frozen=True, kw_only=True):
    """All that a screen draws: what is asked, what may be typed, which of it Enter takes (`at`), and what that does.

    What is `selected` has just been refused: the next character takes its place, Backspace goes on with it.
    """

    text: str
    asked: str
    choices: Sequence[Choice] = ()
    at: int | None = None
    said: Sequence[str] = ()
    request: Request | None = None
    against: Sequence[Breach] = ()
    refused: bool = False
    selected: bool = False
    message: str = ""


class Prompt:
    """One line being typed over a play. `by` is who says what nobody else is named for."""

    def __init__(self, play: Play, *, by: str = "scribe", language: str = "en") -> None:
        self.play = play
        self.by = by
        self.language = language
        self.settled()

    def settled(self, text: str = "") -> None:
        """The table is another one now: what was typed is on the disk, or somebody else wrote."""
        title, state = self.play.title, self.play.state
        self.awaited = self.play.awaits()
        final = [FinalCount()] if self.awaited.kind == "final" else []
        self.keys = Keys(title, state, [*title.legal(state), *final])
        self._notation = {title.words.write(state, way.act): way.act for way in self.keys.ways}
        self._spelled: dict[int, str] = {}
        self._set(text)

    @property
    def players(self) -> list[str]:
        return [seat.player for seat in self.play.header.seats]

    # --- keys --------------------------------------------------------------------------------

    def press(self, key: str) -> Request | None:
        """One key: a character, or a name such as `enter`. A request comes back when something is to be written."""
        if key == ANYWAY and self._refused is not None:
            return replace(self._refused, anyway=True)
        if key == "enter":
            return self._enter()
        if key in ("up", "down"):
            self._move(1 if key == "down" else -1)
        elif key == "tab":
            self._complete()
        elif key == "backspace":
            self._set(self.text[:-1])
        elif key == "escape":
            self._set("")
        elif len(key) == 1 and key.isprintable() and len(self.text) < LONGEST:
            self._set(key if self._selected else self.text + key)
        return None

    def say(self, text: str) -> Request | None:
        """A whole line at once, and Enter; with a `!` behind it the table did it, whatever the rules say.

        An empty line is Enter alone, on what stands there; a `!` alone answers a refusal.
        """
        line = text.rstrip()
        if not line or (line.strip() == ANYWAY and self._refused is not None):
            return self.press(line.strip() or "enter")
        # behind a reason it belongs to the reason
        anyway = line.endswith(ANYWAY) and "/" not in line and not shortcuts.is_shortcut(line.lstrip())
        self._set(line.removesuffix(ANYWAY)[:LONGEST] if anyway else line[:LONGEST])
        request = self._enter()
        return request if request is not None or not anyway else self.press(ANYWAY)

    def complain(self, message: str) -> None:
        """It could not be written: say so, and keep what was typed."""
        self._message = message

    def _set(self, text: str) -> None:
        self.text = text
        self._at: int | None = None
        self._message = ""
        self._refused: Act | None = None
        self._selected = False
        self._shown = self._look()

    def _move(self, by: int) -> None:
        many = len(self._shown.choices)
        if many:
            at = self.shown().at
            self._at = (at + by) % many if at is not None else 0 if by > 0 else many - 1
            self._refused = None
            self._selected = False
            self._message = ""

    def _complete(self) -> None:
        """The rest of the highlighted keys, or of the only ones there are."""
        shown = self.shown()
        at = shown.at if shown.at is not None else 0 if len(shown.choices) == 1 else None
        if at is not None:
            self._take_code(shown.choices[at])

    def _take_code(self, choice: Choice) -> None:
        self._set(choice.text or choice.keys)

    def _enter(self) -> Request | None:
        shown = self.shown()
        if shown.request is None:
            if self._at is not None and shown.choices[self._at].act is None:
                self._take_code(shown.choices[self._at])
            elif not shown.message:
                self._message = f"expected {shown.asked}" if shown.asked else "expected a move"
            else:
                self._selected = self._is_short()
            return None
        if isinstance(shown.request, Act) and any(breach.on == "record" for breach in shown.against):
            self._refused = shown.request
            self._selected = self._is_short()
            return None
        return shown.request

    def _is_short(self) -> bool:
        """Whether what was refused is a move: typed anew sooner than mended. A deal or a saying is mended."""
        text = self.text.strip()
        return self.awaited.kind != "deal" and not shortcuts.is_begun(text) and not any(mark in text for mark in "/=")

    # --- what is shown -----------------------------------------------------------------------

    def shown(self) -> Shown:
        shown = self._shown
        if self._at is not None:
            act = shown.choices[self._at].act
            shown = replace(shown, at=self._at, request=None if act is None else Act(act=act), against=())
        if self._message:
            shown = replace(shown, message=self._message)
        return replace(shown, refused=self._refused is not None, selected=self._selected)

    def _look(self) -> Shown:
        """What the text means now."""
        text = self.text.strip()
        if text == shortcuts.ASK and self.awaited.kind != "deal":
            return Shown(text=self.text, asked="what to say", choices=self._hinted())
        try:
            if shortcuts.is_shortcut(self.text.lstrip()):
                request = shortcuts.read(self.play, self.text.lstrip(), self.by)
                return Shown(text=self.text, asked="", request=request, choices=self._matching(text).choices)
            if text.startswith("=") or ("=" in text and text.rpartition("=")[2].strip().isdigit()):
                return self._reading(text)
            if "/" in text:
                return self._otherwise(text)
            return self._act(text)
        except NotationError as error:
            return Shown(text=self.text, asked=self._asked(), message=error.message, choices=self._hinted())

    def _hinted(self) -> list[Choice]:
        """What half of a saying may go on with."""
        hints = shortcuts.hints(self.play, self.text.lstrip(), deal=self.awaited.kind == "deal")
        return [Choice(hint.keys, None, hint.what, hint.text) for hint in hints]

    def _unread(self, error: NotationError) -> Shown:
        """What the notation says against it, and the choices that begin as it does."""
        text = self.text.strip()
        if hinted := self._hinted():
            return Shown(text=self.text, asked=self._asked(), message=error.message, choices=hinted)
        choices = self._begun(text)
        if meant := self._turned(text):
            message = f"no legal move begins with '{text}': did you mean '{meant}'?"
            return Shown(text=self.text, asked=self._asked(), message=message, choices=choices)
        short = f"no legal move begins with '{text}'; " if choices else ""
        return Shown(text=self.text, asked=self._asked(), message=short + error.message, choices=choices)

    def _begun(self, text: str) -> Sequence[Choice]:
        """The choices that begin as the text does."""
        begun = next((text[:n] for n in range(len(text), 0, -1) if self.keys.matching(text[:n]).acts), "")
        return self._matching(begun).choices if begun else ()

    def _turned(self, text: str) -> str:
        """The keys that were meant by the same ones in another order."""
        keys = (choice.keys for choice in self._matching("").choices)
        return next((each for each in keys if sorted(each) == sorted(text)), "")

    def _asked(self) -> str:
        return {
            "decision": "a move",
            "choice": "the choice",
            "deal": "a deal",
            "final": "the final count",
            "over": "nothing more, the game is over",
        }[self.awaited.kind]

    def _reading(self, text: str) -> Shown:
        before, _, after = text.rpartition("=") if not text.startswith("=") else ("", "=", text[1:])
        act = self._meant(before.strip()) if before else None
        return Shown(text=self.text, asked="", request=shortcuts.reading(self.play, whole(after), act))

    def _otherwise(self, text: str) -> Shown:
        before, _, after = text.partition("/")
        if not before.strip():
            return Shown(text=self.text, asked="", request=shortcuts.adjusted(self.play, whole(after), self.by))
        act = self._meant(before.strip())
        request = Act(act=act, extra=shortcuts.otherwise(self.play, act, whole(after), self.by))
        return Shown(text=self.text, asked="", request=request, against=self._against(act))

    def _meant(self, text: str) -> Any:
        """The act that goes before a saying."""
        request = self._act(text).request
        if not isinstance(request, Act):
            raise NotationError(f"expected a move, found '{text}'", text, 1)
        return request.act

    def _act(self, text: str) -> Shown:
        if text in self._notation:
            return self._taking([self._notation[text]], "")
        if self.awaited.kind == "deal" and not text.startswith(("deal", "@")):
            return self._deal(text)
        if not text:
            act = self.keys.obvious()
            shown = self._matching("")
            at = next((at for at, choice in enumerate(shown.choices) if choice.act == act), None)
            return replace(shown, asked=self._asked(), at=at, request=None if act is None else Act(act=act))
        found = self.keys.matching(text)
        if found.acts:
            return self._taking(found.acts, found.asked)
        if unseen := self._naming(text):
            return unseen
        begun = [act for notation, act in self._notation.items() if notation.startswith(text)]
        if begun:
            return self._taking(begun, "" if len(begun) == 1 else "the rest of the move")
        try:
            act = self.play.parse(text)
        except NotationError as error:
            return self._tried(text) or self._unread(error)
        return Shown(
            text=self.text, asked="", request=Act(act=act), against=self._against(act), choices=self._near(act)
        )

    def _naming(self, text: str) -> Shown | None:
        """A move that says what an unseen component is."""
        code = text.partition("=")[2]
        shorthand = self.play.title.recorder
        if code not in shorthand.codes:
            return None
        keys = Keys(self.play.title, self.play.state, shorthand.naming(self.play.state, shorthand.codes[code]))
        found = keys.matching(text)
        if not found.likeliest:
            return None
        act = found.likeliest
        return Shown(text=self.text, asked="", request=Act(act=act), against=self._against(act))

    def _tried(self, text: str) -> Shown | None:
        """A move that the keys say and the rules refuse: then they say why, and it may be recorded all the same."""
        title, state = self.play.title, self.play.state
        act = Keys(title, state, title.recorder.tried(state)).matching(text).likeliest
        if act is None:
            return None
        choices = self._begun(text) or self._near(act)
        return Shown(text=self.text, asked="", request=Act(act=act), against=self._against(act), choices=choices)

    def _taking(self, acts: Sequence[Any], asked: str) -> Shown:
        choices = [self._choice(act) for act in acts]
        if asked:
            return Shown(text=self.text, asked=asked, choices=choices)
        request = Act(act=acts[0])
        return Shown(text=self.text, asked="", choices=choices, at=0, request=request, against=self._against(acts[0]))

    def _matching(self, text: str) -> Shown:
        acts = self.keys.matching(text).acts
        return Shown(text=self.text, asked=self._asked(), choices=[self._choice(act) for act in acts])

    def _choice(self, act: Any) -> Choice:
        keys = self._spelled.get(id(act))
        if keys is None:
            keys = self._spelled[id(act)] = self.keys.spelled(act)
        return Choice(keys, act)

    def _near(self, act: Any) -> list[Choice]:
        near = self.play.title.recorder.nearest(self.play.state, act)
        return [Choice(self.play.notation(other), other) for other in near]

    def _deal(self, text: str) -> Shown:
        shorthand, state = self.play.title.recorder, self.play.state
        try:
            dealing: Dealing = shorthand.deal(state, text, self.language)
        except NotationError as error:
            return self._undealt(text, error)
        choices = self._codes(dealing)
        if dealing.act is None:
            return Shown(text=self.text, asked=dealing.asked, choices=choices, said=dealing.said)
        against = self._against(dealing.act)
        request = Act(act=dealing.act)
        return Shown(text=self.text, asked="", choices=choices, said=dealing.said, request=request, against=against)

    def _undealt(self, text: str, error: NotationError) -> Shown:
        """What speaks against the deal, and what could come where it is still one."""
        if hinted := self._hinted():
            return Shown(text=self.text, asked=self._asked(), message=error.message, choices=hinted)
        for many in range(min(len(text), error.column) - 1, -1, -1):
            try:
                dealing = self.play.title.recorder.deal(self.play.state, text[:many], self.language)
            except NotationError:
                continue
            choices = self._codes(dealing, text[:many])
            return Shown(text=self.text, asked=dealing.asked, choices=choices, said=dealing.said, message=error.message)
        raise error

    def _codes(self, dealing: Dealing, text: str | None = None) -> list[Choice]:
        """What may come next, each with the line as it would be then."""
        line = (self.text.rstrip() if text is None else text).removesuffix(dealing.begun)
        return [Choice(code, None, name, line + code) for code, name in dealing.codes]

    def _against(self, act: Any) -> Sequence[Breach]:
        return self.play.title.breaches(self.play.state, act)

    # --- what it would do --------------------------------------------------------------------

    def sentence(self, request: Request) -> str:
        """What would be written, in words."""
        if isinstance(request, Act):
            if isinstance(request.act, Counted):
                many = len(request.act.held)
                return f"{many} number{'' if many == 1 else 's'} counted: {self._compared(request.act)}"
            return self.told(request.act, request.extra)
        if isinstance(request, Undo):
            gone, back = self.turned(request)
            return "; ".join([*_listed("takes back", gone), *_listed("brings back", back)]) or "takes back nothing"
        if isinstance(request, Acceptance):
            finding = request.finding
            number = f" ({finding.number})" if finding.number else ""
            about = comparison(finding.expected, finding.found, Reader(names=self.players, minus="-"))
            return f"{finding.ref} stands, says {request.who}: {request.why}; {finding.rule}{number}: {about}"
        if isinstance(request, Ruling):
            return self._ruled(request)
        if isinstance(request, Reading):
            rows = {(row.of, row.what): row for row in replay(self.play.log, audit=False).sheet.printed}
            row = rows.get((request.of, request.what))
            before = f", not {row.value} ({row.source})" if row and row.value != request.value else ""
            return f"{request.what} of {request.of} is printed as {request.value}{before}"
        return self._noted(request)

    def _compared(self, counted: Counted[str]) -> str:
        """Where the count and the record differ."""
        held = {(has.who, has.what): has.n for has in self.play.title.held(self.play.state)}
        other = [
            f"{self.players[said.who - 1]} {said.what} {self.amount(said.what, said.n)} counted, "
            f"{self.amount(said.what, has)} recorded"
            for said in counted.held
            if (has := held.get((said.who, said.what), 0)) != said.n
        ]
        return "; ".join(other) or "all as recorded"

    def amount(self, what: str, n: int) -> str:
        """So much of something as the table would say it: what is counted by place, by the number printed there."""
        printed = self.play.title.recorder.printed(self.play.state, what)
        return f"{printed[n - 1]} (space {n})" if 0 < n <= len(printed) else str(n)

    def _ruled(self, request: Ruling) -> str:
        """What an event moved instead, and what that comes to."""
        before = shortcuts.moved(shortcuts.event_at(self.play, request.at))
        after = shortcuts.moved(request.event)
        parts = [
            f"{self.players[who - 1]} {what} {after.get((who, what), 0):+d}, not {before.get((who, what), 0):+d}"
            for who, what in dict.fromkeys((*before, *after))
            if before.get((who, what), 0) != after.get((who, what), 0)
        ]
        changed = requests.consequences(self.play, request)
        scores = [
            f"{self.players[now.seat - 1]} {was.total} → {now.total} points"
            for was, now in zip(changed.before, changed.after, strict=True)
            if was.total != now.total
        ]
        opened = sum(finding.is_open for finding in changed.came) - sum(finding.is_open for finding in changed.went)
        findings = [f"{abs(opened)} {'more' if opened > 0 else 'fewer'} open findings"] if opened else []
        return f"at {request.at}: {'; '.join([', '.join(parts), *scores, *findings])}; {request.why}"

    def _noted(self, request: Note) -> str:
        on = request.on or requests.last_of(self.play)
        return " ".join(filter(None, [f"on {on}:", request.mark, request.text, *(f"#{tag}" for tag in request.tags)]))

    def told(self, act: Any, extra: Sequence[Any] = ()) -> str:
        """The sentence of one act as it would go now."""
        title, state = self.play.title, self.play.state
        moved, facts = title.effects(state, act) or Effects()
        return title.words.describe(state, act, (*moved, *extra), facts, self.players, self.language)

    def turned(self, request: Undo) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """What an undo takes away, and what it brings back, by name."""
        to = self.play.before_last() if request.to is None else request.to
        lines = self.play.log.lines
        now, then = ({ref_of(event) for event in timeline(lines, until)} for until in (None, to))
        gone = [(ref, said) for ref, said in self._sentences(None) if ref not in then]
        return gone, [(ref, said) for ref, said in self._sentences(to) if ref not in now]

    def _sentences(self, until: int | None) -> Iterator[tuple[str, str]]:
        done = replay(self.play.log, until=until, audit=False)
        for event, sentence in done.sentences(self.language):
            yield ref_of(event), sentence

    def changes(self, request: Request) -> list[Change]:
        """Who has how much before it and after, as the board says it."""
        if not isinstance(request, Act):
            return []
        title, state = self.play.title, self.play.state
        held = {(has.who, has.what): has.n for has in title.held(state)}
        if isinstance(request.act, Resynced):
            then = title.copy(state)
            title.evolve(then, request.act, (), ())
            after = {(has.who, has.what): has.n for has in title.held(then)}
        else:
            after = dict(held)
            given = title.effects(state, request.act) or Effects()
            for posting in (*given.moved, *request.extra):
                after[posting.who, posting.what] = after.get((posting.who, posting.what), 0) + posting.n
        return [
            Change(*key, self._read(key[1], held.get(key, 0)), self._read(key[1], n))
            for key, n in after.items()
            if n != held.get(key, 0)
        ]

    def _read(self, what: str, n: int) -> int:
        printed = self.play.title.recorder.printed(self.play.state, what)
        return printed[n - 1] if 0 < n <= len(printed) else n


def _listed(verb: str, events: Sequence[tuple[str, str]]) -> list[str]:
    """Each of a few events with its sentence; of many, how many there are and where they begin and end."""
    if len(events) <= LISTED:
        return [f"{verb} {ref} {sentence}" for ref, sentence in events]
    (first, began), (last, ended) = events[0], events[-1]
    return [f"{verb} {len(events)} events, from {first} {began}", f"to {last} {ended}"]

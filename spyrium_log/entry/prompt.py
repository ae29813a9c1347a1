"""The prompt: keys in, choices and preview out; Enter takes what is highlighted.

It decides nothing. Legal moves, breaches and effects come from the title, the text stays until what it says is on the
disk, and whoever writes it says so (`settled`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.entry import shortcuts
from spyrium_log.entry.keys import Keys
from spyrium_log.entry.preview import Preview
from spyrium_log.entry.requests import Act, Request
from spyrium_log.errors import Breach, NotationError
from spyrium_log.messages import Message, Reader, quote_words, syntax, unexpected
from spyrium_log.play import Play
from spyrium_log.title import FinalCount, PartialDeal
from spyrium_log.transcript.span import line_span

# Records what was just refused, as the table did it.
ANYWAY_KEY = "!"
# Characters of a line; what is typed beyond them is dropped.
LONGEST_LINE = 500


class Choice(NamedTuple):
    """Something that may be typed now: the keys of an act, or keys with a name; `text` is the whole line then."""

    keys: str
    act: Any = None
    name: str = ""
    text: str = ""


class Shown(Struct, frozen=True, kw_only=True):
    """All that a screen draws: the question, the choices, the one that Enter takes, and what that does.

    What is `selected` has just been refused: the next character takes its place, Backspace goes on with it.
    """

    text: str
    question: str
    choices: Sequence[Choice] = ()
    highlighted: int | None = None
    words: Sequence[str] = ()
    request: Request | None = None
    breaches: Sequence[Breach] = ()
    refused: bool = False
    selected: bool = False
    message: str = ""


class Prompt(Preview):
    """The line that a scribe types. `by` is named for a ruling that names nobody else."""

    def __init__(self, play: Play, *, by: str = "scribe", language: str = "en") -> None:
        super().__init__(play, language)
        self.by = by
        self.settled()

    def settled(self, text: str = "") -> None:
        """Start a new line, after something was written by this scribe or somebody else."""
        title, state = self.play.title, self.play.state
        self.awaited = self.play.awaits()
        final = [FinalCount()] if self.awaited.kind == "final" else []
        self.keys = Keys(title, state, [*title.legal(state), *final])
        self._by_notation: dict[str, Any] | None = None
        self._keys_by_act: dict[int, str] = {}
        self._set_text(text)

    @property
    def _notation(self) -> dict[str, Any]:
        """The legal acts by their notation, made on first use: a large game has many."""
        if self._by_notation is None:
            write, state = self.play.title.words.write, self.play.state
            self._by_notation = {write(state, way.act): way.act for way in self.keys.ways}
        return self._by_notation

    # --- keys --------------------------------------------------------------------------------

    def press(self, key: str) -> Request | None:
        """Take one key: a character, or a name such as `enter`. Returns a request when something is to be written."""
        if key == ANYWAY_KEY and self._refused is not None:
            return replace(self._refused, anyway=True)
        if key == "enter":
            return self._enter()
        if key in ("up", "down"):
            self._highlight(1 if key == "down" else -1)
        elif key == "tab":
            self._complete()
        elif key == "backspace":
            self._set_text(self.text[:-1])
        elif key == "escape":
            self._set_text("")
        elif len(key) == 1 and key.isprintable() and len(self.text) < LONGEST_LINE:
            self._set_text(key if self._selected else self.text + key)
        return None

    def say(self, text: str) -> Request | None:
        """Take a whole line with Enter; a `!` behind it records the move against the rules.

        An empty line is Enter alone, on what stands there; a `!` alone answers a refusal.
        """
        line = text.rstrip()
        if not line or (line.strip() == ANYWAY_KEY and self._refused is not None):
            return self.press(line.strip() or "enter")
        # behind a reason it is part of the reason
        anyway = line.endswith(ANYWAY_KEY) and "/" not in line and not shortcuts.is_shortcut(line.lstrip())
        self._set_text(line.removesuffix(ANYWAY_KEY)[:LONGEST_LINE] if anyway else line[:LONGEST_LINE])
        request = self._enter()
        return request if request is not None or not anyway else self.press(ANYWAY_KEY)

    def complain(self, message: str) -> None:
        """Show that the line could not be written; the text stays."""
        self._message = message

    def _set_text(self, text: str) -> None:
        """Replace the line and look at it anew: highlight, refusal and message belong to the old one."""
        self.text = text
        self._highlighted: int | None = None
        self._message = ""
        self._refused: Act | None = None
        self._selected = False
        self._shown = self._interpreted()

    def _highlight(self, by: int) -> None:
        """Move the highlight by one choice."""
        count = len(self._shown.choices)
        if count:
            highlighted = self.shown().highlighted
            self._highlighted = (highlighted + by) % count if highlighted is not None else 0 if by > 0 else count - 1
            self._refused = None
            self._selected = False
            self._message = ""

    def _complete(self) -> None:
        """Fill in the highlighted keys, or the only ones there are."""
        shown = self.shown()
        highlighted = shown.highlighted if shown.highlighted is not None else 0 if len(shown.choices) == 1 else None
        if highlighted is not None:
            self._fill_in(shown.choices[highlighted])

    def _fill_in(self, choice: Choice) -> None:
        """Make this choice the line."""
        self._set_text(choice.text or choice.keys)

    def _enter(self) -> Request | None:
        """The request of what is shown; otherwise fill in the highlighted choice, or say what is missing."""
        shown = self.shown()
        if shown.request is None:
            if self._highlighted is not None and shown.choices[self._highlighted].act is None:
                self._fill_in(shown.choices[self._highlighted])
            elif not shown.message:
                self._message = f"expected {shown.question}" if shown.question else "expected a move"
            else:
                self._selected = self._is_quick_to_retype()
            return None
        if isinstance(shown.request, Act) and any(breach.on == "record" for breach in shown.breaches):
            self._refused = shown.request
            self._selected = self._is_quick_to_retype()
            return None
        return shown.request

    def _is_quick_to_retype(self) -> bool:
        """Whether what was refused is a move, which is sooner typed again than edited."""
        text = self.text.strip()
        return (
            self.awaited.kind != "deal"
            and not shortcuts.is_shortcut_begun(text)
            and not any(mark in text for mark in "/=")
        )

    # --- what is shown -----------------------------------------------------------------------

    def shown(self) -> Shown:
        """What a screen draws: what the text means, with the highlight, the message and the refusal of the last key."""
        shown = self._shown
        if self._highlighted is not None:
            act = shown.choices[self._highlighted].act
            shown = replace(
                shown, highlighted=self._highlighted, request=None if act is None else Act(act=act), breaches=()
            )
        if self._message:
            shown = replace(shown, message=self._message)
        return replace(shown, refused=self._refused is not None, selected=self._selected)

    def _interpreted(self) -> Shown:
        """What the text means now."""
        text = self.text.strip()
        if text == shortcuts.ASK and self.awaited.kind != "deal":
            return Shown(text=self.text, question="what to say", choices=self._hint_choices())
        try:
            if shortcuts.is_shortcut(self.text.lstrip()):
                request = shortcuts.read(self.play, self.text.lstrip(), self.by)
                return Shown(text=self.text, question="", request=request, choices=self._shown_matches(text).choices)
            if text.startswith("=") or ("=" in text and text.rpartition("=")[2].strip().isdigit()):
                return self._shown_printed_value(text)
            if "/" in text:
                return self._shown_with_amounts(text)
            return self._shown_act(text)
        except NotationError as error:
            return Shown(
                text=self.text,
                question=self._awaited_words(),
                message=self._text_of(error.message),
                choices=self._hint_choices(),
            )

    def _hint_choices(self) -> list[Choice]:
        """How a half-typed shortcut may go on."""
        hints = shortcuts.hints(self.play, self.text.lstrip(), deal=self.awaited.kind == "deal")
        return [Choice(hint.keys, None, hint.what, hint.text) for hint in hints]

    def _shown_hints(self, error: NotationError) -> Shown | None:
        """How the text may go on, if it is a half-typed shortcut."""
        choices = self._hint_choices()
        if not choices:
            return None
        question, message = self._awaited_words(), self._text_of(error.message)
        return Shown(text=self.text, question=question, message=message, choices=choices)

    def _shown_unreadable(self, error: NotationError) -> Shown:
        """Why the text cannot be read, with the choices that begin like it."""
        text = self.text.strip()
        if hints := self._shown_hints(error):
            return hints
        choices = self._choices_like(text)
        if intended := self._misordered(text):
            message = syntax("meant", message=syntax("no-legal-move", found=text), options=quote_words([intended]))
        elif choices:
            message = syntax("no-legal-move-for", found=text, message=error.message)
        else:
            message = error.message
        return Shown(text=self.text, question=self._awaited_words(), message=self._text_of(message), choices=choices)

    def _text_of(self, message: Message) -> str:
        """The message in the language of the table."""
        return message.text_for(Reader(self.language, self.players, minus="-"))

    def _choices_like(self, text: str) -> Sequence[Choice]:
        """The choices that begin like the text."""
        beginning = next((text[:n] for n in range(len(text), 0, -1) if self.keys.matching(text[:n]).acts), "")
        return self._shown_matches(beginning).choices if beginning else ()

    def _misordered(self, text: str) -> str:
        """The keys of a choice that has the same letters in another order."""
        keys = (choice.keys for choice in self._shown_matches("").choices)
        return next((each for each in keys if sorted(each) == sorted(text)), "")

    def _awaited_words(self) -> str:
        """What the game waits for."""
        return {
            "decision": "a move",
            "choice": "the choice",
            "deal": "a deal",
            "final": "the final count",
            "over": "nothing more, the game is over",
        }[self.awaited.kind]

    def _shown_printed_value(self, text: str) -> Shown:
        """`=3`, or a move and `=3`: a value printed on the card of that move, or of the last one."""
        before, _, after = text.rpartition("=") if not text.startswith("=") else ("", "=", text[1:])
        act = self._act_of(before.strip()) if before else None
        return Shown(
            text=self.text, question="", request=shortcuts.read_printed_value(self.play, line_span(after), act)
        )

    def _shown_with_amounts(self, text: str) -> Shown:
        """A move with `/`: what the table says it moved."""
        before, _, after = text.partition("/")
        if not before.strip():
            return Shown(
                text=self.text, question="", request=shortcuts.read_adjustment(self.play, line_span(after), self.by)
            )
        act = self._act_of(before.strip())
        request = Act(act=act, extra=shortcuts.table_postings(self.play, act, line_span(after), self.by))
        return Shown(text=self.text, question="", request=request, breaches=self._breaches(act))

    def _act_of(self, text: str) -> Any:
        """The act before a `/` or `=`."""
        request = self._shown_act(text).request
        if not isinstance(request, Act):
            raise NotationError(unexpected(syntax("move"), text), text, 1)
        return request.act

    def _shown_act(self, text: str) -> Shown:
        """A move in keys or notation."""
        if text and text in self._notation:
            return self._shown_choices([self._notation[text]], "")
        if self.awaited.kind == "deal" and not text.startswith(("deal", "@")):
            return self._shown_deal(text)
        if not text:
            act = self.keys.obvious()
            shown = self._shown_matches("")
            index = next((index for index, choice in enumerate(shown.choices) if choice.act == act), None)
            request = None if act is None else Act(act=act)
            return replace(shown, question=self._awaited_words(), highlighted=index, request=request)
        matches = self.keys.matching(text)
        if matches.acts:
            return self._shown_choices(matches.acts, matches.question)
        if naming := self._shown_naming(text):
            return naming
        completions = [act for notation, act in self._notation.items() if notation.startswith(text)]
        if completions:
            return self._shown_choices(completions, "" if len(completions) == 1 else "the rest of the move")
        try:
            act = self.play.parse(text)
        except NotationError as error:
            return self._shown_illegal(text) or self._shown_unreadable(error)
        return Shown(
            text=self.text,
            question="",
            request=Act(act=act),
            breaches=self._breaches(act),
            choices=self._nearest_choices(act),
        )

    def _shown_naming(self, text: str) -> Shown | None:
        """A move that says what an unseen component is."""
        code = text.partition("=")[2]
        recorder = self.play.title.recorder
        if code not in recorder.codes:
            return None
        keys = Keys(self.play.title, self.play.state, recorder.naming(self.play.state, recorder.codes[code]))
        matches = keys.matching(text)
        if not matches.likeliest:
            return None
        act = matches.likeliest
        return Shown(text=self.text, question="", request=Act(act=act), breaches=self._breaches(act))

    def _shown_illegal(self, text: str) -> Shown | None:
        """A move that the rules refuse, with the reasons; it can be recorded all the same."""
        title, state = self.play.title, self.play.state
        act = Keys(title, state, title.recorder.tried(state)).matching(text).likeliest
        if act is None:
            return None
        choices = self._choices_like(text) or self._nearest_choices(act)
        return Shown(text=self.text, question="", request=Act(act=act), breaches=self._breaches(act), choices=choices)

    def _shown_choices(self, acts: Sequence[Any], question: str) -> Shown:
        """The choices among these acts; without a question, Enter takes the first."""
        choices = [self._choice_of(act) for act in acts]
        if question:
            return Shown(text=self.text, question=question, choices=choices)
        request = Act(act=acts[0])
        return Shown(
            text=self.text,
            question="",
            choices=choices,
            highlighted=0,
            request=request,
            breaches=self._breaches(acts[0]),
        )

    def _shown_matches(self, text: str) -> Shown:
        """The legal acts that these keys begin, as choices of which Enter takes none."""
        acts = self.keys.matching(text).acts
        return Shown(text=self.text, question=self._awaited_words(), choices=[self._choice_of(act) for act in acts])

    def _choice_of(self, act: Any) -> Choice:
        """A legal act with the fewest keys for it, which are looked for once a line."""
        keys = self._keys_by_act.get(id(act))
        if keys is None:
            keys = self._keys_by_act[id(act)] = self.keys.spelled(act)
        return Choice(keys, act)

    def _nearest_choices(self, act: Any) -> list[Choice]:
        """The legal acts that resemble an illegal one, in notation."""
        near = self.play.title.recorder.nearest(self.play.state, act)
        return [Choice(self.play.notation(other), other) for other in near]

    def _shown_deal(self, text: str) -> Shown:
        """A deal, half or whole."""
        recorder, state = self.play.title.recorder, self.play.state
        try:
            partial: PartialDeal = recorder.deal(state, text, self.language)
        except NotationError as error:
            return self._shown_unreadable_deal(text, error)
        choices = self._code_choices(partial)
        if partial.act is None:
            return Shown(text=self.text, question=partial.question, choices=choices, words=partial.words)
        breaches = self._breaches(partial.act)
        request = Act(act=partial.act)
        return Shown(
            text=self.text, question="", choices=choices, words=partial.words, request=request, breaches=breaches
        )

    def _shown_unreadable_deal(self, text: str, error: NotationError) -> Shown:
        """Why the deal cannot be read, and what could come next in it."""
        if hints := self._shown_hints(error):
            return hints
        for length in range(min(len(text), error.column) - 1, -1, -1):
            try:
                partial = self.play.title.recorder.deal(self.play.state, text[:length], self.language)
            except NotationError:
                continue
            choices = self._code_choices(partial, text[:length])
            return Shown(
                text=self.text,
                question=partial.question,
                choices=choices,
                words=partial.words,
                message=self._text_of(error.message),
            )
        raise error

    def _code_choices(self, partial: PartialDeal, text: str | None = None) -> list[Choice]:
        """The codes that may come next, each with the whole line."""
        line = (self.text.rstrip() if text is None else text).removesuffix(partial.begun)
        return [Choice(code, None, name, line + code) for code, name in partial.codes]

    def _breaches(self, act: Any) -> Sequence[Breach]:
        """The rules that an act would break now."""
        return self.play.title.breaches(self.play.state, act)

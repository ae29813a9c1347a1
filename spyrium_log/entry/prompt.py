"""The prompt: keys in, choices and preview out; Enter takes what is highlighted.

It decides nothing. Legal moves, breaches and effects come from the title, the text stays until what it says is on the
disk, and whoever writes it says so (`restart`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from spyrium_log.catalogue import ENGLISH
from spyrium_log.edit.amend import AnyAct
from spyrium_log.entry import questions, shortcuts
from spyrium_log.entry.keys import Keys, can_be_held
from spyrium_log.entry.locating import Locator
from spyrium_log.entry.named import read_act_of, split_player
from spyrium_log.entry.payments import ask_about_payment
from spyrium_log.entry.questions import Inquiry
from spyrium_log.entry.requests import Act, Preview, Reading, Request, Undo
from spyrium_log.entry.shortcuts import Choice
from spyrium_log.entry.taken_back import ALL_LEFT_OUT, BEFORE, LEFT_OUT, list_taken_back
from spyrium_log.entry.view import AWAITED_WORDS, PromptView
from spyrium_log.errors import NotationError
from spyrium_log.messages import Message, quote_words, syntax, unexpected_message
from spyrium_log.play import Play
from spyrium_log.title import FinalCount, PartialDeal, Question, seat_of
from spyrium_log.transcript.span import line_span

# Records what was just refused, as the table did it.
ANYWAY_KEY = "!"
# Characters of a line; what is typed beyond them is dropped.
LONGEST_LINE = 500


class Prompt(Preview):
    """The line that a scribe types, and its `view`. `by` is named for a ruling that names nobody else."""

    view: PromptView

    def __init__(self, play: Play, *, by: str = "scribe", language: str = "en") -> None:
        """Begin with an empty line; sentences are in this language."""
        super().__init__(play, language)
        self.speakers = shortcuts.Speakers(by, self._say("the-table"))
        self.inquiry = Inquiry(play)
        # moves that were taken back and are offered again, the next one first
        self.taken_back: list[str] = []
        self.restart()

    def offer_taken_back(self) -> None:
        """Offer what an undo on the last line took back, one move after the other."""
        self.taken_back = list_taken_back(self.play)
        self.restart()

    @property
    def is_offering(self) -> bool:
        """Whether the line is a move that was taken back, and nothing was typed yet."""
        return bool(self.taken_back) and self.view.selected and self.text == self.taken_back[0]

    def restart(self, text: str = "") -> None:
        """Begin a new line with this text, after this scribe or somebody else has written to the log."""
        self.inquiry.stop()
        self._look_at_table(text)

    def _look_at_table(self, text: str) -> None:
        """Begin a new line with this text by what may be done now; a line may still wait for what is asked."""
        title, state = self.play.title, self.play.state
        self.awaited = self.play.awaits()
        # the end of a game is no move, and no title lists it among them
        final = [FinalCount()] if self.awaited.kind == "final" else []
        self.keys = Keys(title, state, [*title.legal(state), *final], self.language)
        self._shortest_keys: dict[int, str] = {}
        self._locator = Locator(self)
        self._set_text(text or "".join(self.taken_back[:1]))
        if not text and self.taken_back:
            again = self._say("taken-back", n=len(self.taken_back))
            self.view = replace(self.view, selected=True, words=[again])

    def clear(self) -> None:
        """Begin an empty line, whatever is offered."""
        self._set_text("")

    def restart_after(self, request: Request) -> None:
        """Begin a new line after this request was written: with what is still to be recorded where it was a value."""
        inquiry, is_answer = self.inquiry, self.inquiry.asked is not None
        # a price read off before the card is bought: the move is still to be made
        move = self.text.rpartition("=")[0].strip() if isinstance(request, Reading) else ""
        inquiry.asked = None
        if isinstance(request, Undo):
            taken_back = list_taken_back(self.play)
            # an undo that took nothing brought back what is offered
            self.taken_back = taken_back and [*taken_back, *self.taken_back]
        elif isinstance(request, Act) and self.play.title.tables.verb(request.act) != "state":
            # what was typed in its place is what was meant
            del self.taken_back[: not self.text.startswith(BEFORE)]
        self._look_at_table(inquiry.line if is_answer else move)
        if isinstance(request, Reading) and not self.text:
            self.view = ask_about_payment(self.play, request, self._reader()) or self.view

    def resume(self) -> Request | None:
        """The request of a line that waited for a value, now that it is known; None where the next one is asked for."""
        if not self.inquiry.line:
            return None
        anyway = self.inquiry.anyway
        self.inquiry.stop()
        request = self._enter(anyway=anyway)
        if request is None and anyway and self.view.refused:
            return self.press(ANYWAY_KEY)
        return request

    def press(self, key: str) -> Request | None:
        """Take one key: a character, or a name such as `enter`. Returns a request when something is to be written."""
        if key == ANYWAY_KEY and self.view.refused and isinstance(self.view.request, Act):
            return replace(self.view.request, anyway=True)
        if key == "enter":
            return self._enter()
        if key in ("up", "down"):
            self._move_highlight(1 if key == "down" else -1)
        elif key == "tab":
            self._complete()
        elif key == "backspace":
            self._set_text(self.text[:-1])
        elif key == "escape":
            self._stop_asking()
        elif len(key) == 1 and key.isprintable() and len(self.text) < LONGEST_LINE:
            self._set_text(key if self.view.selected else self.text + key)
        return None

    def enter_line(self, text: str) -> Request | None:
        """Take a whole line with Enter, or Enter alone; a `!` behind it, or after a refusal, records it anyway."""
        line = text.rstrip()
        if self.inquiry.asked is not None:
            self._set_text(line[:LONGEST_LINE])
            return self._enter()
        if not line or (line.strip() == ANYWAY_KEY and self.view.refused):
            return self.press(line.strip() or "enter")
        # behind a reason it is part of the reason
        is_anyway = line.endswith(ANYWAY_KEY) and "/" not in line and not shortcuts.is_shortcut(line.lstrip())
        self._set_text((line.removesuffix(ANYWAY_KEY) if is_anyway else line)[:LONGEST_LINE])
        request = self._enter(anyway=is_anyway)
        if request is None and is_anyway and self.inquiry.asked is None:
            return self.press(ANYWAY_KEY)
        return request

    def complain(self, message: str) -> None:
        """Show why whoever writes could not write the line; its text stays."""
        self.view = replace(self.view, message=message)

    def _set_text(self, text: str) -> None:
        """Replace the line and interpret it anew: highlight, refusal and message belong to the old one."""
        self.text = text
        self.view = self._interpreted = self._interpret()

    def _move_highlight(self, by: int) -> None:
        """Move the highlight by one choice: 1 is down, -1 is up."""
        view = self._interpreted
        if view.choices:
            before = self.view.highlighted
            if before is None:
                # the first step down leads to the first choice, the first step up to the last one
                before = -1 if by > 0 else 0
            highlighted = (before + by) % len(view.choices)
            act = view.choices[highlighted].act
            request = None if act is None else Act(act=act)
            self.view = replace(view, highlighted=highlighted, request=request, breaches=())

    def _complete(self) -> None:
        """For Tab: make the highlighted choice the line, or the only one there is."""
        view = self.view
        if view.highlighted is not None or len(view.choices) == 1:
            # 0: the only one
            choice = view.choices[view.highlighted or 0]
            self._set_text(choice.text or choice.keys)

    def _enter(self, *, anyway: bool = False) -> Request | None:
        """For Enter: the request of the view, unless something must be asked, refused or typed before it."""
        view = self.view
        if self.inquiry.asked is not None:
            return self._answer()
        if self.taken_back and self.text.strip() in {LEFT_OUT, ALL_LEFT_OUT}:
            del self.taken_back[: 1 if self.text.strip() == LEFT_OUT else None]
            self.restart()
            return None
        question = self.inquiry.find_question(view.request)
        if question is not None:
            self._ask(question, anyway=anyway)
            return None
        if isinstance(view.request, Act) and any(breach.on == "record" for breach in view.breaches):
            self.view = replace(view, refused=True, selected=self._is_quick_to_retype())
            return None
        if view.request is None:
            self._complete_or_complain()
        return view.request

    def _complete_or_complain(self) -> None:
        """For Enter where it writes nothing: make the highlighted choice the line, or say what is missing."""
        view = self.view
        if view.highlighted is not None:
            self._complete()
        elif not view.message and not shortcuts.is_why(self.text.strip()):
            self.complain(self._say("expected", what=view.question or self._say("a-move")))
        else:
            self.view = replace(view, selected=self._is_quick_to_retype())

    def _ask(self, question: Question, *, anyway: bool) -> None:
        """Ask for a value; what was typed waits for it."""
        view, line = self.view, self.text
        if view.highlighted is not None and isinstance(view.request, Act):
            line = self.play.title.words.spell(self.play.state, view.request.act)
        self.inquiry.ask(question, line, anyway=anyway)
        self._set_text("")

    def _answer(self) -> Request | None:
        """For Enter while a value is asked for: its reading, or what is asked next where nobody can read it."""
        if self.text.strip() == questions.UNKNOWN:
            self.inquiry.leave_unknown()
            self._set_text(self.inquiry.line)
            return self.resume()
        if self.view.request is None and not self.view.message:
            expected = self.view.question
            self._stop_asking()
            self.complain(self._say("expected-the", what=expected))
            return None
        return self.view.request

    def _stop_asking(self) -> None:
        """For Escape: an empty line; while a value is asked for, what waited for it."""
        self._set_text(self.inquiry.stop())

    def _is_quick_to_retype(self) -> bool:
        """Whether what was refused is a move, which is sooner typed again than edited, and so stands selected."""
        is_move = not shortcuts.is_shortcut_begun(self.text.strip()) and "/" not in self.text and "=" not in self.text
        return is_move and self.awaited.kind != "deal"

    def _interpret(self) -> PromptView:
        """What the text means now, for the screen: a request, or what is missing."""
        if self.inquiry.asked is not None:
            return self.inquiry.make_view(self.inquiry.asked, self.text.strip(), self._reader())
        line, text = self.text.lstrip(), self.text.strip()
        is_deal = self.awaited.kind == "deal"
        if self.taken_back and text in {LEFT_OUT, ALL_LEFT_OUT}:
            return PromptView(words=[self._say("left-out", n=1 if text == LEFT_OUT else len(self.taken_back))])
        if self.taken_back and text.startswith(BEFORE):
            line, text = line[1:].lstrip(), text[1:].lstrip()
        if text == shortcuts.ASK and not is_deal:
            return PromptView(question=self._say("what-to-say"), choices=self._list_shortcut_choices())
        if text == ANYWAY_KEY:
            return self._explain(syntax("nothing-refused"), ())
        if shortcuts.is_why(text):
            return PromptView(words=self.explain_events(shortcuts.read_why(text)))
        # keys of moves are small letters; what has several words holds names and reasons
        if not is_deal and text.isalnum():
            line = text.lower()
        try:
            return self._interpret_line(line)
        except NotationError as error:
            return self._explain(error.message, self._list_shortcut_choices())

    def _interpret_line(self, line: str) -> PromptView:
        """A view of a shortcut, a value printed on a card, amounts, or an act; NotationError for what is none."""
        text = line.strip()
        seat, named = split_player(self.play, text)
        if seat:
            return self._interpret_named(seat, named)
        # a title may have a move that is called so
        is_count = text == "c" and self.awaited.kind != "deal" and text not in self.keys.acts_by_notation
        if shortcuts.is_shortcut(line) or is_count:
            request = shortcuts.read_shortcut(self.play, line, self.speakers)
            return PromptView(request=request, choices=self._list_legal_choices(text))
        if (view := self._locator.make_view(text, self._reader())) is not None:
            return view
        if text.startswith("=") or ("=" in text and text.rpartition("=")[2].strip().isdigit()):
            return self._interpret_printed_value(text)
        return self._interpret_amounts(text) if "/" in text else self._interpret_act(text)

    def _interpret_named(self, seat: int, text: str) -> PromptView:
        """A view of what a named player does: by keys if it is their turn, else in notation."""
        if not text or seat in self.awaited.seats:
            view = self._interpret_line(text)
            if not isinstance(view.request, Act) or seat_of(view.request.act) in {0, seat}:
                return view
        act = read_act_of(self.play, seat, text, self.language)
        view = self._propose(act)
        return replace(view, choices=self._list_nearest_choices(act)) if view.breaches else view

    def _explain(self, message: Message, choices: Sequence[Choice]) -> PromptView:
        """A view that says why the text cannot be read, and what may be typed instead."""
        return PromptView(question=self._name_awaited(), message=self.translate(message), choices=choices)

    def _name_awaited(self) -> str:
        """What to type next, by what the game waits for."""
        return self._say(AWAITED_WORDS[self.awaited.kind])

    def _propose(self, act: AnyAct, choices: Sequence[Choice] = (), words: Sequence[str] = ()) -> PromptView:
        """A view of an act that Enter records, with the rules that it would break now."""
        breaches = self.play.title.breaches(self.play.state, act)
        return PromptView(request=Act(act=act), breaches=breaches, choices=choices, words=words)

    def _interpret_printed_value(self, text: str) -> PromptView:
        """A view of `=3`, or a move and `=3`: a value printed on the card of that move, or of the last one."""
        if text.startswith("="):
            return PromptView(request=shortcuts.read_printed_value(self.play, line_span(text[1:]), self.language))
        # the move may have a `=` of its own
        move, _, value = text.rpartition("=")
        act = self._read_act(move.strip())
        return PromptView(request=shortcuts.read_printed_value(self.play, line_span(value), self.language, act))

    def _interpret_amounts(self, text: str) -> PromptView:
        """A view of a move, `/`, and what the table says it moved; without a move, of a number that was ruled."""
        move, _, amounts = text.partition("/")
        if not move.strip():
            return PromptView(request=shortcuts.read_adjustment(self.play, line_span(amounts), self.speakers))
        act = self._read_act(move.strip())
        postings = shortcuts.read_table_postings(self.play, act, line_span(amounts), self.speakers)
        return replace(self._propose(act), request=Act(act=act, extra=postings))

    def _read_act(self, text: str) -> AnyAct:
        """The act before a `/` or `=`; what is no act is refused."""
        request = self._interpret_act(text).request
        if not isinstance(request, Act):
            raise NotationError(unexpected_message(syntax("move"), text), text, 1)
        return request.act

    def _interpret_act(self, text: str) -> PromptView:
        """A view of a move or a deal in keys or notation, whole or half typed."""
        if text and text in self.keys.acts_by_notation:
            return self._offer([self.keys.acts_by_notation[text]])
        # a whole deal in notation is read like a move
        if self.awaited.kind == "deal" and not text.startswith(("deal", "@")):
            return self._interpret_deal(text)
        if not text:
            return self._offer_all()
        matches = self.keys.find_matches(text)
        if matches.acts:
            return self._offer(matches.acts, matches.question)
        typed_acts = self._list_typed_acts(text)
        if len(typed_acts) == 1:
            return self._propose_typed(text, typed_acts[0])
        acts = self.keys.acts_by_notation.items()
        completions = [act for notation, act in acts if notation.startswith(text)]
        if completions:
            return self._offer(completions, "" if len(completions) == 1 else self._say("rest-of-move"))
        return self._interpret_notation(text, typed_acts)

    def _offer_all(self) -> PromptView:
        """A view of every legal act; Enter takes the only sensible one."""
        act, choices = self.keys.find_only_sensible_act(), self._list_legal_choices("")
        highlighted = next((index for index, choice in enumerate(choices) if choice.act == act), None)
        request = None if act is None else Act(act=act)
        return PromptView(question=self._name_awaited(), choices=choices, highlighted=highlighted, request=request)

    def _offer(self, acts: Sequence[AnyAct], question: str = "") -> PromptView:
        """A view of these acts as choices; without a question, Enter takes the first."""
        choices = [self._make_choice(act) for act in acts]
        if question:
            return PromptView(question=question, choices=choices)
        return replace(self._propose(acts[0], choices), highlighted=0)

    def _list_typed_acts(self, text: str) -> Sequence[AnyAct]:
        """The acts that these keys may mean although no legal one has them; a card may be named, as in `a1=m1`."""
        recorder, state = self.play.title.recorder, self.play.state
        move, is_named, code = text.partition("=")
        card = shortcuts.find_coded_component(self.play, code, self.language) if is_named else ""
        # acts are spelled by the codes of ids
        own_code = next((own for own, each in recorder.codes(state, ENGLISH).items() if each == card), code)
        return [
            act for act in recorder.typed(state, f"{move}{is_named}{own_code}") if can_be_held(self.play.title, act)
        ]

    def _propose_typed(self, text: str, act: AnyAct) -> PromptView:
        """A view of the act that keys mean, with the legal acts nearest to it where the rules refuse it."""
        view = self._propose(act)
        if not view.breaches:
            return view
        return replace(view, choices=self._list_nearest_choices(act) or self._find_choices_like(text))

    def _interpret_notation(self, text: str, typed_acts: Sequence[AnyAct]) -> PromptView:
        """A view of a move that the rules refuse, which can be recorded all the same, or of why it cannot be read."""
        try:
            act = self.play.read_notation(self.play.title.recorder.with_ids(text, self.language))
        except NotationError as error:
            shared_breach = self.describe_shared_breach(typed_acts)
            if not shared_breach:
                return self._explain_unreadable(text, error)
            choices = self._find_choices_like(text) or self._list_nearest_choices(typed_acts[0])
            return self._explain(syntax("every-move-breaks", found=text, message=shared_breach), choices)
        return self._propose(act, self._list_nearest_choices(act))

    def _explain_unreadable(self, text: str, error: NotationError) -> PromptView:
        """A view that says why the text is no move, with similar choices; raises the error of a half-typed shortcut."""
        if self._list_shortcut_choices():
            raise error
        choices = self._find_choices_like(text)
        same_letters = (choice.keys for choice in self._list_legal_choices("") if sorted(choice.keys) == sorted(text))
        intended = next(same_letters, None)
        if intended is not None:
            refusal = syntax("no-legal-move", found=text)
            return self._explain(syntax("meant", message=refusal, options=quote_words([intended])), choices)
        if choices:
            return self._explain(syntax("no-legal-move-for", found=text, message=error.message), choices)
        return self._explain(error.message, choices)

    def _find_choices_like(self, text: str) -> list[Choice]:
        """The choices that begin like the text, with as many of its characters as some choice does."""
        beginnings = (self._list_legal_choices(text[:length]) for length in range(len(text), 0, -1))
        return next(filter(None, beginnings), [])

    def _list_legal_choices(self, text: str) -> list[Choice]:
        """The legal acts that these keys begin, all for no keys, as choices to be shown."""
        return [self._make_choice(act) for act in self.keys.find_matches(text).acts]

    def _make_choice(self, act: AnyAct) -> Choice:
        """A legal act with the fewest keys for it, which are looked for once a line, by the identity of the act."""
        if id(act) not in self._shortest_keys:
            self._shortest_keys[id(act)] = self.keys.find_shortest_keys(act)
        return Choice(self._shortest_keys[id(act)], act)

    def _list_nearest_choices(self, act: AnyAct) -> list[Choice]:
        """The legal acts that resemble an illegal one, as choices."""
        near = self.play.title.recorder.nearest(self.play.state, act)
        return [Choice(self.keys.find_shortest_keys(other), other) for other in near]

    def _list_shortcut_choices(self) -> list[Choice]:
        """How a half-typed shortcut may go on."""
        return shortcuts.complete_shortcut(self.play, self.text.lstrip(), self._reader())

    def _interpret_deal(self, text: str) -> PromptView:
        """A view of a deal, half or whole; of one that cannot be read, what could come next in the part that can."""
        message = ""
        try:
            deal = self.play.title.recorder.deal(self.play.state, text, self.language)
        except NotationError as error:
            if self._list_shortcut_choices():
                raise
            text, deal = self._read_longest_deal(text, error)
            message = self.translate(error.message)
        # an answer takes the place of what is typed of it
        line = text.removesuffix(deal.begun)
        choices = [Choice(code, None, name, line + code) for code, name in deal.codes]
        if deal.act is None or message:
            return PromptView(question=deal.question, choices=choices, words=deal.words, message=message)
        return self._propose(deal.act, choices, deal.words)

    def _read_longest_deal(self, text: str, error: NotationError) -> tuple[str, PartialDeal]:
        """The longest beginning of the text before the error that is part of a deal, and that part."""
        deal = self.play.title.recorder.deal
        for length in range(min(len(text), error.column) - 1, -1, -1):
            with suppress(NotationError):
                return text[:length], deal(self.play.state, text[:length], self.language)
        raise error

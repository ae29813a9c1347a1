"""Which legal acts a half-typed word may still mean, and the fewest keys that mean one of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from msgspec import ValidationError, convert, to_builtins

from spyrium_log.catalogue import ENGLISH
from spyrium_log.edit.amend import AnyAct, AnyState
from spyrium_log.messages import Reader
from spyrium_log.title import AnyTitle, Rank, Step

Steps: TypeAlias = tuple[Step, ...]


class Way(NamedTuple):
    """One act, how likely it is, and the steps that spell it; the title guesses those that are not `required`."""

    act: AnyAct
    rank: Rank
    steps: Steps
    required: Steps


class Matches(NamedTuple):
    """The acts that the keys may mean, the likeliest first; `question` is what they leave open and must be asked."""

    acts: Sequence[AnyAct]
    question: str = ""

    @property
    def likeliest(self) -> AnyAct:
        """The act that Enter takes; None where there is none, or something must be asked first."""
        return None if self.question or not self.acts else self.acts[0]


class Keys:
    """The legal acts of one moment, found by their keys."""

    def __init__(self, title: AnyTitle, state: AnyState, acts: Iterable[AnyAct], language: str = ENGLISH) -> None:
        """Spell and rank every act once: they are searched at each key. Questions are asked in the language."""
        self._reader = Reader(language, words={} if language == ENGLISH else title.words.vocabulary(language))
        steps, rank = title.recorder.steps, title.recorder.rank
        self._write, self._state = title.words.write, state
        spelled = ((act, tuple(steps(state, act))) for act in acts)
        ways = [Way(act, rank(state, act), keys, _drop_optional(keys)) for act, keys in spelled]
        self.ways = sorted(ways, key=lambda way: way.rank)
        # the keys that may follow each beginning: one alone need not be typed
        self._keys_after: dict[tuple[str, ...], set[str]] = {}
        for way in ways:
            keys = tuple(step.key for step in way.required)
            for index, key in enumerate(keys):
                self._keys_after.setdefault(keys[:index], set()).add(key)
        # a large game has thousands of ways: they are found by what they must begin with
        self._places_by_beginning: dict[str, list[int]] = {}
        for place, way in enumerate(self.ways):
            self._places_by_beginning.setdefault(self._find_beginning(way), []).append(place)
        self._beginnings = sorted(self._places_by_beginning)

    @cached_property
    def acts_by_notation(self) -> dict[str, AnyAct]:
        """The legal acts by their notation, made on first use: a large game has many."""
        return {self._write(self._state, way.act): way.act for way in self.ways}

    @cached_property
    def _ways_by_act(self) -> dict[AnyAct, Way]:
        """The ways by the act that they spell."""
        return {way.act: way for way in self.ways}

    def find_only_sensible_act(self) -> AnyAct:
        """The act that Enter takes before any key is typed; None where several are sensible."""
        sensible = [way for way in self.ways if not way.rank.waste] or self.ways
        return sensible[0].act if len(sensible) == 1 else None

    def find_matches(self, text: str) -> Matches:
        """The acts that these keys begin, likeliest first, and what must be asked to tell them apart."""
        acts: list[AnyAct] = []
        steps_left: list[Steps] = []
        for way in self._list_candidates(text):
            left = self._match_steps(way.steps, text, way.required, is_first=True)
            if left is not None:
                acts.append(way.act)
                steps_left.append(left)
        # all lack the same keys: only optional steps tell them apart
        if len({tuple(step.key for step in steps) for steps in steps_left}) <= 1:
            return Matches(acts)
        names = dict.fromkeys(steps[0].name for steps in steps_left if steps)
        reader = self._reader
        return Matches(acts, f" {reader.fill('or')} ".join(reader.title_word("steps", name) for name in names))

    def _find_beginning(self, way: Way) -> str:
        """The keys that a way begins with, before any step that may be typed elsewhere or left out."""
        if way.steps and not way.steps[0].optional and self._is_forced(way.required, way.steps[0]):
            return ""
        return _join_keys(tuple(takewhile(lambda step: not step.optional, way.steps)))

    def _list_candidates(self, text: str) -> list[Way]:
        """The ways whose beginning goes with the text, likeliest first."""
        first = bisect_left(self._beginnings, text)
        longer = takewhile(lambda beginning: beginning.startswith(text), self._beginnings[first:])
        shorter = (text[:length] for length in range(len(text)))
        fitting = (self._places_by_beginning.get(beginning, ()) for beginning in (*longer, *shorter))
        return [self.ways[place] for place in sorted(place for places in fitting for place in places)]

    def find_shortest_keys(self, act: AnyAct) -> str:
        """The fewest keys, in the order of the questions, after which Enter takes this legal act."""
        way = self._ways_by_act[act]
        if self._is_meant(way.required, act):
            return _join_keys(way.required)
        # the required keys mean something likelier: as few optional ones as will do are added, that of the move last
        steps = tuple(step for step in way.steps if not step.optional or step.name != "move")
        for dropped in [step for step in steps if step.optional]:
            shorter = tuple(step for step in steps if step != dropped)
            if self._is_meant(shorter, act):
                steps = shorter
        return _join_keys(steps if self._is_meant(steps, act) else way.steps)

    def _is_meant(self, steps: Steps, act: AnyAct) -> bool:
        """Whether Enter takes this act after the keys of these steps, rather than a likelier one."""
        return bool(self.find_matches(_join_keys(steps)).likeliest == act)

    def _match_steps(self, steps: Steps, text: str, required: Steps, *, is_first: bool) -> Steps | None:
        """The required steps still to be typed after the text; None if it does not fit these steps.

        `steps` are those not yet typed, `required` all that the act must have; `is_first` while nothing was typed.
        """
        if not text:
            return _drop_optional(steps)
        for index, step in enumerate(steps):
            others = steps[:index] + steps[index + 1 :]
            if step.key.startswith(text):
                # half of a key still leaves the step open
                return _drop_optional(steps if step.key != text else others)
            if text.startswith(step.key):
                left = self._match_steps(others, text[len(step.key) :], required, is_first=False)
                if left is not None:
                    return left
            # required steps come in their order; the first may be left out if all acts share it
            if not step.optional and not (is_first and index == 0 and self._is_forced(required, step)):
                return None
        return None

    def _is_forced(self, required: Steps, step: Step) -> bool:
        """Whether all acts go on with this step after the required ones before it, so that it need not be typed."""
        before = required[: required.index(step)]
        return len(self._keys_after[tuple(other.key for other in before)]) == 1


def _drop_optional(steps: Steps) -> Steps:
    """The steps that must be typed, in order."""
    return tuple(step for step in steps if not step.optional)


def _join_keys(steps: Steps) -> str:
    """The keys of these steps, as they are typed."""
    return "".join(step.key for step in steps)


def can_be_held(title: AnyTitle, act: AnyAct) -> bool:
    """Whether a log can hold a decision: not one with a number that no component of the title has."""
    try:
        return bool(convert(to_builtins(act), title.wire.decision) == act)
    except ValidationError:
        return False

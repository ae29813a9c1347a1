"""Which legal acts a half-typed word may still mean, and the fewest keys that mean one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from spyrium_log.title import AnyTitle, Rank, Step

Path = tuple[Step, ...]


class Way(NamedTuple):
    """One act, how likely it is, and the steps that spell it."""

    act: Any
    rank: Rank
    steps: Path


class Matches(NamedTuple):
    """The acts that the keys may mean, the likeliest first; `question` is what they leave open and must be asked."""

    acts: Sequence[Any]
    question: str = ""

    @property
    def likeliest(self) -> Any:
        """The act that Enter takes; None where there is none, or something must be asked first."""
        return None if self.question or not self.acts else self.acts[0]


NO_MATCHES = Matches(())


class Keys:
    """The legal acts of one moment, found by their keys."""

    def __init__(self, title: AnyTitle, state: Any, acts: Iterable[Any]) -> None:
        steps, rank = title.recorder.steps, title.recorder.rank
        ways = [Way(act, rank(state, act), tuple(steps(state, act))) for act in acts]
        self.ways = sorted(ways, key=lambda way: way.rank)
        # the keys that may follow each beginning: one alone need not be typed
        self._keys_after: dict[tuple[str, ...], set[str]] = {}
        for way in ways:
            required = _required_keys(way.steps)
            for index, key in enumerate(required):
                self._keys_after.setdefault(required[:index], set()).add(key)

    def obvious(self) -> Any:
        """The only sensible act, if there is just one, before any key is typed."""
        sensible = [way for way in self.ways if not way.rank.waste] or self.ways
        return sensible[0].act if len(sensible) == 1 else None

    def matching(self, text: str) -> Matches:
        """The acts that these keys begin, likeliest first."""
        matches = [(way, rest) for way in self.ways if (rest := self._steps_left(way, text)) is not None]
        if not matches:
            return NO_MATCHES
        left_open = {tuple(step.key for step in rest) for _, rest in matches}
        question = "" if len(left_open) == 1 else _open_question([rest for _, rest in matches])
        return Matches([way.act for way, _ in matches], question)

    def spelled(self, act: Any) -> str:
        """The fewest keys, in the order of the questions, whose likeliest meaning is this act."""
        way = next(way for way in self.ways if way.act == act)
        required = [step for step in way.steps if not step.optional]
        # the required keys may mean something likelier; then optional ones are added, as few as will do
        text = "".join(step.key for step in required)
        if self.matching(text).likeliest == act:
            return text
        steps = [step for step in way.steps if step in required or step.name != "move"]
        for dropped in [step for step in steps if step.optional]:
            shorter = [step for step in steps if step != dropped]
            if self.matching("".join(step.key for step in shorter)).likeliest == act:
                steps = shorter
        text = "".join(step.key for step in steps)
        return text if self.matching(text).likeliest == act else "".join(step.key for step in way.steps)

    def _steps_left(self, way: Way, text: str) -> Path | None:
        """The steps still needed after these keys; None if the keys mean something else."""
        required = tuple(step for step in way.steps if not step.optional)
        return self._steps_left_in(way.steps, text, required, first=True)

    def _steps_left_in(self, steps: Path, text: str, required: Path, *, first: bool) -> Path | None:
        """The required steps left after the text; None if it does not fit these steps.

        `steps` are those not yet typed, `required` all that the act must have; `first` while nothing of it was taken.
        """
        if not text:
            return tuple(step for step in steps if not step.optional)
        for index, step in enumerate(steps):
            rest = steps[:index] + steps[index + 1 :]
            if step.key.startswith(text):
                # half of a key still leaves the step open
                open_steps = steps if step.key != text else rest
                return tuple(other for other in open_steps if not other.optional)
            if text.startswith(step.key):
                steps_left = self._steps_left_in(rest, text[len(step.key) :], required, first=False)
                if steps_left is not None:
                    return steps_left
            # required steps come in their order; the first may be left out if all acts share it
            if not step.optional and not (first and index == 0 and self._is_forced(required, step)):
                return None
        return None

    def _is_forced(self, required: Path, step: Step) -> bool:
        """Whether, after the required steps before it, all acts go on with this one."""
        index = required.index(step)
        return len(self._keys_after[tuple(other.key for other in required[:index])]) == 1


def _required_keys(steps: Path) -> tuple[str, ...]:
    """The keys that spell the act at least, without those of optional steps."""
    return tuple(step.key for step in steps if not step.optional)


def _open_question(rests: Sequence[Path]) -> str:
    """What to ask next: the names of the first steps that the matches still need."""
    names = [rest[0].name for rest in rests if rest]
    return " or ".join(dict.fromkeys(names)) or "which"

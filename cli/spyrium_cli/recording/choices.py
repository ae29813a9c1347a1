"""What tells the choices of a prompt apart, in as few words as a row of a small screen has room for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act
from spyrium_log.entry.shortcuts import Choice

# Between two parts of what moves: a comma that stands in no brackets.
_BETWEEN_PARTS = re.compile(r", (?![^()]*\))")


def label_choices(prompt: Prompt, choices: Sequence[Choice]) -> list[str]:
    """A label for each choice: its sentence without what all of them share, and which of like pieces it takes."""
    if len(choices) == 1:
        return [prompt.describe_with_detail(Act(act=choices[0].act))]
    sentences = [_cut_sentence(prompt.describe_act(choice.act)) for choice in choices]
    details = [prompt.describe_detail(choice.act) for choice in choices]
    # a piece is named only where others of the kind could be meant
    is_told_apart = len({tuple(parts) for parts in sentences}) == len(choices)
    heads = _drop_common_words([parts[0] for parts in sentences])
    shared = set.intersection(*(set(parts[1:]) for parts in sentences))
    labels = []
    for head, parts, detail in zip(heads, sentences, details, strict=True):
        own = ["" if is_told_apart else detail, *(part for part in parts[1:] if part not in shared)]
        label = ": ".join(filter(None, (head, ", ".join(filter(None, own)))))
        labels.append(label or ", ".join(parts[1:] or parts))
    return labels


def _cut_sentence(sentence: str) -> list[str]:
    """Who does what, then each thing that moves."""
    head, _, moved = sentence.partition(": ")
    return [part for text in (head, moved) if text for part in _BETWEEN_PARTS.split(text)]


def _drop_common_words(heads: Sequence[str]) -> list[str]:
    """The beginnings of sentences without the words with which all begin: nothing where they are the same."""
    if len(set(heads)) == 1:
        return [""] * len(heads)
    words = [head.split(" ") for head in heads]
    # one word of each is left
    columns = zip(*(each[:-1] for each in words), strict=False)
    common = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    return [" ".join(each[common:]) for each in words]

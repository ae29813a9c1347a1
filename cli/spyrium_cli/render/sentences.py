"""Sentences about a table: who is to act, what changes, which rule is broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_cli.complaint import shell_message
from spyrium_cli.render.text import translate
from spyrium_log.catalogue import ENGLISH
from spyrium_log.messages import Reader, Seat, comparison_text, is_word, player_name
from spyrium_log.printed import PrintedName

if TYPE_CHECKING:
    from spyrium_cli.games.verdict import CheckedFinding
    from spyrium_log.audit import Finding
    from spyrium_log.edit.annotate import Remark
    from spyrium_log.entry.requests import Change
    from spyrium_log.errors import Breach, Unchecked
    from spyrium_log.stepper import ShownNote
    from spyrium_log.title import AnyTitle, Awaited


# What records a printed value from the shell: a component, the value's name and the value follow.
READING_COMMAND = "spyrium fix reading "


def reader_of(title: AnyTitle, names: Sequence[str], language: str) -> Reader:
    """The reader of messages about a table: the title's words, the players' names by seat."""
    return Reader(language, names, title.words.vocabulary(language))


def awaited_text(awaited: Awaited, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """Who is to do what next."""
    players = " · ".join(player_name(seat, names, language) for seat in awaited.seats)
    return title.words.vocabulary(language)["awaits"][awaited.kind].format(player=players)


def change_text(change: Change, reader: Reader) -> str:
    """`Anna points 10 → 4`; a resource that has a sign is written with it: `Anna £10 → ~£4`, with `~` if assumed."""
    sign = reader.words["resources"].get(change.what, change.what)
    player, before, after, mark = Seat(change.seat), change.before, change.after, "~" if change.assumed else ""
    if not is_word(sign):
        message = shell_message("recorder.change-sign", player=player, sign=sign, before=before, mark=mark, after=after)
    else:
        what = change.what if reader.language == ENGLISH else sign
        message = shell_message("recorder.change", player=player, what=what, before=before, mark=mark, after=after)
    return message.text_for(reader)


def breach_text(breach: Breach | Finding | CheckedFinding, reader: Reader) -> str:
    """`turn.order (S-5.1): expected Bob to act, found Cy`."""
    number = f" ({breach.number})" if breach.number else ""
    return f"{breach.rule}{number}: {comparison_text(breach.expected, breach.found, reader)}"


def unchecked_text(breach: Breach | Finding | CheckedFinding, reader: Reader, command: str) -> str:
    """` [assumed: Crane price (=3)]`: the values that a breach on the sheet rests on; '' for one on the record.

    Behind each is what settles it: the `command` (`=` in the recorder) with the value as it may be printed. Without a
    command the values alone are named.
    """
    if not breach.unchecked:
        return ""
    values = [
        PrintedName(value.of, value.what).text_for(reader)
        + (f" ({command}{value.of} {value.what} {likely_value(value)})" if command else "")
        for value in breach.unchecked
    ]
    return f" [{translate('play.assumed', reader.language, values=', '.join(values))}]"


def likely_value(value: Unchecked) -> str:
    """What may be printed; a row of dots where many values would do."""
    return "…" if value.likely is None else str(value.likely)


def note_words(note: ShownNote | Remark) -> str:
    """`?! Why not the crane? #opening`: the mark, the text and the tags of a note, as they are typed."""
    return " ".join(filter(None, [note.mark, note.text, *(f"#{tag}" for tag in note.tags)]))


def note_text(note: ShownNote | Remark) -> str:
    """The note as a list of events shows it, with who wrote it."""
    return " ".join(filter(None, ["✎", note_words(note), "—", note.by]))


def finding_sentence(finding: Finding, reader: Reader) -> str:
    """`turn.order (S-5.1): expected Bob to act, found Cy`, and in brackets why it does not count, if it does not."""
    if finding.status != "open":
        return f"{breach_text(finding, reader)} [{translate(f'verdicts.{finding.status}', reader.language)}]"
    return breach_text(finding, reader) + unchecked_text(finding, reader, READING_COMMAND)


def finding_text(finding: Finding | CheckedFinding, reader: Reader, command: str = READING_COMMAND) -> str:
    """`turn.order (S-5.1): expected Bob to act, found Cy [open]`; `command` as in `unchecked_text`."""
    status = translate(f"verdicts.{finding.status}", reader.language)
    if finding.on == "sheet":
        status = translate("verdicts.on-sheet", reader.language, status=status)
    return f"{breach_text(finding, reader)} [{status}]{unchecked_text(finding, reader, command)}"


def compared_moves_text(finding: CheckedFinding, reader: Reader) -> str:
    """`Bob money (price) -6, recorded -5`, for each amount and fact of a move by the rules; empty without a move."""
    texts: list[str] = []
    for side in finding.ruled:
        name, is_signed = side.what.text_for(reader), side.of == "amount"
        if is_signed:
            name = f"{reader.player_name(side.who)} {name} ({reader.cause_name(side.why)})"
        rules, recorded = (reader.format_number(n, signed=is_signed) for n in (side.rules, side.recorded))
        texts.append(translate("ruled.side", reader.language, name=name, rules=rules, recorded=recorded))
    return "; ".join(texts)


def title_help(title: AnyTitle, language: str) -> str:
    """The keys of a title's moves, and those beside them."""
    from spyrium_log.entry import shortcuts

    parts = (title.recorder.grammar(language), shortcuts.help_page(language), translate("recorder.later", language))
    return "\n\n".join(parts)

"""What a shell offers that only titles and logs know: options, cards, acts, lines. Loaded when that is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from spyrium_cli.completion.values import Offered, listed, path_named
from spyrium_cli.files import read_beginning
from spyrium_cli.games.headers import LOOKED_INTO, NOTES_SUFFIX, latest_logs
from spyrium_log.errors import IllegalError, NotationError
from spyrium_log.titles import TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_cli.completion.values import Pressed
    from spyrium_log import Log
    from spyrium_log.edit.history import Chronicled
    from spyrium_log.play import Play
    from spyrium_log.title import AnyTitle

# Nobody reads more notes for one key.
LONGEST_NOTES = 1 << 20


def _title(pressed: Pressed) -> AnyTitle:
    from spyrium_cli.settings.title import title_of

    return title_of(pressed.session)


def _language(pressed: Pressed, title: AnyTitle) -> str:
    spoken = pressed.session.language
    return spoken if spoken in title.words.languages else "en"


# --- what titles know ----------------------------------------------------------------------------


def lang(_pressed: Pressed) -> Iterator[Offered]:
    yield from (Offered(spoken, title.name) for title in TITLES.values() for spoken in title.words.languages)


def title(_pressed: Pressed) -> Iterator[Offered]:
    yield from (Offered(key, title.name) for key, title in TITLES.items())


def options(pressed: Pressed) -> Iterator[Offered]:
    """First the names, then what that one may say."""
    from msgspec.structs import fields

    from spyrium_cli.settings.readings import option_values

    name, equals, _ = pressed.begun.partition("=")
    title = _title(pressed)
    readings = option_values(title)
    if equals:
        usual = {field.encode_name: field.default for field in fields(title.options)}
        for value in readings.get(name, ()):
            yield Offered(f"{name}={value}", _printed_by(title, name, value, is_usual=value == usual[name]))
    else:
        yield from (Offered(f"{name}=", " or ".join(values)) for name, values in readings.items())


def _printed_by(title: AnyTitle, name: str, value: str, *, is_usual: bool) -> str:
    editions = [key for key, edition in title.editions.items() if edition.readings.get(name) == value]
    return ", ".join((*(["the default"] if is_usual else []), *editions))


def edition(pressed: Pressed) -> Iterator[Offered]:
    from spyrium_cli.settings.readings import editions

    title = _title(pressed)
    for name in editions(pressed.session.settings, title):
        yield Offered(name, title.editions[name].name if name in title.editions else "your own")


def colour(pressed: Pressed) -> Iterator[Offered]:
    yield from (Offered(colour) for colour in _title(pressed).colours)


def colours(pressed: Pressed) -> Iterator[Offered]:
    yield from listed(pressed.begun, _title(pressed).colours)


# --- settings ------------------------------------------------------------------------------------


def key(pressed: Pressed) -> Iterator[Offered]:
    from spyrium_cli.settings.keys import KEYS
    from spyrium_cli.settings.readings import option_values

    for name, key in KEYS.items():
        if key.kind not in {"table", "tables"} or pressed.verb == "get":
            yield Offered(name, key.help)
    for name, values in option_values(_title(pressed)).items():
        yield Offered(f"options.{name}", " or ".join(values))


def value(pressed: Pressed) -> Iterable[Offered]:
    """What a setting, or a printed value, may say."""
    return _printed(pressed) if pressed.verb in {"reading", "edit"} else _settled(pressed)


def _settled(pressed: Pressed) -> Iterable[Offered]:
    from spyrium_cli.completion.values import OFFERS
    from spyrium_cli.settings.keys import KEYS

    name, _, entry = str(pressed.said("key")).partition(".")
    if name == "options":
        said = options(pressed._replace(begun=f"{entry}="))
        return [one._replace(value=one.value.partition("=")[2]) for one in said]
    if name not in KEYS:
        return ()
    if KEYS[name].kind == "path":
        return [Offered(pressed.begun, type="dir" if name == "archive" else "file")]
    if KEYS[name].choices:
        return [Offered(choice) for choice in KEYS[name].choices]
    return OFFERS[name](pressed) if name in OFFERS else ()


# --- cards and sheets ----------------------------------------------------------------------------


def card(pressed: Pressed) -> Iterator[Offered]:
    title = _title(pressed)
    for of in dict.fromkeys(row.of for row in title.sheet().printed):
        yield Offered(of, title.words.component(of, _language(pressed, title)))


cards = card


def what(pressed: Pressed) -> Iterator[Offered]:
    from spyrium_cli.sheets.lookup import value_text

    for row in _title(pressed).sheet().printed:
        if row.of == pressed.said("card"):
            yield Offered(row.what, f"{value_text(row)} on the sheet that ships")


def _printed(pressed: Pressed) -> Iterator[Offered]:
    """Words that such a value is made of; a number nobody can foresee."""
    rows = [row for row in _title(pressed).sheet().printed if row.what == pressed.said("what")]
    words = {part for row in rows if isinstance(row.value, str) for part in row.value.split("+") if part}
    yield from (Offered(word) for word in sorted(words))


def word(pressed: Pressed) -> Iterator[Offered]:
    """A sheet by the name it goes by."""
    from spyrium_cli.completion.values import OFFERS
    from spyrium_cli.sheets.lookup import OWN, SHIPPED

    yield Offered(OWN, "your own, over the one that ships")
    yield Offered(SHIPPED, "the one that ships")
    yield from OFFERS["log"](pressed)


before = word


def after(pressed: Pressed) -> Iterable[Offered]:
    return word(pressed) if pressed.verb == "diff" else event(pressed)


# --- one game ------------------------------------------------------------------------------------


def _log(pressed: Pressed, name: str = "log") -> Log:
    return pressed.session.folder().read(path_named(pressed.session, pressed.said(name)))


def _history(pressed: Pressed, name: str = "log") -> list[Chronicled]:
    """Every line with its sentence, the last one first: that one is meant more often."""
    from spyrium_log.edit.history import history

    log = _log(pressed, name)
    return list(history(log, _language(pressed, log.title)))[::-1]


def lines(pressed: Pressed) -> Iterator[Offered]:
    """Line numbers; to withdraw, those off the timeline."""
    for line in _history(pressed):
        is_meant = line.n and line.status == "aside" if pressed.verb == "withdraw" else line.kind != "inserted"
        if is_meant:
            yield Offered(str(line.n), line.sentence)


def event(pressed: Pressed) -> Iterator[Offered]:
    """Events as they stand; to accept, those on which something is found."""
    from spyrium_log.replay import replay

    refs: set[str] | None = None
    if pressed.verb == "accept":
        refs = {finding.ref for finding in replay(_log(pressed)).findings if finding.status == "open"}
    for line in _history(pressed):
        stands = line.status in {"stands", "amended"} if refs is None else line.ref in refs
        if stands:
            yield Offered(line.ref, line.now or line.sentence)


def words(pressed: Pressed) -> Iterator[Offered]:
    """What a note is on; its text is the author's own."""
    if not pressed.said("words"):
        yield from (Offered(line.ref, line.now or line.sentence) for line in _history(pressed))


def takes(pressed: Pressed) -> Iterator[Offered]:
    helps = {line.ref: line.sentence for line in _history(pressed, "other")}
    yield from listed(pressed.begun, helps, helps)


def drops(pressed: Pressed) -> Iterator[Offered]:
    helps = {line.ref: line.sentence for line in _history(pressed)}
    yield from listed(pressed.begun, helps, helps)


def rule(pressed: Pressed) -> Iterator[Offered]:
    """The rules of the open findings, on that event."""
    yield from (Offered(rule, told) for rule, _, told in _found(pressed))


def expected(pressed: Pressed) -> Iterator[Offered]:
    yield from (Offered(expected, told) for _, expected, told in _found(pressed))


def _found(pressed: Pressed) -> Iterator[tuple[str, str, str]]:
    from spyrium_cli.render.changes import about, reader
    from spyrium_log.replay import replay

    done = replay(_log(pressed))
    for finding in done.findings:
        if finding.status == "open" and pressed.said("event") in {None, finding.ref}:
            yield finding.rule, str(finding.expected), about(finding, reader(done, "en"))


# --- notes ---------------------------------------------------------------------------------------


def edit(pressed: Pressed) -> Iterator[Offered]:
    """The notes that stand, by id."""
    path = path_named(pressed.session, pressed.said("log"))
    for note in pressed.session.folder().notes(path).notes.standing().values():
        yield Offered(note.id, f"{note.on}: {note.text}")


withdraw = edit


def tags(pressed: Pressed) -> Iterator[Offered]:
    """Tags of the latest games' notes, the commonest first."""
    counted: Counter[str] = Counter()
    for path in islice(latest_logs(pressed.session.archive), LOOKED_INTO):
        counted.update(_tags_in(path.with_name(path.stem + NOTES_SUFFIX)))
    yield from (Offered(tag) for tag, _ in counted.most_common())


def _tags_in(notes: Path) -> Iterator[str]:
    import json

    with suppress(OSError, ValueError, RecursionError, TypeError, AttributeError):
        for line in read_beginning(notes, LONGEST_NOTES).splitlines():
            yield from (tag for tag in json.loads(line).get("tags", ()) if isinstance(tag, str))


# --- acts ----------------------------------------------------------------------------------------


def notation(pressed: Pressed) -> Iterator[Offered]:
    """What is legal now, each with its sentence; a deal word by word."""
    table = _table(pressed)
    if table is None:
        return
    awaited = table.awaits().kind
    if awaited == "deal":
        yield from _deals(pressed, table)
    else:
        yield from _acts(pressed, table)


def instead(pressed: Pressed) -> Iterable[Offered]:
    """What might have been at the place that the note is on."""
    return notation(pressed)


def _table(pressed: Pressed) -> Play | None:
    """The table at which the act is said: before an event, or after what was said before it in the same call."""
    from spyrium_log.play import Play
    from spyrium_log.transcript import read_move

    log = _log(pressed)
    table = Play(log)
    on = pressed.said("event") or next(iter(pressed.said("words") or ()), None)
    if on is not None:
        _go_before(table, on)
    try:
        for text in pressed.said("notation") or () if pressed.verb == "play" else pressed.said("instead") or ():
            table.do(read_move(table, text), by="rehearsal", anyway=True)
    except (NotationError, IllegalError):
        return None
    return table


def _go_before(table: Play, on: str) -> None:
    from spyrium_log.replay import replay

    done = replay(table.log, audit=False)
    if on in done.places:
        table.state = done.state_at(done.places[on] - 1)


def _acts(pressed: Pressed, table: Play) -> Iterator[Offered]:
    """Whoever says first who it was is answered likewise."""
    who, colon, _ = pressed.begun.rpartition(": ")
    language = _language(pressed, table.title)
    for act in table.title.legal(table.state):
        yield Offered(f"{who}{colon}{table.notation(act)}", table.sentence(act, language))


def _deals(pressed: Pressed, table: Play) -> Iterator[Offered]:
    """The next card of a deal, of those that can still come."""
    title, state = table.title, table.state
    said = pressed.begun.split(" ")[:-1] or ["deal"]
    last = pressed.begun.rpartition(" ")[2]
    known = _known(title, state)
    at = len(said) - 1
    if at < len(known):
        yield Offered(" ".join((*said, known[at])))
        return
    codes = {card: code for code, card in title.recorder.codes.items()}
    typed = [_coded(word, codes) for word in said[1 + bool(known) :]]
    colon = ":" in last
    if colon:
        typed.append(_coded(last, codes))
    try:
        asked = title.recorder.deal(state, "".join(typed), _language(pressed, title))
    except NotationError:
        return
    for code, card in asked.codes:
        if colon:
            yield Offered(" ".join((*said, f"{last}{code}")), asked.asked)
        elif card:
            yield Offered(" ".join((*said, card)), title.words.component(card, _language(pressed, title)))


def _known(title: AnyTitle, state: Any) -> list[str]:
    """The words of the next deal that no chance can change: two draws that differ agree on them."""
    first, last = (
        title.words.write(state, title.deal(state, draw)).split()[1:]
        for draw in (lambda of, n: list(of)[:n], lambda of, n: list(of)[-n:])
    )
    known = []
    for one, other in zip(first, last, strict=False):
        if one != other:
            break
        known.append(one)
    return known


def _coded(word: str, codes: dict[str, str]) -> str:
    card, _, tokens = word.partition(":")
    return codes.get(card, card) + tokens


# --- names of questions and schemas --------------------------------------------------------------


def name(_pressed: Pressed) -> Iterator[Offered]:
    from spyrium_log.readmodel import reports

    yield from (Offered(report.name, report.question) for report in reports())


def kind(_pressed: Pressed) -> Iterator[Offered]:
    from spyrium_cli.commands.setup.schema import SCHEMAS

    yield from (Offered(kind, of) for kind, (of, _) in SCHEMAS.items())

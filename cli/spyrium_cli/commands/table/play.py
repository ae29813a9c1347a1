"""`spyrium play`: record acts in notation, all of them or none. `spyrium undo`: take back events."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, NamedTuple

import click
from msgspec import structs

from spyrium_cli import options
from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint, Refusal, WrongCall, call_message
from spyrium_cli.files import number_lines
from spyrium_cli.games.lookup import cut_log
from spyrium_cli.games.writing import check_playable, find_repeated_line, open_writer
from spyrium_cli.identity import now, scribe_name
from spyrium_cli.render.surface import say, tell
from spyrium_cli.render.text import count_text, translate
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line
from spyrium_log.catalogue import ENGLISH

# What loads titles stays in functions: the shell loads this module to complete a word.
if TYPE_CHECKING:
    from spyrium_log import Log
    from spyrium_log.edit.amend import AnyAct
    from spyrium_log.errors import Breach, IllegalError, NotationError
    from spyrium_log.messages import Reader
    from spyrium_log.play import Play
    from spyrium_log.store import kinds
    from spyrium_log.title import Question

EPILOG = """\b
Examples:
  spyrium play @last "deal exchange estate mine-1 apprentice residence-1
    university-1:2 workshop-1 crane miner:13 luxury-home mine-2"
  spyrium play @last "anna: p12" "bob: p25" "p36"
  spyrium play @last --file moves.txt

Say who it was where you like, with a colon behind it: a name (of several words, too), a colour, or a beginning that
only one has. In a file # begins a comment."""

# What every title's lines may say besides.
STATEMENTS = """\
At the table one also says: `count NAME AMOUNT AMOUNT, NAME AMOUNT`, `pause`, `continue`, `NAME: concede`,
`abandon "why"`. An AMOUNT is the letter of a resource and a number:"""


class Notated(Command):
    """A command whose help ends with the notation of every title."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog, then the notation of every title."""
        super().format_epilog(ctx, formatter)
        from spyrium_log.titles import TITLES

        for title in TITLES.values():
            with formatter.section(f"The notation of {title.name}"):
                # \b lets click leave a paragraph as it is: one that is set in
                parts = title.words.grammar.split("\n\n")
                formatter.write_text("\n\n".join("\b\n" + part if part.startswith(" ") else part for part in parts))
                formatter.write_paragraph()
                letters = ", ".join(f"{letter} {name}" for letter, name in title.words.letters.items())
                formatter.write_text(f"{STATEMENTS} {letters}.")


class TypedLine(NamedTuple):
    """A line of notation, and where it was read: `moves.txt:3`, empty for one of the call."""

    text: str
    place: str = ""

    def where_in(self, language: str) -> str:
        """Where it was read, for the end of a sentence: ` at moves.txt:3`; empty for a line of the call."""
        return translate("play.where", language, place=self.place) if self.place else ""


@click.command("play", cls=Notated, epilog=EPILOG)
@options.open_game_argument
@click.argument("notation", nargs=-1)
@options.file_option
@click.option("--deal", is_flag=True, help="Deal the next round by chance, to try things out.")
@options.seed_option
@click.option("--anyway", is_flag=True, help="Record it although it breaks a rule.")
@options.by_option
@options.quiet_option
@options.command_id
@options.wait_option
@pass_session
def record_moves(
    session: Session,
    log: str,
    notation: Sequence[str],
    file: IO[str] | None,
    deal: bool,
    seed: int | None,
    anyway: bool,
    by: str | None,
    quiet: bool,
    cmd: str | None,
) -> None:
    """Record moves in notation.

    Every NOTATION is one act: a deal, a move, the final count, or what was counted or said. If one is refused, none
    is recorded.
    """
    from spyrium_cli.render.sentences import awaited_text
    from spyrium_log.play import Play

    if deal:
        if notation or file or cmd:
            raise WrongCall("deal-alone")
        _deal_round(session, log, seed, by)
        return
    if seed is not None:
        raise WrongCall("seed")
    lines = _read_lines(notation, file)
    if cmd and len(lines) != 1:
        raise WrongCall("one-act", found=len(lines))
    with open_writer(session, log) as writer:
        check_playable(writer.log)
        language = session.language_of(writer.log.title)
        repeated = find_repeated_line(writer.log, cmd) if cmd else None
        before = writer.log if repeated is None else cut_log(writer.log, repeated)
        # several acts are played in memory first, so that all of them are recorded or none
        is_single = len(lines) == 1
        table = Play(before, record=writer if is_single else None)
        # a command that came before is compared with what it recorded, and not judged again
        is_accepted = anyway or repeated is not None
        recorded = [*play_lines(table, lines, language, by=by or scribe_name(writer.log), cmd=cmd, anyway=is_accepted)]
        if not is_single:
            for event, _ in recorded:
                writer.append(event)
    if not quiet:
        for event, sentence in recorded:
            write_line(f"{event.n:>4}  {sentence}")
    events = count_text(len(recorded), "event", language)
    awaited = awaited_text(table.awaits(), table.title, table.players, language)
    say(translate("play.recorded", language, events=events, next=awaited))


def _read_lines(notation: Sequence[str], file: IO[str] | None) -> list[TypedLine]:
    """The lines of notation of the call or of its file; # begins a comment."""
    if notation and file:
        raise WrongCall("notation-and-file")
    if not notation and not file:
        raise WrongCall("no-notation")
    if file is None:
        return [TypedLine(text) for text in notation]
    numbered = number_lines(file.readline, file.name)
    lines = [TypedLine(text.strip(), f"{file.name}:{number}") for number, text in numbered]
    return [line for line in lines if line.text and not line.text.startswith("#")]


def play_lines(
    play: Play, lines: Sequence[TypedLine], language: str, *, by: str, cmd: str | None, anyway: bool
) -> Iterator[tuple[kinds.Event, str]]:
    """Play each line: its event and its sentence. The first refusal ends it."""
    from spyrium_cli.render.sentences import reader_of
    from spyrium_log.errors import IllegalError, NotationError
    from spyrium_log.transcript import read_move

    for line in lines:
        # a person may name cards as the edition does
        text = line.text if language == ENGLISH else play.title.recorder.with_ids(line.text, language)
        try:
            act = read_move(play, text)
        except NotationError as error:
            raise Complaint(_explain_mistake(error, line, reader_of(play.title, play.players, language))) from None
        for question in play.title.recorder.questions(play.state, act):
            _say_unknown(play, question, language)
        try:
            proposal = play.propose(act, by=by, at=now(), cmd=cmd, anyway=anyway)
        except IllegalError as error:
            raise Refusal(*_explain_refusal(play, line, act, error, language)) from None
        for breach in proposal.breaches:
            key = "play.against-sheet" if breach.on == "sheet" else "play.against-rules"
            place = f"'{line.text}'{line.where_in(language)}: " if len(lines) > 1 else ""
            say(f"{place}{translate(key, language, breach=_describe_breach(play, breach, language))}")
        sentence = play.describe_event(proposal.event, language)
        yield play.append(proposal.event), sentence


def _explain_mistake(error: NotationError, line: TypedLine, reader: Reader) -> str:
    """What cannot be read in a line of notation, and where the line stands."""
    return f"{error.text_for(reader)}{line.where_in(reader.language)}"


def _say_unknown(play: Play, question: Question, language: str) -> None:
    """Say that a value is not known, which is left out of what an act comes to."""
    from spyrium_cli.render.sentences import reader_of

    reader = reader_of(play.title, play.players, language)
    what, of = reader.title_word("values", question.what), reader.card_name(question.of)
    say(translate("play.not-known", language, of=of, what=what))


def _explain_refusal(table: Play, line: TypedLine, act: AnyAct, error: IllegalError, language: str) -> Iterator[str]:
    """The lines of a refusal: the rules that are broken, a hint if the title has one, and near legal moves."""
    yield translate("play.refused", language, text=line.text, where=line.where_in(language))
    for breach in error.breaches:
        yield f"  {_describe_breach(table, breach, language)}"
    if hint := table.title.recorder.hint(table.state, act, [breach.rule for breach in error.breaches], language):
        yield f"  {hint}"
    if error.nearest:
        yield translate("play.nearest", language)
        width = max(len(notation) for notation in error.nearest)
        for notation in error.nearest:
            yield f"  {notation:<{width}}  {table.describe_act(table.read_notation(notation), language)}"


def _describe_breach(table: Play, breach: Breach, language: str) -> str:
    """A breach for people, with the assumed values that it rests on, and similar cards where an id is unknown."""
    from spyrium_cli.render.sentences import READING_COMMAND, breach_text, reader_of, unchecked_text
    from spyrium_cli.titles import find_components_meant

    reader = reader_of(table.title, table.players, language)
    message = breach_text(breach, reader) + unchecked_text(breach, reader, READING_COMMAND)
    cards = ", ".join(f"'{card}'" for card in find_components_meant(table.title, breach.found))
    return translate("play.meant", language, breach=message, cards=cards) if cards else message


def _deal_round(session: Session, log: str, seed: int | None, by: str | None) -> None:
    """Deal a round by chance, which at a real table is done by hand."""
    from spyrium_log.play import Play

    # one of six digits is short enough to be typed again
    seed = secrets.randbelow(10**6) if seed is None else seed
    dice = random.Random(seed)  # noqa: S311 - a seed that can be named is what is wanted
    with open_writer(session, log) as writer:
        check_playable(writer.log)
        table = Play(writer.log, record=writer)
        if table.awaits().kind != "deal":
            raise Refusal(call_message("no-deal", found=describe_next(table, session.language_of(table.title))))
        act = table.title.deal(table.state, lambda pool, count: dice.sample(list(pool), count))
        notation = table.write_notation(act)
        sentence = table.describe_act(act, session.language_of(table.title))
        line = table.do(act, by=by or scribe_name(), at=now())
    write_line(f"{line.n:>4}  {sentence}")
    tell("play.dealt", seed=seed, notation=notation)


def describe_next(table: Play, language: str) -> str:
    """What the game waits for, for people: `Bob is to act`."""
    from spyrium_cli.render.sentences import awaited_text

    return awaited_text(table.awaits(), table.title, table.players, language)


UNDO_EPILOG = """\b
Examples:
  spyrium undo
  spyrium undo --at 12 --why "two moves were missed"

Nothing is deleted: undo is a line too. To take an undo back, undo with --at the line before it."""


@click.command("undo", cls=Command, epilog=UNDO_EPILOG)
@options.game_argument
@options.at_option
@options.option("--why")
@options.writing
def undo_events(session: Session, log: str, at: int | None, why: str | None, by: str | None, cmd: str | None) -> None:
    """Take back the last event, or all events after a line."""
    from spyrium_log.play import Play

    with open_writer(session, log) as writer:
        repeated = find_repeated_line(writer.log, cmd)
        table = Play(writer.log if repeated is None else cut_log(writer.log, repeated))
        last = len(table.log.lines) - 1
        if at is None and not table.list_events():
            raise Refusal(call_message("nothing-to-undo"))
        if at is not None and at > last:
            raise Complaint(call_message("line", most=last, found=at))
        undo = table.make_undo_line(at, by=by or scribe_name(), at=now(), why=why)
        line = writer.append(structs.replace(undo, cmd=cmd))
        undone_table = Play(cut_log(writer.log, line.n + 1))
    language = session.language_of(table.title)
    before, after = (_describe_standing(game.log, language) for game in (table, undone_table))
    for key, events, others in (("play.took-back", before, after), ("play.brought-back", after, before)):
        for name in [name for name in events if name not in others]:
            write_line(f"{translate(key, language)} {name:>4}  {events[name]}")
    say(describe_next(undone_table, language))


def _describe_standing(log: Log, language: str) -> dict[str, str]:
    """The sentence of each event and amendment that stands, by its name, as `9` or `57.1`."""
    from spyrium_log.edit.history import list_history
    from spyrium_log.replay import replay

    amendments = (line for line in list_history(log, language) if line.kind == "amendment" and line.status == "stands")
    events = replay(log, audit=False).sentences_by_event(language)
    return {**events, **{line.ref: line.sentence for line in amendments}}

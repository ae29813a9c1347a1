"""The commands of `spyrium fix` that append one line: what the table counted, declared or ruled, and corrections."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Unpack, cast

import click
from msgspec import ValidationError, convert, structs

from spyrium_cli import terminal
from spyrium_cli.command import Command
from spyrium_cli.complaint import REFUSED, Complaint, Refusal, WrongCall, call_message, shell_message, spoken
from spyrium_cli.files import fill_in_title
from spyrium_cli.games.writing import GameWriter, Signature, game_writer, make_result
from spyrium_cli.options import game_argument, option, patience_of, place_option, who_option, why_option
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.sentences import finding_sentence, reader_of
from spyrium_cli.render.surface import say, tell
from spyrium_cli.render.text import count_text, signed, translate, with_minus
from spyrium_cli.session import current_language
from spyrium_log import Log
from spyrium_log.audit import Finding
from spyrium_log.catalogue import ENGLISH
from spyrium_log.colours import colour_name, read_colour
from spyrium_log.edit.amend import accept_finding, correct_header, find_open_findings, record_reading, withdraw_line
from spyrium_log.edit.locate import find_stretches
from spyrium_log.exchange.values import parse_day
from spyrium_log.messages import Component, Reader, player_name
from spyrium_log.play import Play
from spyrium_log.printed import value_text
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Printed
from spyrium_log.shown import quote
from spyrium_log.store import kinds, write_readings
from spyrium_log.title import AnyTitle
from spyrium_log.transcript import names_of, read_line, read_move, write_line
from spyrium_log.transcript.statements import example_amounts

# The name of a sheet that `reading --keep` makes.
OWN_SHEET_NAME = "my own"

COUNT_EPILOG = """\b
Examples:
  spyrium fix count "anna money 12 points 14"
  spyrium fix count game.jsonl "anna points 14, bob points 8"

A count changes nothing, and says nothing about what it leaves out. `spyrium play --help` has the letters of resources.

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("count", cls=Command, epilog=COUNT_EPILOG)
@game_argument
@click.argument("counted")
@game_writer
def record_count(writer: GameWriter, counted: str) -> int:
    """Record what the table counted, and compare it with the log."""
    appended = writer.append(partial(_make_count, counted=counted))
    line, game, reader = appended.line, replay(appended.log), appended.reader
    recorded = translate("count.counted", reader.language, line=line.n, n=len(line.do.held))
    findings = [finding for finding in game.findings if finding.n == line.n]
    if not findings:
        say(translate("count.agrees", reader.language, said=recorded))
        return 0
    for difference in _difference_texts(game, line, reader):
        draw(text(difference))
    where = _place_text(game, line.n, writer.log, reader.language)
    say(translate("count.off", reader.language, said=recorded, n=len(findings), where=where))
    return REFUSED


def _make_count(before: Log, *, counted: str, by: str, at: datetime) -> kinds.Event:
    """The line of a count; Complaint where it counts nothing, or an amount twice."""
    play = Play(before)
    act = read_move(play, f"count {counted}")
    amounts = [(holding.who, holding.what) for holding in act.held]
    if not amounts:
        raise Complaint(call_message("counted", example=example_amounts(play.title), found=counted))
    if repeated := [amount for amount in amounts if amounts.count(amount) > 1]:
        seat, what = repeated[0]
        # notation may count for a seat where nobody sits
        name = play.players[seat - 1] if seat <= len(play.players) else "somebody"
        raise Complaint(call_message("counted-twice", amount=_name_amount(name, what, play.title)))
    # what differs from the log is no reason to refuse a count
    return play.propose(act, by=by, at=at, anyway=True).event


def _name_amount(player: str, what: str, title: AnyTitle) -> str:
    """Whose amount of what, in the language of the call: `Bob's money`."""
    reader = reader_of(title, (), current_language())
    if reader.language == ENGLISH:
        return f"{player}'s {what}"
    return f"{player}, {reader.title_word('resources', what)}"


def _difference_texts(game: Replay, count: kinds.Event, reader: Reader) -> Iterator[str]:
    """`Bob money: 8 counted, 11 in the log (−3)`, for each amount of a count that differs."""
    amounts = {(holding.who, holding.what): holding.n for holding in game.title.held(game.state_after(count.n))}
    for holding in count.do.held:
        amount = amounts.get((holding.who, holding.what), 0)
        if amount != holding.n:
            whose = {"player": reader.player_name(holding.who), "what": reader.title_word("resources", holding.what)}
            difference = signed(holding.n - amount)
            yield with_minus(translate("count.one", reader.language, **whose, n=holding.n, log=amount, by=difference))


def _place_text(game: Replay, line: int, log: str, language: str) -> str:
    """Where the count of this line went wrong, unless an earlier count was off by the same. `log`: the game's name."""
    stretch = next((stretch for stretch in find_stretches(game) if stretch.until == str(line)), None)
    if stretch is None:
        return translate("count.before", language)
    # 0 is the header: nothing was counted before
    began = translate("count.since" if stretch.after == "0" else "count.after", language, ref=stretch.after)
    return translate("count.where", language, began=began, log=log)


DECLARE_EPILOG = """\b
Example:
  spyrium fix declare "Anna 63, Bob 58"

It moves no point. An earlier result must be withdrawn first.

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("declare", cls=Command, epilog=DECLARE_EPILOG)
@game_argument
@click.argument("result")
@game_writer
def declare_result(writer: GameWriter, result: str) -> int:
    """Record the final result as the table has it."""
    appended = writer.append(partial(make_result, result=result, log=writer.log))
    game, language = replay(appended.log), appended.language
    totals = {score.seat: score.total for score in game.scores()}
    differing = [score for score in appended.line.results if totals.get(score.seat) != score.points]
    if not differing:
        say(translate("declare.agrees", language, line=appended.line.n))
        return 0
    for score in differing:
        total = totals.get(score.seat, 0)
        amounts = {"n": score.points, "log": total, "by": signed(score.points - total)}
        player = player_name(score.seat, game.players, language)
        draw(text(with_minus(translate("declare.one", language, player=player, **amounts))))
    say(translate("declare.off", language, line=appended.line.n, log=writer.log))
    return REFUSED


ADJUST_EPILOG = """\b
Examples:
  spyrium fix adjust "anna +2 points" --who "the table" --why "a bonus was missed"
  spyrium fix adjust "anna -1 money, bob +1 money" --who Cy --why "change was never given"

`spyrium play --help` has the letters of resources. To correct an amount within a move, use `spyrium fix amend`."""


@click.command("adjust", cls=Command, epilog=ADJUST_EPILOG)
@game_argument
@click.argument("amounts")
@who_option
@why_option
@game_writer
def record_adjustment(writer: GameWriter, amounts: str, who: str, why: str) -> None:
    """Record an amount that was ruled and belongs to no move."""
    # each amount with its cause, as behind the bar of any line
    postings = ", ".join(f"{amount.strip()} adjusted" for amount in amounts.split(","))

    def make_adjustment(before: Log, **signature: Unpack[Signature]) -> kinds.Event:
        """The line of the adjustment, read from its notation."""
        text = f"adjust {quote(who)}: {quote(why)} | {postings}"
        return cast("kinds.Event", read_line(Play(before), text, **signature))

    appended = writer.append(make_adjustment)
    appended.draw_changes()
    tell("said.adjusted", line=appended.line.n, who=who)


ACCEPT_EPILOG = """\b
Examples:
  spyrium fix accept 14 --rule turn.order --who Bob --why "nobody minded"
  spyrium fix accept 14 --who "the table" --why "we play it so"

An accepted finding stays listed and no longer counts. EVENT is the number that `spyrium validate` prints."""


@click.command("accept", cls=Command, epilog=ACCEPT_EPILOG)
@game_argument
@click.argument("event")
@click.option("--rule", help="The rule of the finding, where the event has several.")
@click.option("--expected", help="What the finding expected, where the rule has several.")
@who_option
@why_option
@game_writer
def accept_at_event(writer: GameWriter, event: str, rule: str | None, expected: str | None, who: str, why: str) -> None:
    """Accept a finding, with a reason."""
    # the finding as people read it, of which the line says only the rule
    accepted: list[Finding] = []

    def make_acceptance(before: Log, **signature: Unpack[Signature]) -> kinds.Accepted:
        """The line that accepts the one open finding which fits the options; Refusal where none or several fit."""
        matching = find_open_findings(before, event, rule=rule, expected=expected)
        if len(matching) != 1:
            play = Play(before)
            reader = reader_of(play.title, play.players, writer.session.language_of(play.title))
            others = matching or find_open_findings(before, event)
            raise Refusal(*_list_choices(others, event, reader, is_any=not matching))
        accepted.extend(matching)
        return accept_finding(before, matching[0], who=who, why=why, **signature)

    appended = writer.append(make_acceptance)
    reader = appended.reader
    verdict = translate("verdicts.accepted", reader.language)
    terminal.write_line(f"{verdict} {event:>4}  {finding_sentence(accepted[0], reader)}")
    say(translate("accept.says", reader.language, line=appended.line.n, who=who))


def _list_choices(findings: Sequence[Finding], event: str, reader: Reader, *, is_any: bool) -> Iterator[str]:
    """The lines of a refusal: the findings to choose from; `is_any`: all of the event, as none fits the options."""
    language = reader.language
    if not findings:
        yield translate("accept.none", language, event=event)
        return
    count = count_text(len(findings), "finding", language)
    yield translate("accept.of-none" if is_any else "accept.of-several", language, event=event, findings=count)
    rules = [finding.rule for finding in findings]
    for finding in findings:
        more = f" --expected {shlex.quote(str(finding.expected))}" if rules.count(finding.rule) > 1 else ""
        yield f"  --rule {finding.rule}{more}"
        yield f"      {finding_sentence(finding, reader)}"


READING_EPILOG = """\b
Examples:
  spyrium fix reading mine-1 price 4
  spyrium fix reading mine-1 price 4 --keep --sheet own.toml

The value counts for this game. With --keep it goes into your own sheet too, which new games start from. `spyrium sheet
cards` lists the components and their values."""


@click.command("reading", cls=Command, epilog=READING_EPILOG)
@game_argument
@click.argument("card")
@click.argument("what")
@click.argument("value")
@click.option("--keep", is_flag=True, help="Write the value into your own sheet, too.")
@option("--sheet", type=click.Path(dir_okay=False), envvar="SPYRIUM_SHEET", show_envvar=True)
@game_writer
def record_printed_value(writer: GameWriter, card: str, what: str, value: str, keep: bool, sheet: str | None) -> None:
    """Record a value as it is printed on your own component."""
    own_sheet = sheet or writer.session.settings.get("sheet").value
    if keep and not own_sheet:
        raise WrongCall("keep-sheet")
    appended = writer.append(partial(record_reading, value=_read_printed(card, what, value)))
    line = appended.line
    reader = reader_of(appended.log.title, (), writer.session.language_of(appended.log.title))
    of, name = Component(card).text_for(reader), reader.title_word("values", what)
    tell("said.reading", line=line.n, card=of, what=name, value=value_text(line.value.value, reader), who=line.by)
    appended.draw_changes()
    if keep:
        row = structs.replace(line.value, by=line.by, at=line.at.date().isoformat() if line.at else "")
        title, patience = appended.log.title, patience_of(writer.session)
        path = fill_in_title(str(own_sheet), title.key)
        write_readings(path, [row], over=title, name=OWN_SHEET_NAME, patience=patience)
        tell("said.kept", place=str(path))


def _read_printed(card: str, what: str, value: str) -> Printed:
    """The value as a sheet holds it: a number where it looks like one; Complaint where no component has such a one."""
    number_or_text = int(value) if re.fullmatch(r"[+-]?[0-9]{1,5}", value) else value
    try:
        return convert([card, what, number_or_text, "read"], Printed)
    except ValidationError as error:
        raise Complaint(call_message("printable", found=str(error))) from None


HEADER_EPILOG = """\b
Examples:
  spyrium fix header --seat bob --name Bobby --why "so he is called"
  spyrium fix header --date 2026-11-18 --place "the club" --why "it was missing"
  spyrium fix header --first cy --why "the scribe slipped"

Players cannot change seats in this way: that is another game."""


@click.command("header", cls=Command, epilog=HEADER_EPILOG)
@game_argument
@click.option("--seat", metavar="WHO", help="The seat to correct: a name, a colour or a number.")
@click.option("--name", "player", help="The right name of the player.")
@click.option("--colour", help="The right colour of the seat.")
@option("--first", metavar="WHO")
@option("--date", "day")
@place_option
@why_option
@game_writer
def change_header(
    writer: GameWriter,
    seat: str | None,
    player: str | None,
    colour: str | None,
    first: str | None,
    day: str | None,
    place: str | None,
    why: str,
) -> None:
    """Correct who played, in which colour, who began, when and where."""
    if not any((seat, player, colour, first, day, place)):
        raise WrongCall("header")

    def make_correction(before: Log, **signature: Unpack[Signature]) -> kinds.Corrected:
        """The line of the correction; seats are typed by the names that the header has now."""
        names = names_of(Play(before).header)
        return correct_header(
            before,
            seat=names.seat_of(seat) if seat else None,
            player=player.strip() if player is not None else None,
            colour=read_colour(colour, before.title.colours) if colour else None,
            first=names.seat_of(first) if first else None,
            played=parse_day(day) if day else None,
            place=place,
            why=why,
            **signature,
        )

    appended = writer.append(make_correction)
    language = writer.session.language
    before, after = (_header_fields(Play(log).header, language) for log in (appended.before, appended.log))
    for field, value in before.items():
        if value != after[field]:
            terminal.write_line(_describe_field(field, value, after[field]))
    appended.draw_changes()
    tell("said.corrected", line=appended.line.n)


def _header_fields(header: kinds.AnyHeader, language: str) -> dict[str, str]:
    """What can be corrected in a header, by its field or the number of a seat, to show what a correction changes."""
    named = [f"{seat.player} ({colour_name(seat.colour, language)})" for seat in header.seats]
    seats = {str(number): seat for number, seat in enumerate(named, 1)}
    first = header.seats[header.first - 1].player
    return {**seats, "first": first, "played": header.played or "", "place": header.place or ""}


def _describe_field(field: str, before: str, after: str) -> str:
    """What was corrected in a header: `place: unknown → Bonn`."""
    name = shell_message("header.seat", n=int(field)) if field.isdecimal() else shell_message(f"header.{field}")
    values = (value or shell_message("header.unknown") for value in (before, after))
    return spoken(shell_message("header.change", field=name, before=next(values), after=next(values)))


WITHDRAW_EPILOG = """\b
Example:
  spyrium fix withdraw 14 --why "that was another game"

LINE is a correction, a reading, a result, an accepted finding or a seal. `spyrium undo` takes back what is on the
timeline."""


@click.command("withdraw", cls=Command, epilog=WITHDRAW_EPILOG)
@game_argument
@click.argument("line", type=click.IntRange(min=0))
@why_option
@game_writer
def withdraw_by_number(writer: GameWriter, line: int, why: str) -> None:
    """Withdraw a line that is not on the timeline."""
    appended = writer.append(partial(withdraw_line, line=line, why=why))
    withdrawn = spoken(shell_message("header.withdrawn"))
    terminal.write_line(f"{withdrawn} {line:>4}  {write_line(Play(appended.before), appended.before.lines[line])}")
    appended.draw_changes()
    tell("said.line-withdrawn", line=appended.line.n)

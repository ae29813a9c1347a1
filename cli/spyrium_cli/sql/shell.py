"""`spyrium query` without a question: a prompt for SQL with history and completion; Ctrl-C stops one question."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from spyrium_cli.complaint import Complaint
from spyrium_cli.render.rows import FORMATS, SCREENFUL, write
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import counted
from spyrium_cli.sql.index import say_held
from spyrium_cli.sql.limits import Limits, allowed_memory
from spyrium_cli.sql.process import QueryProcess, Question
from spyrium_cli.terminal import read_line
from spyrium_log.errors import SpyriumLogError
from spyrium_log.readmodel import query

PROMPT, AGAIN = "spyrium> ", "    ...> "
KEPT_LINES = 2000
WORDS = """
SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT JOIN LEFT USING ON AS WITH UNION ALL DISTINCT FILTER OVER PARTITION
QUALIFY CASE WHEN THEN ELSE END AND OR NOT IN IS NULL DESCRIBE
"""
HELP = """\
.tables          what there is to ask          .schema [TABLE]  columns, and what they mean
.mode FORMAT     table, csv, json, jsonl, md   .limit N         rows shown; 0: all
.timer on|off    how long each question takes  .saved           questions that have names
.run NAME        ask one of them               .save NAME       keep the last question
.help            this                          .quit            leave; so does Ctrl-D

SQL ends with a semicolon and may go over several lines. Ctrl-C stops a question, or forgets the line."""


class Shell:
    """What was typed so far, and how answers are shown."""

    def __init__(self, index: Path, limits: Limits | None = None, *, unsafe: bool = False) -> None:
        self._index = index
        self._limits = limits or Limits(allowed_memory(None))
        # The process for the next question.
        self._next: QueryProcess | None = None
        self._unsafe = unsafe
        self._typed: list[str] = []
        self._last = ""
        self._form = "table"
        self._limit = SCREENFUL
        self._is_timed = False
        self._known: tuple[str, ...] | None = None
        self._commands: Mapping[str, Callable[[str], None]] = {
            "tables": lambda _: self._schema(""),
            "schema": self._schema,
            "mode": self._mode,
            "limit": self._limit_to,
            "timer": self._timer,
            "saved": self._saved,
            "run": self._run_named,
            "save": self._save,
            "help": self._help,
        }

    def _help(self, _: str) -> None:
        for line in HELP.splitlines():
            say(line)

    def run(self) -> None:
        """Until somebody leaves."""
        say(".help says what can be typed, .quit leaves")
        with _history(self.complete), self._ended():
            while True:
                # It is ready by the time that somebody has typed.
                self._next = self._next or QueryProcess(self._limits)
                try:
                    line = read_line(AGAIN if self._typed else PROMPT)
                except EOFError:
                    say("")
                    return
                except KeyboardInterrupt:
                    self._typed.clear()
                    say("")
                    continue
                if not self.feed(line):
                    return

    def feed(self, line: str) -> bool:
        """One more line; false when somebody leaves. What goes wrong is said, and nothing ends for it."""
        words = line.strip()
        if not self._typed and words in {".quit", ".exit", "quit", "exit"}:
            return False
        try:
            if not self._typed and words.startswith("."):
                self._command(words[1:])
            elif words or self._typed:
                self._typed.append(line)
                if words.endswith(";"):
                    asked = "\n".join(self._typed)
                    self._typed.clear()
                    self._ask(asked)
        except (SpyriumLogError, Complaint) as error:
            say(f"Error: {error.message if isinstance(error, Complaint) else error}")
        except KeyboardInterrupt:
            say("stopped")
        return True

    # --- questions -----------------------------------------------------------------------------

    def _ask(self, sql: str, parameters: Mapping[str, object] | None = None) -> None:
        self._last = sql
        process, self._next = self._next or QueryProcess(self._limits), None
        question = Question(sql, parameters or {}, self._form, self._limit, self._unsafe)
        with process:
            began = time.perf_counter()
            outcome = process.answer(self._index, question, say_held)
            took = time.perf_counter() - began
        if outcome.more:
            say(f"the first {self._limit:,} rows; .limit 0 shows all")
        if self._is_timed:
            say(f"{counted(outcome.rows, 'row')} in {took:.3f} s")

    @contextmanager
    def _ended(self) -> Iterator[None]:
        """Nobody asks any more once somebody leaves."""
        try:
            yield
        finally:
            if self._next is not None:
                self._next.close()

    # --- commands ------------------------------------------------------------------------------

    def _command(self, words: str) -> None:
        name, _, rest = words.partition(" ")
        if name not in self._commands:
            raise Complaint(f"expected one of {', '.join(f'.{one}' for one in self._commands)}, found '.{name}'")
        self._commands[name](rest.strip())

    def _schema(self, table: str) -> None:
        from spyrium_log.readmodel import described

        answer = described(self._index, table or None)
        write(answer.columns, answer.rows, self._form)

    def _mode(self, form: str) -> None:
        if form not in FORMATS:
            raise Complaint(f"expected one of {', '.join(FORMATS)}, found '{form}'")
        self._form = form

    def _limit_to(self, said: str) -> None:
        if not said.isdecimal():
            raise Complaint(f"expected a number of rows, found '{said}'")
        self._limit = int(said)

    def _timer(self, said: str) -> None:
        if said not in {"on", "off"}:
            raise Complaint(f"expected on or off, found '{said}'")
        self._is_timed = said == "on"

    def _saved(self, _: str) -> None:
        from spyrium_cli.sql.saved import saved_questions
        from spyrium_log.readmodel import reports

        write(("name", "answers"), [(one.name, one.question) for one in (*saved_questions(), *reports())], self._form)

    def _run_named(self, name: str) -> None:
        from spyrium_cli.sql.saved import bind_values, find_question

        self._ask(*bind_values(find_question(name), {}))

    def _save(self, name: str) -> None:
        from spyrium_cli.sql.saved import save_question

        if not self._last:
            raise Complaint("expected a question to keep, found none yet")
        say(f"kept, at {save_question(name, self._last, '', force=False)}")

    # --- completion ----------------------------------------------------------------------------

    def complete(self, text: str, state: int) -> str | None:
        """The nth word that begins so, as readline asks: tables, columns, macros, words of SQL."""
        if self._known is None:
            self._known = tuple(self._words())
        begun = text.casefold()
        found = [word for word in self._known if word.casefold().startswith(begun) and word.isprintable()]
        return found[state] if state < len(found) else None

    def _words(self) -> Iterator[str]:
        names = """
            SELECT table_name FROM duckdb_tables() WHERE NOT internal
            UNION SELECT view_name FROM duckdb_views() WHERE NOT internal
            UNION SELECT column_name FROM duckdb_columns() WHERE NOT internal
            UNION SELECT function_name || '(' FROM duckdb_functions() WHERE NOT internal
            ORDER BY ALL
        """
        with suppress(SpyriumLogError):
            yield from (str(row[0]) for row in query(self._index, names).rows)
        yield from WORDS.split()
        yield from (f".{name}" for name in (*self._commands, "quit"))


@contextmanager
def _history(complete: Callable[[str, int], str | None]) -> Iterator[None]:
    """Lines of earlier evenings under the arrow keys, where this Python has readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    from spyrium_cli.settings.folders import directory

    file = directory("state") / "query_history"
    with suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(KEPT_LINES)
    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n,()=<>!+-*/;'\"")
    # libedit, which macOS brings under the same name, has another word for it.
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(file)
        readline.set_completer(None)

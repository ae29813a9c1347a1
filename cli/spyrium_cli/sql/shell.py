"""The SQL prompt of `spyrium query`, with history and completion; Ctrl-C stops a question."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from spyrium_cli.complaint import Complaint, shell_message, spoken
from spyrium_cli.render.relations import write_relations
from spyrium_cli.render.rows import FORMATS, SCREENFUL, write
from spyrium_cli.render.surface import say, tell
from spyrium_cli.session import FOR_PEOPLE, current_language
from spyrium_cli.sql.index import warn_if_held
from spyrium_cli.sql.limits import Limits, allowed_memory
from spyrium_cli.sql.process import QueryProcess, Question
from spyrium_cli.sql.saved import bind_values, find_question, list_questions, save_question
from spyrium_cli.terminal import read_line, write_note
from spyrium_log.errors import SpyriumLogError
from spyrium_log.messages import Count
from spyrium_log.readmodel.answers import describe_tables, query

PROMPT, CONTINUATION = "spyrium> ", "    ...> "
HISTORY_LINES = 2000
WORDS = """
SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT JOIN LEFT USING ON AS WITH UNION ALL DISTINCT FILTER OVER PARTITION
QUALIFY CASE WHEN THEN ELSE END AND OR NOT IN IS NULL DESCRIBE
"""


class Shell:
    """One session at the prompt."""

    def __init__(
        self, index: Path, limits: Limits | None = None, *, title: str | None = None, unsafe: bool = False
    ) -> None:
        """`index`: the tables. `limits`: of a question. `title`: whose reports `.saved` lists; None: of all."""
        self._index = index
        self._limits = limits or Limits(allowed_memory(wanted=None))
        # the process for the next question, started in advance
        self._prepared_process: QueryProcess | None = None
        self._title = title
        self._unsafe = unsafe
        self._typed_lines: list[str] = []
        self._last_question = ""
        self._form = "table"
        self._limit = SCREENFUL
        self._is_timed = False
        self._known_words: list[str] | None = None
        self._commands: Mapping[str, Callable[[str], None]] = {
            "tables": lambda _: self._describe_tables(""),
            "schema": self._describe_tables,
            "mode": self._set_format,
            "limit": self._set_limit,
            "timer": self._set_timer,
            "saved": self._list_saved,
            "run": lambda name: self._ask(*bind_values(find_question(name), {})),
            "save": self._save_last_question,
            "help": lambda _: write_note(spoken(shell_message("sql.help")), keep="\n"),
        }

    def run(self) -> None:
        """Take lines until `.quit` or the end of input."""
        tell("sql.welcome")
        with _enable_line_editing(self.complete):
            try:
                while self._read_and_feed():
                    pass
            finally:
                if self._prepared_process is not None:
                    self._prepared_process.close()

    def _read_and_feed(self) -> bool:
        """Prompt for one line and take it; ^C forgets what was typed. Returns False to leave."""
        # ready by the time that somebody has typed
        self._prepared_process = self._prepared_process or QueryProcess(self._limits)
        try:
            line = read_line(CONTINUATION if self._typed_lines else PROMPT)
        except EOFError:
            say("")
            return False
        except KeyboardInterrupt:
            self._typed_lines.clear()
            say("")
            return True
        return self.feed(line)

    def feed(self, line: str) -> bool:
        """Take one line. Returns False to leave. An error is reported and ends nothing."""
        words = line.strip()
        if not self._typed_lines and words.removesuffix(";").rstrip().casefold() in {".quit", ".exit", "quit", "exit"}:
            return False
        try:
            if not self._typed_lines and words.startswith("."):
                self._run_command(words[1:])
            elif words or self._typed_lines:
                self._add_sql(line)
        except (SpyriumLogError, Complaint) as error:
            message = spoken(error.sentence if isinstance(error, Complaint) else error.message)
            tell("shell.error", message=message)
        except KeyboardInterrupt:
            tell("sql.stopped")
        return True

    def _add_sql(self, line: str) -> None:
        """Add a line to the question that is being typed; one that ends with a semicolon asks it."""
        self._typed_lines.append(line)
        if line.rstrip().endswith(";"):
            question = "\n".join(self._typed_lines)
            self._typed_lines.clear()
            self._ask(question)

    def _ask(self, sql: str, parameters: Mapping[str, object] | None = None) -> None:
        """Ask a question in a process of its own, and write the answer."""
        self._last_question = sql
        process, self._prepared_process = self._prepared_process or QueryProcess(self._limits), None
        question = Question(sql, parameters or {}, self._form, self._limit, self._unsafe)
        with process:
            start = time.perf_counter()
            outcome = process.answer(self._index, question, warn_if_held)
            seconds = time.perf_counter() - start
        if outcome.more:
            tell("sql.first-rows-shell", n=f"{self._limit:,}")
        if self._is_timed:
            tell("sql.timed", rows=Count(outcome.rows, "row"), seconds=f"{seconds:.3f}")

    def _run_command(self, words: str) -> None:
        """Run a command such as `mode csv`; Complaint for one that there is not."""
        name, _, argument = words.partition(" ")
        if name not in self._commands:
            known = ", ".join(f".{command}" for command in self._commands)
            raise Complaint(shell_message("sql.no-command", known=known, found=name))
        self._commands[name](argument.strip())

    def _describe_tables(self, table: str) -> None:
        """List the columns of a table and what they mean, or the tables where no name is given."""
        answer = describe_tables(self._index, table or None)
        write_relations(answer, self._form, current_language())

    def _set_format(self, form: str) -> None:
        """Write later answers in this format."""
        if form not in FORMATS:
            raise Complaint(shell_message("sql.no-format", known=", ".join(FORMATS), found=form))
        self._form = form

    def _set_limit(self, text: str) -> None:
        """Show at most so many rows of later answers; 0: all."""
        if not text.isdecimal():
            raise Complaint(shell_message("sql.limit", found=text))
        self._limit = int(text)

    def _set_timer(self, text: str) -> None:
        """Say how long later questions take, or no longer."""
        if text not in {"on", "off"}:
            raise Complaint(shell_message("sql.on-off", found=text))
        self._is_timed = text == "on"

    def _list_saved(self, _: str) -> None:
        """Write the questions that have names: the user's own, and the reports. It takes no argument."""
        saved, reports = list_questions(self._title)
        rows = [(question.name, question.question) for question in (*saved, *reports)]
        heads = [spoken(shell_message(f"sql.column-{head}")) for head in ("name", "answers")]
        write(heads if self._form in FOR_PEOPLE else ("name", "answers"), rows, self._form)

    def _save_last_question(self, name: str) -> None:
        """Save the last question under a name, for `.run` and `spyrium query @NAME`."""
        if not self._last_question:
            raise Complaint(shell_message("sql.nothing-asked"))
        file = save_question(name, self._last_question, "", force=False)
        tell("sql.saved-at", place=str(file))

    def complete(self, text: str, index: int) -> str | None:
        """The word number `index`, from 0, that begins so, as readline asks for it; None after the last one."""
        if self._known_words is None:
            self._known_words = self._list_words()
        typed = text.casefold()
        matches = [word for word in self._known_words if word.casefold().startswith(typed) and word.isprintable()]
        return matches[index] if index < len(matches) else None

    def _list_words(self) -> list[str]:
        """The words to complete: tables, columns, macros, words of SQL, commands."""
        names = """
            SELECT table_name FROM duckdb_tables() WHERE NOT internal
            UNION SELECT view_name FROM duckdb_views() WHERE NOT internal
            UNION SELECT column_name FROM duckdb_columns() WHERE NOT internal
            UNION SELECT function_name || '(' FROM duckdb_functions() WHERE NOT internal
            ORDER BY ALL
        """
        words: list[str] = []
        with suppress(SpyriumLogError):
            words = [str(name) for (name,) in query(self._index, names).rows]
        return [*words, *WORDS.split(), *(f".{name}" for name in (*self._commands, "quit"))]


@contextmanager
def _enable_line_editing(complete: Callable[[str, int], str | None]) -> Iterator[None]:
    """Edit lines with completion and those of earlier sessions under the arrow keys, where there is readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    from spyrium_cli.settings.file import directory

    file = directory("state") / "query_history"
    with suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(HISTORY_LINES)
    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n,()=<>!+-*/;'\"")
    # libedit, which macOS installs under this name, spells it differently
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(file)
        readline.set_completer(None)

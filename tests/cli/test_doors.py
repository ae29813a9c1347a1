"""Words reach a screen through two modules, which write out whatever would steer it; no other module goes round them.

`render/paper.py` makes texts, tables and boxes, `terminal.py` writes lines, data and questions. rich and click write
what they are given as it is, so that any other call of theirs with words in it would be a hole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLI = ROOT / "cli" / "spyrium_cli"
LIBRARY = ROOT / "spyrium_log"
DOORS = {"render/paper.py", "terminal.py"}
# What is made of no words, or of those of the program itself.
WORDLESS = {"Binding", "Container", "TerminalTheme", "Vertical", "cell_len", "set_cell_size"}
ALLOWED = {
    # a bar with a word of ours beside it
    "render/surface.py": {
        *("BarColumn", "Console", "MofNCompleteColumn", "Progress", "TextColumn", "TimeRemainingColumn")
    },
    # what the process that answers a question wrote through the two modules is handed on as it is
    "sql/frames.py": {"os.write"},
    "sql/process.py": {"sys.stdout.buffer.write"},
    "tui/full_screen.py": {"Static"},
}
FOREIGN = ("rich", "textual")
CLICK = {"clear", "confirm", "echo", "echo_via_pager", "pause", "progressbar", "prompt", "secho"}
PRINTING = {"input", "print"}
# What can be called of anything that rich or textual made, and shows the words that it is given.
SHOWING = {
    *("append_tokens", "assemble", "copy_to_clipboard", "from_ansi", "from_markup", "notify", "print", "print_json")
}
SHOWN = {*("border_subtitle", "border_title", "caption", "placeholder", "plain", "sub_title", "title", "tooltip")}
STREAMS = {"__stderr__", "__stdout__", "stderr", "stdout"}
# Whatever appends lines to a log.
LOGS = {"play", "self.play", "table", "writer"}
# Ends of lines, and a tab in a file for programs, may be ours.
KEPT = {"\n", "\n\t"}
KEEPING = {"plain", "text", "write_line", "write_note"}
LISTS = {"ET.Element", "deque", "list", "sorted"}
# What a console is asked for without being given words.
MEASURING = {"options", "render_lines", "width"}


def holes(code: str, module: str = "") -> Iterator[str]:
    """Each place where words would get past, with its line."""
    tree = ast.parse(code)
    names = _foreign_names(tree)
    lists = _lists(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found = _call(node, names, lists)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            found = _assigned(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            found = "words added to a text" if _is_text(node.left) or _is_text(node.right) else ""
        else:
            continue
        if found and found.removesuffix("()") not in ALLOWED.get(module, set()):
            yield f"{node.lineno}: {found}"


def _foreign_names(tree: ast.AST) -> set[str]:
    """What the module has from rich, textual and click under names of its own."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in FOREIGN:
            found |= {name.asname or name.name for name in node.names if name.name not in WORDLESS}
        if isinstance(node, ast.ImportFrom) and node.module in {"click", "sys"}:
            found |= {name.asname or name.name for name in node.names if name.name in CLICK | STREAMS}
        if isinstance(node, ast.Import):
            found |= {name.asname or "rich" for name in node.names if name.name.partition(".")[0] in FOREIGN}
    return found


def _lists(tree: ast.AST) -> set[str]:
    """The names of everything that is a list, as far as the module itself says so."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value) if _makes_list(value):
                found |= {ast.unparse(target) for target in targets}
            case ast.AnnAssign(target=target, annotation=of) if ast.unparse(of).startswith(("deque[", "list[")):
                found.add(ast.unparse(target))
            case ast.arg(arg=name, annotation=ast.expr() as of) if ast.unparse(of).startswith(("deque[", "list[")):
                found.add(name)
    return found


def _makes_list(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _makes_list(value.body) and _makes_list(value.orelse)
    return isinstance(value, ast.List | ast.ListComp) or (
        isinstance(value, ast.Call) and ast.unparse(value.func) in LISTS
    )


def _call(call: ast.Call, names: set[str], lists: set[str]) -> str:
    name = ast.unparse(call.func)
    root, _, last = name.partition(".")[0], "", name.rpartition(".")[2]
    if root in names or name in PRINTING or (root == "click" and last in CLICK):
        return f"{name}()"
    if isinstance(call.func, ast.Attribute) and (found := _method(call, call.func, lists)):
        return found
    for word in call.keywords if last in KEEPING else ():
        if word.arg == "keep" and not (isinstance(word.value, ast.Constant) and word.value.value in KEPT):
            return "keep of something else than the end of a line"
    return ""


def _method(call: ast.Call, func: ast.Attribute, lists: set[str]) -> str:
    """Of a text, a table, a widget or a stream."""
    of = ast.unparse(func.value)
    if func.attr in SHOWING or (of == "console()" and func.attr not in MEASURING):
        return f".{func.attr}()"
    if func.attr == "append" and not _is_literal(call.args[0]) and not _is_list(func.value, lists):
        return f"{of}.append()"
    if func.attr == "add_column" and (call.args or any(word.arg in {"footer", "header"} for word in call.keywords)):
        return ".add_column() with words"
    if func.attr == "update" and "query_one" in of and not ast.unparse(call.args[0]).startswith("stack("):
        return ".update() of a widget"
    if func.attr in {"write", "writelines"} and (set(of.split(".")) & STREAMS or of == "os"):
        return f"{of}.{func.attr}()"
    return ""


def _assigned(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> str:
    if isinstance(node, ast.AugAssign) and _is_text(node.value):
        return "words added to a text"
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    shown = [target.attr for target in targets if isinstance(target, ast.Attribute) and target.attr in SHOWN]
    return f".{shown[0]} =" if shown else ""


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_list(node: ast.expr, lists: set[str]) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_list(node.body, lists) and _is_list(node.orelse, lists)
    name = ast.unparse(node)
    return name in lists or name in LOGS or (".setdefault(" in name and name.endswith(", [])"))


def _is_text(node: ast.expr) -> bool:
    """A text as the door makes it, with what was appended to it."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "text"


def modules(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))


@pytest.mark.parametrize("module", modules(CLI))
def test_words_reach_a_screen_through_the_doors_alone(module: str) -> None:
    found = list(holes((CLI / module).read_text(encoding="utf-8"), module))
    if module in DOORS:
        assert found != []
    else:
        assert found == []


@pytest.mark.parametrize("module", modules(LIBRARY))
def test_the_library_writes_to_no_screen(module: str) -> None:
    """It has neither rich nor click; its lists append what they like, and its games have titles."""
    found = list(holes((LIBRARY / module).read_text(encoding="utf-8"), module))
    assert [hole for hole in found if "()" in hole and ".append()" not in hole] == []


# The two places through which a name reached the terminal as it was.
OLD = (
    """
from rich.text import Text
from spyrium_cli.render.paper import text

def head(steps: Stepper, scores: Sequence[Score] | None, width: int, *, recorded: bool) -> Text:
    line = text("━━ ")
    standing = next((told for told in _standings(steps, scores or ()) if line.cell_len + len(told) < width), "")
    line.append(f"{standing} ")
    return line
""",
    """
from rich.text import Text
from spyrium_cli.render.paper import text

def rule(recorder: Recorder, width: int) -> Text:
    line = text("━━ ").append(f"{said}{asked} ", "bold")
    return line
""",
)


@pytest.mark.parametrize("code", OLD, ids=["stepper", "recorder"])
def test_the_two_old_places_would_be_seen(code: str) -> None:
    (found,) = holes(code, "tui/stepper_panes.py")
    assert ".append()" in found


@pytest.mark.parametrize(
    "code",
    [
        "from rich.text import Text\nText(name)",
        "from rich.text import Text as T\nT('word')",
        "from rich.text import Text\nText.assemble(name)",
        "import rich.text\nrich.text.Text(name)",
        "from rich.table import Table\nTable(title=name)",
        "from rich.table import Table\nTable.grid()",
        "from rich.panel import Panel\nPanel(name)",
        "from rich.console import Group\nGroup(name)",
        "from rich import print as show\nshow(name)",
        "from textual.widgets import Static, Input\nInput(placeholder=name)",
        "line = text('a')\nline.append(name, 'bold')",
        "line.append(' '.join(names))",
        "text('a') + name",
        "name + text('a').append('b')",
        "line += text('a')",
        "text(name, keep=name)",
        "text(name, keep='\\x1b')",
        "line.plain = name",
        "table.title = name",
        "self.border_title = name",
        "table.add_column(name)",
        "table.add_column(header=name)",
        "self.notify(name)",
        "self.copy_to_clipboard(name)",
        "self.query_one('#head', Static).update(name)",
        "console().print(name)",
        "console().rule(name)",
        "click.echo(name)",
        "from click import echo\necho(name)",
        "click.prompt(name)",
        "click.confirm(name)",
        "print(name)",
        "input(name)",
        "sys.stdout.write(name)",
        "sys.stderr.buffer.write(name)",
        "sys.__stdout__.write(name)",
        "from sys import stdout\nstdout.write(name)",
        "os.write(1, name)",
    ],
)
def test_a_planted_hole_is_seen(code: str) -> None:
    assert list(holes(code)) != []


@pytest.mark.parametrize(
    "code",
    [
        "draw(text(name, 'bold').append_text(text(word)))",
        "text('a').append('\\n')",
        "found = []\nfound.append(name)",
        "def f(into: list[str]) -> None:\n    into.append(name)",
        "by.setdefault(name, []).append(word)",
        "with written(session, log) as writer:\n    writer.append(line)",
        "write_line(name)",
        "text(name, keep='\\n')",
        "file.write(text)",
        "from rich.text import Text\ndef f(line: Text) -> Text: ...",
    ],
)
def test_what_goes_through_a_door_is_no_hole(code: str) -> None:
    assert list(holes(code)) == []

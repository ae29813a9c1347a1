"""TOML is what the standard library says it is, but for keys that it takes minutes over."""

from __future__ import annotations

import tomllib

import pytest

from spyrium_log.errors import AliasError, SheetError
from spyrium_log.sheet import parse_sheet
from spyrium_log.store import parse_aliases
from spyrium_log.toml import MOST_PARTS, read_toml


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.b.c = 1\n[d]\ne = '.......................'\n",
        'text = "a sentence. And another. Or one with \\" a quote. ' + "." * 40 + '"\n',
        ".".join(["a"] * MOST_PARTS) + " = 1\n",
    ],
)
def test_what_people_write_is_read(text: str) -> None:
    assert read_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize("part", ["a", '"a"', "'a'", " a "])
@pytest.mark.parametrize("form", ["{} = 1", "[{}]", "[[{}]]", "x = {{ {} = 1 }}"])
def test_a_key_of_many_parts_is_refused_before_it_is_read(part: str, form: str) -> None:
    text = "a = 1\n" + form.format(".".join([part] * 300_000)) + "\n"
    with pytest.raises(tomllib.TOMLDecodeError, match=r"More than 16 parts in a key \(at line 2, column 1\)"):
        read_toml(text)


def test_whoever_reads_it_says_where() -> None:
    text = ".".join(["a"] * 300_000) + " = 1\n"
    with pytest.raises(SheetError, match=r"found: More than 16 parts in a key, at own\.toml:1"):
        parse_sheet(text, "own.toml")
    with pytest.raises(AliasError, match=r"found: More than 16 parts .* at players\.toml"):
        parse_aliases(text, "players.toml")


DOTS = "." * 30


@pytest.mark.parametrize(
    "text",
    [
        f'map = """\n{DOTS}\n{DOTS}\n"""\nb = 1\n',
        f"map = '''\n{DOTS}\n'''''\nb = 1\n",
        f'map = """a\\"""{DOTS}"""""\nb = "{DOTS}"\n',
        f"b = 1 # {DOTS} \"\"\"\nc = ''\nd = \"\" # '''{DOTS}\n",
    ],
)
def test_dots_in_strings_and_comments_are_no_key(text: str) -> None:
    assert read_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "before", ['a = """b"""\n', "a = ''''b'''''\n", 'a = "" # """\n', "a = '#'\n", 'a = """\\""""\n']
)
def test_a_long_key_behind_a_string_is_refused(before: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match="More than 16 parts"):
        read_toml(before + ".".join(["a"] * 300_000) + " = 1\n")

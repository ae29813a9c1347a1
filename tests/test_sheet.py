"""Component sheets: every value has a source, a slip is refused, a reading lies over what stood there."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spyrium_log.errors import SheetError
from spyrium_log.play import Play
from spyrium_log.sheet import (
    Difference,
    Printed,
    Sheet,
    Source,
    add_readings,
    compare_sheets,
    format_sheet,
    leading_comments,
    parse_sheet,
)
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium import read_sheet
from spyrium_log.titles.spyrium.cards import DECK_SIZES, KIND_SIZES, PERIODS, read_printed

SPYRIUM = TITLES["spyrium"]
OWN = """
name = "Anna's box"
["mine-1"]
price = [4, "read", "Anna", "2026-11-18"]
"""


def test_the_sheet_that_ships_fills_the_decks() -> None:
    designs = read_printed(read_sheet()).designs.values()
    for at, period in enumerate(PERIODS):
        assert sum(design.copies[at] for design in designs) == DECK_SIZES[period]
    for kind, size in KIND_SIZES.items():
        assert sum(sum(design.copies) for design in designs if design.kind == kind) == size


@pytest.mark.parametrize(
    ("of", "what", "value"),
    [
        ("apprentice", "price", 0),
        ("factory-1", "price", 6),
        ("luxury-home", "points", 6),
        ("mansion", "points", 9),
        ("palace", "points", 12),
        ("residence-track", "space-1", 2),
    ],
)
def test_what_the_rulebook_prints(of: str, what: str, value: int) -> None:
    assert read_sheet().rows_by_key()[of, what].value == value


def test_an_assumption_is_never_called_anything_else() -> None:
    certain = {(row.of, row.what) for row in read_sheet().printed if row.source == "rulebook" and row.what == "price"}
    assert certain == {("apprentice", "price")}


def test_an_own_sheet_lies_over_the_one_that_ships() -> None:
    own = read_sheet().with_own_values(parse_sheet(OWN))
    assert read_printed(own).designs["mine-1"].price == 4
    assert own.rows_by_key()["mine-1", "price"] == Printed("mine-1", "price", 4, "read", "Anna", "2026-11-18")
    assert own.name == "Anna's box"
    assert len(own.printed) == len(read_sheet().printed)
    assert own.digest() != read_sheet().digest()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "x"\n["mine-9"]\nprice = [1, "read"]', "'mine-9'"),
        ('name = "x"\n["mine-1"]\nprise = [1, "read"]', "'prise'"),
    ],
)
def test_a_slip_in_an_own_sheet_is_refused(text: str, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        read_sheet().with_own_values(parse_sheet(text))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("price = ", 1),
        ('name = "x"\n\n["mine-1', 3),
        ('["mine-1"]\nprice = [1, "read"]', 1),
        ("name = 7", 1),
        ('name = "x"\n["mine-1"]\nprice = [1, "guessed"]', 3),
        ('name = "x"\ny = 1', 2),
        ('name = "x"\n["mine-1"]\nprice = "ab"', 3),
        ("name = 'x'\n['mine-1'] # here\npoints = [1, 'read']\n'price' = [true, 'read']", 4),
        ('name = "x"\n["mine-1"]\nprice = [1.5, "read"]', 3),
        ('name = "x"\n["mine-1"]\nprice = [nan, "read"]', 3),
        ('name = "x"\n["mine-1"]\nprice = [99999, "read"]', 3),
        (f'name = "x"\n["mine-1"]\nprice = [{"9" * 5000}, "read"]', 3),
        ('name = "x"\n["mine-1"]\nprice = [1, "read", 1979-05-27]', 3),
        ('name = "x"\n["mine-1"]\nprice.a.b = [1, "read"]', 2),
        (f'name = "x"\n["{"m" * 41}"]\nprice = [1, "read"]', 3),
        (f'name = "{"x" * 81}"', 1),
        (f"name = {'[' * 100_000}", 1),
        ('name = "x"\n["a"]\n' + "".join(f'v{n} = [1, "read"]\n' for n in range(2001)), 1),
        ('name = "x"\n["a"]\nb = [1, "read"]\nb = [2, "read"]', 4),
    ],
)
def test_what_is_no_sheet_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(SheetError, match=f", at own.toml:{line}$"):
        parse_sheet(text, "own.toml")


def test_a_value_said_twice_is_refused() -> None:
    twice = Sheet(name="x", printed=(Printed("a", "b", 1, "read"), Printed("a", "b", 2, "read")))
    with pytest.raises(SheetError, match="twice"):
        twice.rows_by_key()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Printed("mine-1", "price", "dear", "read"), "number"),
        (Printed("residence-track", "space-1", "x", "read"), "number"),
    ],
)
def test_a_log_does_not_begin_on_a_sheet_the_rules_cannot_read(row: Printed, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        Play.new(SPYRIUM, game="game", players=("A", "B"), sheet=read_sheet().with_readings(row))


@pytest.mark.parametrize("missing", ["mine-1", "residence-track"])
def test_a_log_does_not_begin_on_a_sheet_that_lacks_a_component(missing: str) -> None:
    rows = tuple(row for row in read_sheet().printed if row.of != missing)
    with pytest.raises(SheetError, match=missing[:6]):
        Play.new(SPYRIUM, game="game", players=("A", "B"), sheet=Sheet(name="x", printed=rows))


# --- written and compared ------------------------------------------------------------------------

LAW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
SMALL = st.text(max_size=12)
ROWS = st.builds(
    Printed,
    of=SMALL.filter(lambda of: of != "name"),
    what=SMALL,
    value=st.integers(-9999, 9999) | SMALL | st.integers(-9, 9).map(str),
    source=st.sampled_from(get_args(Source)),
    by=SMALL,
    at=SMALL,
)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Any sheet, the values of a component together."""
    rows = {(row.of, row.what): row for row in draw(st.lists(ROWS, max_size=12))}
    return Sheet(name=draw(SMALL), printed=()).with_readings(*rows.values())


@LAW
@given(sheet=sheets(), head=st.sampled_from(("", "# mine\n\n")))
def test_a_sheet_written_is_the_sheet_read(sheet: Sheet, head: str, counts: Counter[str]) -> None:
    toml = format_sheet(sheet, head)
    assert parse_sheet(toml) == sheet
    assert parse_sheet(toml).digest() == sheet.digest()
    assert leading_comments(toml) == head
    counts["sheets written and read"] += 1


@LAW
@given(own=sheets(), rows=st.lists(ROWS, max_size=5))
def test_values_written_one_at_a_time_are_the_sheet_with_them(
    own: Sheet, rows: list[Printed], counts: Counter[str]
) -> None:
    toml = add_readings(format_sheet(own), rows)
    assert parse_sheet(toml) == own.with_readings(*rows)
    assert add_readings(toml, rows) == toml
    counts["values written one at a time"] += len(rows)


@LAW
@given(one=sheets(), other=sheets())
def test_the_differences_of_two_sheets_make_one_of_the_other(one: Sheet, other: Sheet, counts: Counter[str]) -> None:
    rows = one.rows_by_key()
    for each in compare_sheets(one, other):
        assert rows.pop((each.of, each.what), None) == each.before
        assert each.before != each.after
        if each.after is not None:
            rows[each.of, each.what] = each.after
        counts["differences of sheets"] += 1
    assert rows == other.rows_by_key()
    assert compare_sheets(other, other) == []


def test_the_sheet_that_ships_is_written_as_it_was_read() -> None:
    assert parse_sheet(format_sheet(read_sheet())) == read_sheet()


def test_what_somebody_wrote_around_a_value_stays() -> None:
    toml = """# the box from the flea market
name = "ours"  # mine

["mine-1"] # the small one
price = [2, "assumed"]
points = [1, "read", "Bob"]   # looked twice
["mine-2"]
price = [3, "read"]
"""
    rows = (
        Printed("mine-1", "price", 4, "read", "Anna", "2026-11-18"),
        Printed("mine-1", "token", "no", "read", "Anna"),
        Printed("crane", "price", 5, "read"),
    )
    assert (
        add_readings(toml, rows)
        == """# the box from the flea market
name = "ours"  # mine

["mine-1"] # the small one
price = [4, "read", "Anna", "2026-11-18"]
points = [1, "read", "Bob"]   # looked twice
token = ["no", "read", "Anna"]
["mine-2"]
price = [3, "read"]

[crane]
price = [5, "read"]
"""
    )


@pytest.mark.parametrize(
    "odd",
    [
        'price = [\n  2,\n  "assumed",\n]\n',
        'points = ["""\n["mine-1"]\nprice = [1]""", "assumed"]\nprice = [2, "assumed"]\n',
    ],
)
def test_what_is_written_in_an_unusual_way_is_written_anew_with_its_head(odd: str) -> None:
    toml = f'# ours\nname = "x"\n["mine-1"]\n{odd}'
    row = Printed("mine-1", "price", 4, "read")
    written = add_readings(toml, [row])
    assert parse_sheet(written) == parse_sheet(toml).with_readings(row)
    assert leading_comments(written) == "# ours\n"


def test_a_component_that_is_called_name_cannot_be_written() -> None:
    with pytest.raises(SheetError, match="called 'name'"):
        format_sheet(Sheet(name="x", printed=(Printed("name", "price", 1, "read"),)))


def test_a_difference_says_of_what_kind_it_is() -> None:
    one = Sheet(
        name="one",
        printed=(Printed("a", "x", 1, "assumed"), Printed("a", "y", 1, "assumed"), Printed("a", "z", 1, "assumed")),
    )
    other = Sheet(
        name="other",
        printed=(Printed("a", "x", 1, "read", "Bob"), Printed("a", "y", 2, "read"), Printed("b", "x", 1, "assumed")),
    )
    found = compare_sheets(one, other)
    assert [(each.of, each.what, each.kind) for each in found] == [
        ("a", "x", "source"),
        ("a", "y", "value"),
        ("a", "z", "removed"),
        ("b", "x", "added"),
    ]
    assert found[0] == Difference(
        of="a", what="x", before=Printed("a", "x", 1, "assumed"), after=Printed("a", "x", 1, "read", "Bob")
    )


# --- bare values, one line a component, texts of several lines -----------------------------------

SHORT = '''
name = "ours"
source = "read"
by = "Anna"
at = "2026-11-18"

hall = { price = 3, colour = "red" }
tower = { price = [4, "assumed"] }

[board]
map = """
cc~..................dd
cc~dd
"""
word = """one line"""
'''


def test_a_bare_value_takes_the_source_of_its_file() -> None:
    anna: tuple[Source, str, str] = ("read", "Anna", "2026-11-18")
    assert parse_sheet(SHORT) == Sheet(
        name="ours",
        printed=(
            Printed("hall", "price", 3, *anna),
            Printed("hall", "colour", "red", *anna),
            Printed("tower", "price", 4, "assumed"),
            Printed("board", "map-01", "cc~..................dd", *anna),
            Printed("board", "map-02", "cc~dd", *anna),
            Printed("board", "word", "one line", *anna),
        ),
    )


def test_a_component_may_be_called_source() -> None:
    toml = 'name = "x"\n[source]\nby = [1, "read"]\n'
    assert parse_sheet(toml).printed == (Printed("source", "by", 1, "read"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "x"\n["a"]\nb = 1', r"expected \[value, source\] for the b of 'a'"),
        ('name = "x"\nby = "Anna"\n["a"]\nb = 1', r"expected \[value, source\] for the b of 'a'"),
        ('name = "x"\nsource = "guessed"\n["a"]\nb = 1', "guessed"),
        ('name = "x"\nsource = 4\n["a"]\nb = 1', "found 'source'"),
        ('name = "x"\nsource = "read"\n["a"]\nb = true', "the b of 'a'"),
        ('name = "x"\nsource = "read"\n["a"]\nb = { c = 1 }', "the b of 'a'"),
        (f'name = "x"\nsource = "read"\n["a"]\nb = """\nc\n{"d" * 81}\n"""', "the b of 'a'"),
    ],
)
def test_a_bare_value_without_a_source_is_refused(text: str, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        parse_sheet(text)


FILE = '''# the box from the flea market
name = "ours"   # mine
source = "read"
by = "Anna"
hall = { price = 3, colour = "red" } # large
tower = { price = [4, "assumed"] }

[board] # of the first box
x = 1
map = """
cc~dd
cc~de
"""   # both rows
word = """one line"""
y = 2  # last
'''
ANNA: tuple[Source, str] = ("read", "Anna")


@pytest.mark.parametrize(
    ("row", "before", "after"),
    [
        (Printed("hall", "price", 5, *ANNA), "hall = { price = 3,", "hall = { price = 5,"),
        (Printed("hall", "price", 5, "read", "Bob"), "{ price = 3,", '{ price = [5, "read", "Bob"],'),
        (Printed("hall", "colour", "red", *ANNA), "", ""),
        (Printed("tower", "price", 4, *ANNA), 'price = [4, "assumed"]', "price = 4"),
        (Printed("board", "y", "a\nb", *ANNA), "y = 2 ", 'y = ["a\\nb", "read", "Anna"] '),
        (Printed("board", "map-02", "ff~ff", *ANNA), "cc~de", "ff~ff"),
        (
            Printed("board", "map-02", "ff~ff", "read", "Bob"),
            'map = """\ncc~dd\ncc~de\n"""',
            'map-01 = "cc~dd"\nmap-02 = ["ff~ff", "read", "Bob"]',
        ),
        (
            Printed("board", "map-01", 'a"b', *ANNA),
            'map = """\ncc~dd\ncc~de\n"""',
            'map-01 = "a\\"b"\nmap-02 = "cc~de"',
        ),
        (Printed("board", "map-03", "ff~ff", *ANNA), "y = 2  # last\n", 'y = 2  # last\nmap-03 = "ff~ff"\n'),
        (Printed("board", "word-01", "two", *ANNA), "y = 2  # last\n", 'y = 2  # last\nword-01 = "two"\n'),
        (Printed("wall", "price", 1, *ANNA), "y = 2  # last\n", "y = 2  # last\n\n[wall]\nprice = 1\n"),
    ],
)
def test_one_value_is_changed_and_every_other_line_stays(row: Printed, before: str, after: str) -> None:
    written = add_readings(FILE, [row])
    assert written == FILE.replace(before, after) if before else written == FILE
    assert parse_sheet(written) == parse_sheet(FILE).with_readings(row)
    assert add_readings(written, [row]) == written


def test_several_lines_of_a_text_are_changed_at_once() -> None:
    rows = [
        Printed("board", "map-01", "rr~rr", *ANNA),
        Printed("board", "map-02", "ff~ff", "assumed"),
        Printed("board", "map-01", "dd~dd", *ANNA),
    ]
    written = add_readings(FILE, rows)
    assert 'map-01 = "dd~dd"\nmap-02 = ["ff~ff", "assumed"]   # both rows\n' in written
    assert parse_sheet(written) == parse_sheet(FILE).with_readings(*rows)


def test_of_two_texts_that_are_alike_the_right_one_is_changed() -> None:
    twice = f"{FILE}\n[other]\nmap = '''\ncc~dd\ncc~de\n'''\n[last]\nmap = '''\ncc~dd\ncc~de\n'''\n"
    row = Printed("last", "map-02", "ff~ff", *ANNA)
    written = add_readings(twice, [row])
    assert parse_sheet(written) == parse_sheet(twice).with_readings(row)
    assert leading_comments(written) == leading_comments(FILE)

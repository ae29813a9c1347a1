"""Component sheets: every value has a source, a slip is refused, a reading lies over what stood there."""

from __future__ import annotations

import pytest

from spyrium_log.errors import SheetError
from spyrium_log.play import header
from spyrium_log.sheet import Printed, Sheet, parse_sheet
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium import sheet
from spyrium_log.titles.spyrium.cards import DECK_SIZES, KIND_SIZES, PERIODS, printed

SPYRIUM = TITLES["spyrium"]
OWN = """
name = "Anna's box"
["mine-1"]
price = [4, "read", "Anna", "2026-11-18"]
"""


def test_the_sheet_that_ships_fills_the_decks() -> None:
    designs = printed(sheet()).designs.values()
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
    assert sheet().table()[of, what].value == value


def test_an_assumption_is_never_called_anything_else() -> None:
    certain = {(row.of, row.what) for row in sheet().printed if row.source == "rulebook" and row.what == "price"}
    assert certain == {("apprentice", "price")}


def test_an_own_sheet_lies_over_the_one_that_ships() -> None:
    own = sheet().owned(parse_sheet(OWN))
    assert printed(own).designs["mine-1"].price == 4
    assert own.table()["mine-1", "price"] == Printed("mine-1", "price", 4, "read", "Anna", "2026-11-18")
    assert own.name == "Anna's box"
    assert len(own.printed) == len(sheet().printed)
    assert own.digest() != sheet().digest()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "x"\n["mine-9"]\nprice = [1, "read"]', "'mine-9'"),
        ('name = "x"\n["mine-1"]\nprise = [1, "read"]', "'prise'"),
    ],
)
def test_a_slip_in_an_own_sheet_is_refused(text: str, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        sheet().owned(parse_sheet(text))


@pytest.mark.parametrize(
    "text",
    [
        "price = ",
        '["mine-1"]\nprice = [1, "read"]',
        'name = "x"\n["mine-1"]\nprice = [1, "guessed"]',
        'name = "x"\ny = 1',
    ],
)
def test_what_is_no_sheet_is_refused(text: str) -> None:
    with pytest.raises(SheetError):
        parse_sheet(text)


def test_a_value_said_twice_is_refused() -> None:
    twice = Sheet(name="x", printed=(Printed("a", "b", 1, "read"), Printed("a", "b", 2, "read")))
    with pytest.raises(SheetError, match="twice"):
        twice.table()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Printed("mine-1", "price", "dear", "read"), "number"),
        (Printed("residence-track", "space-1", "x", "read"), "number"),
    ],
)
def test_a_log_does_not_begin_on_a_sheet_the_rules_cannot_read(row: Printed, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        header(SPYRIUM, game="game", players=("A", "B"), sheet=sheet().overlaid(row))


@pytest.mark.parametrize("missing", ["mine-1", "residence-track"])
def test_a_log_does_not_begin_on_a_sheet_that_lacks_a_component(missing: str) -> None:
    rows = tuple(row for row in sheet().printed if row.of != missing)
    with pytest.raises(SheetError, match=missing[:6]):
        header(SPYRIUM, game="game", players=("A", "B"), sheet=Sheet(name="x", printed=rows))

"""What the audit says, in every language: each text that a rule can write is known, and its places are filled."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spyrium_log.phrases import amount, compared, phrased, whose, words
from spyrium_log.replay import replay
from spyrium_log.titles.spyrium import SPYRIUM
from tests.games import moves, read, start
from tests.spyrium.test_altered import altered

ROOT = Path(__file__).parents[2]
OTHERS = SPYRIUM.words.languages[1:]
NAMES = ("Анна", "Борис", "Зоя")
LATIN = re.compile(r"[A-Za-z]{3,}")

# --- every text of the rules ---------------------------------------------------------------------

# How a place of a phrase is written in English.
WRITTEN = {"seat": "seat {}", "card": "'{}'"}
# What another function says within a text, or instead of one.
WITHIN = {
    "{} on space {}": ("'{}' on space {}", "no card on space {}", "{} on space {}"),
    "{} on the market's cards": ("another token on the market's cards", "{} more tokens on the market's cards"),
    "all {} tokens of value {} that were left": ("all {} tokens of value {} that were left",),
    "the token on it, {}": ("the token on it, {}", "the token on it, none"),
    "another token": (),
    "{} more tokens": (),
    "'{}'": ("'{}'",),
    "no card": (),
    "{} {}": (),
    "{} - {}": (),
    "free": (),
}
# Values, which need no words but those for what they are.
BARE = ("{}", "{}, {}")


def skeleton(template: str) -> str:
    """The text with its values left out."""
    return "".join(
        text + ("" if field is None else WRITTEN.get(field, "{}")) for text, field, _, _ in Formatter().parse(template)
    )


def texts(node: ast.expr) -> Iterator[str]:
    """What an expression may say, as far as it is written there."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        yield "".join(parts)
    elif isinstance(node, ast.IfExp):
        yield from itertools.chain(texts(node.body), texts(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from itertools.chain.from_iterable(map(texts, node.values))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        yield from texts(node.args[0])


def said_by_the_rules() -> set[str]:
    """Both sides of every breach, and what is put together for one."""
    found: set[str] = set()
    for path in (ROOT / "spyrium_log/titles/spyrium/rules").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "breach":
                found.update(itertools.chain.from_iterable(map(texts, node.args[1:])))
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                if node.targets[0].id in {"expected", "what", "left"}:
                    found.update(texts(node.value))
            elif isinstance(node, ast.FunctionDef) and ast.unparse(node.returns or node) == "str":
                returned = (each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value)
                found.update(itertools.chain.from_iterable(map(texts, returned)))
    return found


def test_every_text_of_the_rules_has_words() -> None:
    known = {
        *map(skeleton, SPYRIUM.words.vocabulary("en")["findings"].values()),
        *map(skeleton, words("en")["findings"].values()),
    }
    said = {text for each in said_by_the_rules() for text in WITHIN.get(each, (each,))} - {*BARE}
    assert len(said) > 90
    # a list of choices is put together of its words
    told = {text for text in said if "{" not in text and phrased(text, SPYRIUM, NAMES, "ru") != text}
    assert sorted(said - known - told) == []


def test_no_words_for_what_no_rule_says() -> None:
    said = {text for each in said_by_the_rules() for text in WITHIN.get(each, (each,))}
    # what the table waits for is said by a table of its own
    said |= {"seat {} to act", "seat {} to choose a bonus", "a round to be dealt", "the final count"}
    said |= {"nothing more, the game is over"}
    assert sorted({*map(skeleton, SPYRIUM.words.vocabulary("en")["findings"].values())} - said) == []


# --- what they come to ---------------------------------------------------------------------------

SAID = (
    ("seat 1 money -6 (price)", "Анна: −£6 (cena)", "Анна: −£6 (цена)"),
    ("seat 2 points +1 (final:crane)", "Борис: +1 pkt zwycięstwa (Dźwig)", "Борис: +1 поб. очк. (Кран)"),
    ("nothing for seat 1 spyrium (token)", "Анна: nic (Spyrium, żeton)", "Анна: ничего (крист. спирия, жетон)"),
    ("+0", "+0", "+0"),
    ("-5", "−5", "−5"),
    ("£-2", "£−2", "£−2"),
    ("seat 2 to act", "Борис ma ruch", "Борис ходит"),
    ("seat 7", "miejsce nr 7", "место № 7"),
    ("move or score", "ruch po Torze lub punkty", "ход по счётчику или очки"),
    ("1 or 3", "1 lub 3", "1 или 3"),
    (
        "£9 at hand (price 6, symbol -3)",
        "do zapłaty £9 (cena 6, wspólny symbol −3)",
        "к оплате £9 (цена 6, общий символ −3)",
    ),
    ("'mine-1' on space 3", "„Kopalnia I” na miejscu 3", "«Шахта I» на месте 3"),
    ("'castle' again", "znów „castle”", "снова «castle»"),
    ("'windfall'", "„Dar losu”", "«Дар судьбы»"),
    ("no 'token' where there is nothing to choose", "nic tu do wyboru (żeton)", "выбирать тут нечего (жетон)"),
    ("declined True", "rezygnacja", "отказ"),
    ("gain money", "zysk fundusze", "выигрыш деньги"),
    (
        "workers_sent seat 1, slot 2, n 1",
        "wysłani robotnicy (Анна, Budynek nr 2, liczba 1)",
        "отправленные рабочие (Анна, здание № 2, число 1)",
    ),
    ("tokens_returned", "odrzucone żetony wracają", "сброшенные жетоны возвращаются"),
    ("the dog ate seat 1", "the dog ate Анна", "the dog ate Анна"),
)


@pytest.mark.parametrize(("text", "polish", "russian"), SAID, ids=[text for text, *_ in SAID])
def test_says(text: str, polish: str, russian: str) -> None:
    assert phrased(text, SPYRIUM, NAMES, "pl") == polish
    assert phrased(text, SPYRIUM, NAMES, "ru") == russian


def test_english_is_as_it_was_written() -> None:
    assert phrased("seat 1 money -6 (price)", SPYRIUM, NAMES, "en") == "Анна money −6 (price)"
    assert compared("seat 2 to act", "seat 1", SPYRIUM, NAMES, "en") == "expected Борис to act, found Анна"


def test_an_edition_has_words_of_its_own() -> None:
    assert phrased("seat 1 to choose a bonus", SPYRIUM, NAMES, "ru") == "бонус выбирает Анна"
    assert phrased("seat 1 to choose a bonus", SPYRIUM, NAMES, "ru-desktopgames") == "приз выбирает Анна"
    assert words("ru-desktopgames") == words("ru")


def test_amounts_and_seats() -> None:
    say = SPYRIUM.words.vocabulary("en")
    assert [amount(n, "workers", say) for n in (1, 2, -1)] == ["1 worker", "2 workers", "−1 worker"]
    assert amount(3, "money", say, sign=True) == "+£3"
    assert whose(2, NAMES, "en") == "Борис"
    assert whose(9, NAMES, "en") == "seat 9"


@pytest.mark.parametrize("language", ["ru", "ru-desktopgames"])
def test_no_finding_of_the_examples_is_left_in_english(language: str) -> None:
    told = 0
    for path in sorted((ROOT / "examples/spyrium").glob("*.jsonl")):
        done = replay(read(path.read_bytes()))
        names = ["Анна"] * len(done.players)
        for finding in done.findings:
            # a key is a number, and what a hostile log calls a card is its own word
            said = compared(finding.expected, finding.found, SPYRIUM, names, language)
            left = LATIN.findall(re.sub(r"[0-9a-f]{64}|\bcastle\b", "", said))
            assert not left, f"{path.name}: {said}"
            told += 1
    assert told > 20


@pytest.mark.parametrize("language", OTHERS)
def test_no_breach_is_left_in_english(language: str, counts: Counter[str]) -> None:
    """Decisions altered in one field break most rules there are."""
    known: dict[str, str] = {}
    for seed in (1, 2):
        table = start(SPYRIUM, seed)
        for act in moves(table, seed, 40):
            for other in altered(act) if hasattr(act, "seat") else ():
                for breach in SPYRIUM.breaches(table.state, other):
                    for side in (breach.expected, breach.found):
                        if side not in known:
                            known[side] = phrased(side, SPYRIUM, NAMES, language)
    left = {text: said for text, said in known.items() if said == text and LATIN.search(text)}
    assert left == {}
    assert len(known) > 100
    counts["texts of breaches told"] += len(known)


@given(
    st.text(max_size=80)
    | st.from_regex(r"seat \d+ [a-z]+ [+-]?\d+ \([a-z:]+\)|[a-z_]+( [a-z]+ \w+,?)*|'.*' again", fullmatch=True)
)
def test_no_text_is_too_strange(text: str) -> None:
    for language in SPYRIUM.words.languages:
        assert isinstance(phrased(text, SPYRIUM, NAMES, language), str)


@pytest.mark.parametrize("language", SPYRIUM.words.languages)
def test_every_table_has_the_places_of_english(language: str) -> None:
    english, said = SPYRIUM.words.vocabulary("en"), SPYRIUM.words.vocabulary(language)
    for table in ("heads", "short-heads", "board", "awaits", "findings"):
        for key, template in said[table].items():
            assert places(template) == places(english[table][key]), f"{table}.{key}"


def places(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}

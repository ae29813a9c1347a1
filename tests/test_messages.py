"""Messages: a key with typed arguments, in English as logs have it and in every language for people."""

from __future__ import annotations

import ast
import pickle
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import get_args

import msgspec
import pytest

from spyrium_cli.render.text import vocabulary as shell_words
from spyrium_log.audit import fact_message
from spyrium_log.catalogue import Catalogue, parse_catalogue, shared_words
from spyrium_log.errors import IllegalError, LogError, NotationError, SpyriumLogError
from spyrium_log.exchange.page import page_words
from spyrium_log.messages import (
    Amount,
    Card,
    Cause,
    FieldValue,
    Message,
    Parts,
    Reader,
    Seat,
    Signed,
    Term,
    amount_text,
    card_message,
    choice_message,
    comparison_text,
    finding_message,
    number_message,
    player_name,
    seat_message,
)
from spyrium_log.replay import replay
from spyrium_log.store.files import _REASON_KEYS
from spyrium_log.titles.founders.messages import vocabulary as founders_words
from spyrium_log.titles.founders.rules.turn import StageKind
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.effects import TokensReturned, WorkersSent
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.messages import vocabulary as spyrium_words
from tests.games import moves, read, start
from tests.spyrium.test_altered import altered

ROOT = Path(__file__).parents[1]
OTHERS = SPYRIUM.words.languages[1:]
NAMES = ("Анна", "Борис", "Зоя")
LATIN = re.compile(r"[A-Za-z]{3,}")
CATALOGUES = {
    "shared": shared_words,
    "spyrium": spyrium_words,
    "founders": founders_words,
    "command line": shell_words,
    "page": page_words,
}


# Sentences that other languages than English have for what was expected and what was found.
COMPARISONS = "comparisons"


def reader(language: str) -> Reader:
    return Reader(language, NAMES, SPYRIUM.words.vocabulary(language))


def places(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


# --- the files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_key_and_every_argument_stands_in_every_language(name: str) -> None:
    catalogue = CATALOGUES[name]
    english = catalogue("en")
    for language in catalogue.languages:
        tables = {table: rows for table, rows in catalogue(language).items() if table != COMPARISONS}
        assert {table: set(rows) for table, rows in tables.items()} == {t: set(rows) for t, rows in english.items()}
        for table, rows in tables.items():
            for key, template in rows.items():
                assert template.strip(), f"{language}: {table}.{key} is empty"
                assert places(template) == places(english[table][key]), f"{language}: {table}.{key}"


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_file_says_what_its_language_needs(name: str) -> None:
    """A language says everything, an edition only what it says otherwise than its language."""
    catalogue = CATALOGUES[name]
    english = keys(catalogue("en"))
    for language in catalogue.languages:
        own = keys(Catalogue.read_file(catalogue.package, language))
        base = language.partition("-")[0]
        if base == language:
            assert {key for key in own if key[0] != COMPARISONS} == english.keys(), language
        else:
            assert not own.items() & keys(catalogue(base)).items(), language


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_catalogue_reads_as_toml(name: str) -> None:
    catalogue = CATALOGUES[name]
    for language in catalogue.languages:
        file = resources.files(catalogue.package).joinpath("locales", f"{language}.toml")
        text = file.read_text(encoding="utf-8")
        assert parse_catalogue(text) == tomllib.loads(text)
        with pytest.raises(pytest.fail.Exception, match="parsed as all of TOML"):
            _read_without_toml(text + "other = 'quotes'\n")
        _read_without_toml(text)


def _read_without_toml(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", lambda _: pytest.fail("parsed as all of TOML"))
        parse_catalogue(text)


@pytest.mark.parametrize(("name", "language"), [(n, each) for n in CATALOGUES for each in CATALOGUES[n].languages[1:]])
def test_a_sentence_of_two_halves_names_messages_and_their_arguments(name: str, language: str) -> None:
    """Every language has a sentence for the same halves; each place is an argument of one, or a whole half."""
    catalogue = CATALOGUES[name]
    own = catalogue(language).get(COMPARISONS, {})
    assert own.keys() == catalogue(catalogue.languages[1]).get(COMPARISONS, {}).keys()
    known = {**shared_words("en")["findings"], **catalogue("en").get("findings", {})}
    for key, template in own.items():
        expected, _, found = key.partition("/")
        allowed = {"expected", "found", *(f"e_{place}" for place in places(known[expected]))}
        allowed |= {f"f_{place}" for place in places(known[found])} if found else set()
        assert places(template) <= allowed, (key, template)


def keys(tables: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], str]:
    return {(table, key): text for table, rows in tables.items() for key, text in rows.items()}


# Titles make messages of their own words, by functions of the same names.
TITLE_WORDS = {"spyrium": spyrium_words, "founders": founders_words}
TITLE_MAKERS = {"phrase": "findings", "syntax": "syntax", "flaw": "flaws"}


def title_of(path: Path) -> str:
    """The title in whose folder a file lies; '' for a file of the house."""
    parts = path.relative_to(ROOT).parts
    return parts[2] if parts[:2] == ("spyrium_log", "titles") and len(parts) > 3 else ""


def keyed_errors(kind: type[SpyriumLogError] = SpyriumLogError) -> Iterator[type[SpyriumLogError]]:
    """The errors whose first argument is a key of their table."""
    yield kind
    for each in kind.__subclasses__():
        if each not in (LogError, NotationError, IllegalError):
            yield from keyed_errors(each)


# The check of an argument, and which of its arguments is the key.
CHECKS = {"type": 2, "text": 1, "number": 1, "word": 1, "list": 1, "once": 1}
MAKERS = {
    ("finding_message", False): (shared_words, "findings"),
    ("finding_message", True): (shared_words, "findings"),
    ("damage_message", False): (shared_words, "damage"),
    ("syntax", False): (shared_words, "syntax"),
    ("store_message", False): (shared_words, "store"),
    ("_message", False): (shared_words, "store"),
    ("wrap_disk_errors", False): (shared_words, "store"),
    ("reading_file", False): (shared_words, "store"),
    ("LogError", False): (shared_words, "log"),
    ("NewerFormatError", False): (shared_words, "log"),
    ("argument_message", False): (shared_words, "arguments"),
    ("exchange_message", False): (shared_words, "exchange"),
    ("index_message", False): (shared_words, "index"),
    ("checkpoint_message", False): (shared_words, "checkpoint"),
    ("call_message", False): (shell_words, "calls"),
    ("WrongCall", False): (shell_words, "calls"),
    ("argument_error", False): (shared_words, "arguments"),
    **{(f"check_{kind}", False): (shared_words, "arguments") for kind in CHECKS},
    **{(error.__name__, room): (shared_words, error.table) for error in keyed_errors() for room in (False, True)},
    ("wrap_errors", False): (shared_words, "exchange"),
    ("_raise_here", False): (shared_words, "exchange"),
}
# What makes a sentence of the command line; the key names its table, too.
SHELL_MAKERS = {"WrongValue", "shell_message", "tell"}
# What makes a sentence of the recorder, in its room.
ENTRY_MAKERS = {"_say", "entry_message"}
# Which argument is the key, where it is not the last.
KEY_PLACES = {
    "wrap_disk_errors": 0,
    "reading_file": 2,
    "argument_error": 0,
    **dict.fromkeys(("call_message", "WrongCall", *ENTRY_MAKERS), 0),
    **{f"check_{kind}": place for kind, place in CHECKS.items()},
    **{error.__name__: 0 for error in keyed_errors()},
}
NO_PLACES = {"file", "line", "column", "holder", "missing_ok"}
# Keys that the code makes of a variable: what is awaited, a kind of damage that is handed on, a code of the decoder.
BY_VARIABLE = {
    *(f"findings.{kind}" for kind in ("deal", "final", "over")),
    *(f"syntax.due-{kind}" for kind in ("deal", "final", "over")),
    *("syntax.several-players", "syntax.no-player", "damage.mark", "damage.crlf"),
    *(f"store.{key}" for key in (*_REASON_KEYS.values(), "log", "notes", "names", "sheet", "ambiguous", "corrupt")),
    *(
        "store.log-too-large",
        "store.too-large",
        "arguments.day",
        "arguments.place",
        "arguments.edition",
        "errors.illegal",
    ),
    *("log.decoder", "log.not-json", "log.not-this-kind", "log.pack-no-header", "log.pack-no-end"),
    *("log.no-header-first", "log.broken-header", "log.not-pack-line", "log.pack-end", "log.pack-sheet"),
    *(f"exchange.{key}" for key in ("incomplete", "nowinstats", "page-log", "page-hash")),
    *(f"index.option-{kind}" for kind in ("count", "switch", "grade", "day", "source", "text")),
    *(f"index.known-{kind}" for kind in ("title", "player", "card")),
    *("index.held-here", "index.sql", "index.sql-guess", "index.sql-near", "index.sql-tables"),
    # made without its maker, which would keep the error
    "checkpoint.damaged",
    *(f"calls.{key}" for key in ("near", "near-key", "event-of-a", "event-of-b")),
}


# The same of Founders: what it waits for and what was dealt, the ground of a piece.
FOUNDERS_BY_VARIABLE = {
    *(f"findings.due-{kind}" for kind in get_args(StageKind)),
    *(f"findings.dealt-{kind}" for kind in ("setup", "row", "proposals", "replace")),
    *("findings.land", "findings.water", "findings.apart", "findings.neutrals-apart"),
    *(f"syntax.due-{kind}" for kind in ("deal", "final", "over")),
    *("flaws.recipe-2", "flaws.recipe-3"),
}


def made_messages() -> Iterator[tuple[Catalogue, str, str, set[str]]]:
    """Every call that makes a message: the catalogue, its table, the key, the names of the arguments."""
    for folder in ("spyrium_log", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Call) and node.args):
                    continue
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                title = title_of(path)
                maker = (
                    (TITLE_WORDS[title], TITLE_MAKERS[name])
                    if title and name in TITLE_MAKERS
                    else MAKERS.get((name, bool(title)))
                )
                names = {str(keyword.arg) for keyword in node.keywords} - NO_PLACES
                if name in SHELL_MAKERS and isinstance(node.args[0], ast.Constant):
                    table, _, key = str(node.args[0].value).partition(".")
                    yield shell_words, table, key, {str(keyword.arg) for keyword in node.keywords}
                if name in ENTRY_MAKERS and path.is_relative_to(ROOT / "spyrium_log/entry"):
                    maker = (shared_words, "entry")
                if maker is None:
                    continue
                if name == "_message":
                    names.add("place")
                if name == "wrap_errors":
                    names.add("message")
                argument = node.args[KEY_PLACES.get(name, -1)]
                for branch in (argument.body, argument.orelse) if isinstance(argument, ast.IfExp) else (argument,):
                    if isinstance(branch, ast.Constant):
                        yield *maker, str(branch.value), names


def words_in(folder: Path) -> set[str]:
    """Every string that stands in the code of a folder: a key that is handed on as an argument is one of them."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py"))
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_code_gives_every_message_its_arguments() -> None:
    used: dict[Catalogue, set[str]] = {}
    for catalogue, table, key, names in made_messages():
        english = catalogue("en")[table]
        assert key in english, f"{table}.{key} is in no catalogue"
        assert names == places(english[key]), f"{table}.{key}"
        used.setdefault(catalogue, set()).add(f"{table}.{key}")
    assert sum(map(len, used.values())) > 300
    made = {*MAKERS.values(), *((words, table) for words in TITLE_WORDS.values() for table in TITLE_MAKERS.values())}
    house = used[shared_words] | used[shell_words] | used[spyrium_words] | BY_VARIABLE
    for catalogue in (shared_words, shell_words, *TITLE_WORDS.values()):
        known = {f"{table}.{key}" for table, key in keys(catalogue("en")) if (catalogue, table) in made}
        if catalogue is founders_words:
            handed_on = words_in(ROOT / "spyrium_log/titles/founders")
            known = {each for each in known - FOUNDERS_BY_VARIABLE if each.partition(".")[2] not in handed_on}
        assert sorted(known - (used[catalogue] if catalogue is founders_words else house)) == []


SPEAKERS = {"translate", *SHELL_MAKERS}


def translated_keys() -> Iterator[tuple[str, str, set[str] | None]]:
    """Every call of `translate`: its place, a pattern of the keys it may mean, its arguments if they stand there."""
    for path in sorted((ROOT / "cli").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPEAKERS):
                continue
            arguments = {keyword.arg for keyword in node.keywords}
            names = None if None in arguments else {str(name) for name in arguments}
            key = node.args[0]
            for branch in (key.body, key.orelse) if isinstance(key, ast.IfExp) else (key,):
                yield f"{path.name}:{node.lineno}", key_pattern(branch), names


def key_pattern(key: ast.expr) -> str:
    """A regular expression for the value of an expression: parts that are not constant match any word."""
    if isinstance(key, ast.Constant):
        return re.escape(str(key.value))
    parts = key.values if isinstance(key, ast.JoinedStr) else [key]
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.-]+" for part in parts)


def test_every_sentence_of_the_command_line_is_found_by_its_key() -> None:
    english = {f"{table}.{key}": text for (table, key), text in keys(shell_words("en")).items()}
    calls = list(translated_keys())
    assert len(calls) > 60
    for place, pattern, names in calls:
        matching = [key for key in english if re.fullmatch(pattern, key)]
        assert matching, f"{place}: no key is like {pattern}"
        if len(matching) == 1 and names is not None:
            assert names >= places(english[matching[0]]), f"{place}: {matching[0]}"


def test_every_word_of_a_page_is_found_by_its_key() -> None:
    files = [path for path in (ROOT / "spyrium_log/exchange").iterdir() if path.suffix in {".py", ".html", ".js"}]
    text = {path: path.read_text(encoding="utf-8") for path in files}
    words = {**page_words("en")["page"], **page_words("en")["script"]}
    named = {
        (path.name, key)
        for path, source in text.items()
        for key in re.findall(r"""\bsay(?:\.(?=\w+\b(?!\())|\[["']|\(["'])(\w+)""", source)
    }
    assert len(named) > 40
    assert sorted((name, key) for name, key in named if key not in words) == []


def test_a_language_nobody_made_is_english() -> None:
    for catalogue in CATALOGUES.values():
        assert catalogue("de") == catalogue("en")
        assert catalogue("pl-1900") == catalogue("pl")


# --- what they come to ---------------------------------------------------------------------------

EXAMPLES = (
    (
        finding_message("difference", seat=Seat(1), amount=Amount(-6, "money", signed=True), why=Cause("price")),
        "seat 1 money -6 (price)",
        "Анна: −£6 (cena)",
        "Анна: −£6 (цена)",
    ),
    (
        finding_message("difference", seat=Seat(2), amount=Amount(1, "points", signed=True), why=Cause("final:crane")),
        "seat 2 points +1 (final:crane)",
        "Борис: +1 punkt zwycięstwa (Dźwig)",
        "Борис: +1 ПО (Кран)",
    ),
    (
        finding_message("nothing", seat=Seat(1), what=Term("resources", "spyrium"), why=Cause("token")),
        "nothing for seat 1 spyrium (token)",
        "Анна: nic (Spyrium, żeton)",
        "Анна: ничего (крист. спирия, жетон)",
    ),
    (finding_message("number", n=Signed(0)), "+0", "+0", "+0"),
    (number_message(-5), "-5", "−5", "−5"),
    (phrase("money", n=-2), "£-2", "£−2", "£−2"),
    (phrase("act", seat=Seat(2)), "seat 2 to act", "Борис ma ruch", "Борис ходит"),
    (seat_message(7), "seat 7", "miejsce nr 7", "место № 7"),
    (choice_message(("move", "score")), "move or score", "przesunięcie dysku lub punkty", "перемещение диска или очки"),
    (choice_message((1, 3)), "1 or 3", "1 lub 3", "1 или 3"),
    (choice_message((1, 2, 3)), "1 or 2 or 3", "1, 2 lub 3", "1, 2 или 3"),
    (
        phrase("price", n=9, parts=Parts((("price", 6), ("symbol", -3)))),
        "£9 at hand (price 6, symbol -3)",
        "do zapłaty £9 (cena 6, wspólny symbol −3)",
        "к оплате £9 (цена 6, общий символ −3)",
    ),
    (
        phrase("card-on-space", card=Card("mine-1"), n=3),
        "'mine-1' on space 3",
        "„Kopalnia I” na miejscu 3",
        "«Шахта I» на месте 3",
    ),
    (phrase("card-again", card=Card("castle")), "'castle' again", "znów „castle”", "снова «castle»"),
    (card_message("windfall"), "'windfall'", "„Dar losu”", "«Дар судьбы»"),
    (
        phrase("nothing-to-choose", field=Term("fields", "token")),
        "no 'token' where there is nothing to choose",
        "nie ma tu nic do wyboru (żeton)",
        "такого выбора здесь нет: жетон",
    ),
    (finding_message("field", field=FieldValue("declined", value=True)), "declined True", "rezygnacja", "отказ"),
    (finding_message("field", field=FieldValue("gain", "money")), "gain money", "otrzymać fundusze", "получить деньги"),
    (
        fact_message(WorkersSent(seat=1, slot=2, n=1)),
        "workers_sent seat 1, slot 2, n 1",
        "wysłani robotnicy (Анна, Budynek nr 2, liczba 1)",
        "отправленные рабочие (Анна, здание № 2, число 1)",
    ),
    (fact_message(TokensReturned()), "tokens_returned", "odrzucone żetony wracają", "сброшенные жетоны возвращаются"),
)


@pytest.mark.parametrize(("message", "english", "polish", "russian"), EXAMPLES, ids=[each[1] for each in EXAMPLES])
def test_a_message_in_each_language(message: Message, english: str, polish: str, russian: str) -> None:
    assert str(message) == english
    assert message.text_for(reader("pl")) == polish
    assert message.text_for(reader("ru")) == russian


def test_english_for_people_names_players_and_has_a_minus() -> None:
    assert EXAMPLES[0][0].text_for(reader("en")) == "Анна money −6 (price)"
    assert (
        comparison_text(phrase("act", seat=Seat(2)), seat_message(1), reader("en"))
        == "expected Борис to act, found Анна"
    )


def test_an_edition_has_words_of_its_own() -> None:
    due = phrase("choose-bonus", seat=Seat(1))
    assert due.text_for(reader("ru")) == "бонус выбирает Анна"
    assert due.text_for(reader("ru-desktopgames")) == "приз выбирает Анна"
    assert shared_words("ru-desktopgames") == shared_words("ru")


def test_what_an_argument_says_is_no_template() -> None:
    assert phrase("card-again", card=Card("{n}")).text_for(reader("pl")) == "znów „{n}”"
    assert finding_message("not-standing", word="{word}").text_for(reader("ru")) == "{word}, которая не действует"


def test_amounts_and_seats() -> None:
    words = SPYRIUM.words.vocabulary("en")
    assert [amount_text(n, "workers", words) for n in (1, 2, -1)] == ["1 worker", "2 workers", "−1 worker"]
    assert amount_text(3, "money", words, signed=True) == "+£3"
    assert player_name(2, NAMES, "en") == "Борис"
    assert player_name(9, NAMES, "en") == "seat 9"


def test_a_message_is_a_value() -> None:
    message = EXAMPLES[0][0]
    assert pickle.loads(pickle.dumps(message)) == message  # noqa: S301 - we wrote it
    assert len({message, pickle.loads(pickle.dumps(message)), number_message(1)}) == 2  # noqa: S301 - as above
    assert message != str(message)
    assert msgspec.json.encode([message], enc_hook=str) == b'["seat 1 money -6 (price)"]'


# --- nothing is left in English ------------------------------------------------------------------


@pytest.mark.parametrize("language", ["ru", "ru-desktopgames"])
def test_no_finding_of_the_examples_is_left_in_english(language: str) -> None:
    seen = 0
    for path in sorted((ROOT / "examples/spyrium").glob("*.jsonl")):
        done = replay(read(path.read_bytes()))
        for finding in done.findings:
            # a key is a number, and what a hostile log calls a card is its own word
            text = comparison_text(finding.expected, finding.found, reader(language))
            left = LATIN.findall(re.sub(r"[0-9a-f]{64}|\bcastle\b", "", text))
            assert not left, f"{path.name}: {text}"
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("language", OTHERS)
def test_no_breach_is_left_in_english(language: str, counts: Counter[str]) -> None:
    """Decisions altered in one field break most rules there are."""
    known: dict[Message, str] = {}
    halves: set[tuple[str, str]] = set()
    for seed in (1, 2):
        table = start(SPYRIUM, seed)
        for act in moves(table, seed, 40):
            for other in altered(act) if hasattr(act, "seat") else ():
                for breach in SPYRIUM.breaches(table.state, other):
                    halves.add((breach.expected.key, breach.found.key))
                    for side in (breach.expected, breach.found):
                        if side not in known:
                            known[side] = side.text_for(reader(language))
    assert {str(message): text for message, text in known.items() if text == str(message) and LATIN.search(text)} == {}
    assert len(known) > 100
    # each is one sentence, not what was expected beside what was found
    sentences = {**shared_words(language)[COMPARISONS], **spyrium_words(language)[COMPARISONS]}
    names = {tuple(key.partition(".")[2] for key in each) for each in halves}
    assert {each for each in names if "/".join(each) not in sentences and each[0] not in sentences} == set()
    assert len(names) > 30
    counts["messages of breaches"] += len(known)

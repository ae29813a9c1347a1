"""What a person reads is in the language of the call: every message of the catalogues, and every text of the code.

A message is made by key, and its text stands in the catalogue of each language; a text that stands in the code itself
is English in every call. Both are walked here.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from spyrium_cli.render.text import vocabulary as shell_words
from spyrium_log.analysis.words import report_words
from spyrium_log.catalogue import Catalogue, shared_words
from spyrium_log.exchange.page import page_words
from spyrium_log.titles.founders.messages import vocabulary as founders_words
from spyrium_log.titles.spyrium.messages import vocabulary as spyrium_words

ROOT = Path(__file__).parents[1]
CATALOGUES: Mapping[str, Catalogue] = {
    "shared": shared_words,
    "spyrium": spyrium_words,
    "founders": founders_words,
    "command line": shell_words,
    "page": page_words,
    "reports": report_words,
}
PLACE = re.compile(r"\{[^}]*\}")
WORD = re.compile(r"[^\W\d_]{3,}")
LATIN = re.compile(r"\b[A-Za-z]{3,}\b")
# Tables whose English is what is recognised or typed, and not said.
TYPED_TABLES = {"click"}
# Of a sentence: options, what is typed, file names, addresses, names of other programs and of formats, examples.
TYPED = re.compile(
    r"--[\w-]+|[«\"„'`][^»\"”'`]*[»\"”'`]|\b(?:spyrium|pip)\b(?: [a-z-]+)*"
    r"|[\w.-]+\.(?:toml|txt|svg|png|parquet|arrow)\b"
    r"|\[[^\]]*\]|\b(?:Spyrium(?: Log)?|Founders|Gloomhaven|BoardGameGeek|BG Stats|DuckDB|Python|JavaScript|SHA)\b"
    r"|\b(?:TOML|JSON|JSONL|CSV|XML|UTF|PEM|SQL|BOM|CRLF|VP|QR|LIMIT|CARD WHAT VALUE|WYDARZENIE|EVENT)\b|\.\w+"
    r"|\b(?:Anna|Ola|Bob|Bobby|Cy|bob|anna|Enter|Home|End|Backspace|Esc|Ctrl|Tab|Arrow|PgUp|PgDn|hash|prev|header|uuid|base)\b"
)
# Words that are the same in both languages, and keys, notation or SQL that are typed as they are.
KEYS = re.compile(
    r"\b(?:id|ids|bonus|rob|arrow|parquet|json|csv|jsonl|md|table|name|also|player|deal|final|concede|abandon|position|round"
    r"|last|market|misplayed|misrecorded|why|drop|undo|amend|import|export|compare|insert|replace|by|at|cmd|signed|stdin"
    r"|stdout|clean|open|exact|invented|true|false|since|until|plays|game|none|off|today|own|shipped|TIMESTAMP|value|source"
    r"|archive|lang|log|sign|start|example|test|LOG|FOLDER|mode|type|utf|lob|xml|zstd|incomplete|nowinstats|frame|polars"
    r"|pandas|pyarrow|cryptography|pip|install|folder|writer|read|Play|new|TITLES|Ed25519|list|help|board|quit|pause|continue"
    r"|mine|miner|workshop|points|SQL|CTRL|blue|seat|turn|order|black|house|editions|title|format|LIST|player|symlink|bank"
    r"|notation|config|simulated|scoresheet|service|exit|tables|schema|timer|saved|run|save|FORMAT|html|page|hex|Inf|max)\b"
)


def rows(catalogue: Catalogue, language: str) -> Iterator[tuple[str, str, str]]:
    """Each key of a language with its English and its own text."""
    english, own = catalogue("en"), catalogue(language)
    for table in own:
        for key, text in own[table].items() if table not in TYPED_TABLES else ():
            yield f"{table}.{key}", english.get(table, {}).get(key, ""), text


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_message_of_a_catalogue_is_left_in_english(name: str, counts: Counter[str]) -> None:
    catalogue = CATALOGUES[name]
    for language in catalogue.languages[1:]:
        walked = [*rows(catalogue, language)]
        same = [key for key, english, text in walked if english == text and _words(text)]
        assert sorted(key for key in same if key not in SAME) == [], language
        if language.startswith("ru"):
            left = {key: _words(text) for key, _, text in walked if _words(text)}
            assert {key: words for key, words in left.items() if key not in SAME} == {}, language
        counts[f"messages in {language}"] += len(walked)


def _words(text: str) -> list[str]:
    """The words of a text in Latin letters that are neither places, nor typed, nor names."""
    return LATIN.findall(KEYS.sub("", TYPED.sub("", PLACE.sub("", text))))


# Sentences that name what is typed or read by programs: columns, formats, an example of notation, a number of ours.
SAME = frozenset(
    {
        *(
            "sheet.csv-fields",
            "index.option-source",
            "calls.no-notation",
            "calls.qr",
            "checks.terminal",
            "cards.mine-3",
            "cards.laboratory-3",
        ),
        # names of publishers
        *("editions.pl", "editions.ru-desktopgames"),
        *("syntax.step", "flaws.component", "flaws.corner", "flaws.drawn-sections", "flaws.forbids", "flaws.inputs"),
        *("flaws.needs", "flaws.no-section", "flaws.shape"),
    }
)

# --- texts of the code -----------------------------------------------------------------------------

# What shows a text to a person; the place of the text among the arguments.
SHOWING = {
    **dict.fromkeys(
        ("say", "warn", "write_note", "write_line", "Complaint", "Refusal", "complain", "ask", "confirm"), 0
    ),
    **dict.fromkeys(("BadParameter", "UsageError"), 0),
    "fail": 0,
}


def shown_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Each text with an English word that stands in the code of a file where it is shown, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and node.args):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in SHOWING:
            continue
        for part in ast.walk(node.args[SHOWING[name]]):
            if (
                isinstance(part, ast.Constant)
                and isinstance(part.value, str)
                and re.search(r"[a-z]{3,} [a-z]{2,}|^[A-Z][a-z]{3,}", part.value)
                and not _is_argument(node, part)
            ):
                yield node.lineno, part.value


def _is_argument(shown: ast.Call, part: ast.AST) -> bool:
    """Whether a text is within another call, such as a key of `translate`: then it is not what is shown."""
    for node in ast.walk(shown.args[0]):
        if isinstance(node, ast.Call) and any(part is each for each in ast.walk(node)):
            return True
    return False


def test_no_text_of_the_code_is_english(counts: Counter[str]) -> None:
    files = sorted((ROOT / "cli").rglob("*.py"))
    found = [f"{path.name}:{line}: {text}" for path in files for line, text in shown_texts(path)]
    assert not found
    counts["files without English texts"] += len(files)

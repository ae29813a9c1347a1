"""Forms of nouns after numbers are those of Unicode's CLDR, as Babel has them.

`python -m tests.test_plurals` writes `spyrium_log/plurals.py` again.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from babel import Locale

from spyrium_log.catalogue import choose_form, shared_words
from spyrium_log.plurals import CATEGORIES, PLURALS

MODULE = Path(__file__).parents[1] / "spyrium_log" / "plurals.py"
# All that differ below a million, and the places where rules change.
NUMBERS = (*range(1100), *range(9_990, 10_130), 99_999, 100_000, 100_001, 100_012, 999_999, 1_000_000, 1_000_001)
WIDTH = 100
HEAD = '''"""Which form of a noun stands after a whole number, by the cardinal rules of Unicode's CLDR.

Made by `python -m tests.test_plurals` from Babel, which is not loaded at run time: it takes longer than a command.
"""

from typing import Final

# The categories of CLDR that a language has for whole numbers, in the order of the forms in the catalogues.
'''


def category(language: str, n: int) -> str:
    """What CLDR calls the form after this number."""
    return str(Locale(language).plural_form(n))


def make_module() -> str:
    """The text of the module."""
    categories: dict[str, list[str]] = {
        language: [
            each for each in ("one", "few", "many", "other") if each in {category(language, n) for n in range(200)}
        ]
        for language in shared_words.languages
    }
    names = ", ".join(f"{language!r}: {tuple(each)!r}" for language, each in categories.items()).replace("'", '"')
    text = [HEAD, f"CATEGORIES: Final = {{{names}}}\n"]
    text.append("# For each number below 200 the index of its category. From 200 on a number has that of 100 and its")
    text.append(" last two digits.\nPLURALS: Final = {\n")
    for language, each in categories.items():
        digits = "".join(str(each.index(category(language, n))) for n in range(200))
        halves = "".join(f'        "{digits[start : start + WIDTH]}"\n' for start in range(0, 200, WIDTH))
        text.append(f'    "{language}": (\n{halves}    ),\n')
    return "".join([*text, "}\n"])


def test_the_module_is_what_babel_makes() -> None:
    assert MODULE.read_text(encoding="utf-8") == make_module()


@pytest.mark.parametrize("language", shared_words.languages)
def test_the_form_of_every_number_is_that_of_cldr(language: str) -> None:
    names = CATEGORIES[language]
    forms = "/".join(names)
    assert len(PLURALS[language]) == 200
    assert {n: choose_form(n, forms, language) for n in NUMBERS} == {n: category(language, n) for n in NUMBERS}
    # an edition counts as its language does, and a debt as what is owed
    assert choose_form(-1, forms, language) == names[0]
    assert choose_form(21, forms, f"{language}-1900") == choose_form(21, forms, language)


@pytest.mark.parametrize("language", shared_words.languages)
def test_a_noun_has_a_form_for_each_category(language: str) -> None:
    for key, forms in shared_words(language)["counts"].items():
        assert len(forms.split("/")) == len(CATEGORIES[language]), key


if __name__ == "__main__":
    MODULE.write_text(make_module(), encoding="utf-8")

"""The planted defects are still in the code to be planted, and a few of them are planted here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.defects import DEFECTS, ROOT, SUITE, SUITE_OF_FOUNDERS, Defect, is_caught
from tests.shares import share

SHARE = [*share(DEFECTS, 90), *(defect for defect in DEFECTS if defect.suite not in (SUITE, SUITE_OF_FOUNDERS))]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_the_right_text_stands_once(defect: Defect) -> None:
    assert (ROOT / defect.folder / defect.file).read_text(encoding="utf-8").count(defect.right) == 1


@pytest.mark.parametrize("defect", SHARE, ids=lambda defect: defect.name)
def test_a_planted_defect_is_caught(defect: Defect, tmp_path: Path, counts: Counter[str]) -> None:
    assert is_caught(defect, tmp_path)
    counts["defects planted and caught"] += 1

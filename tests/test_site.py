"""The pages are built strictly and offline: whatever is wrong with a link, or with a page, fails the build."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
STRICT = ("--fail-on-warning", "--keep-going", "--nitpicky", "--quiet", "--fresh-env")
# What a browser would fetch by itself.
LOADED = re.compile(r"""<(?:script|img|iframe)[^>]*\bsrc=["'](https?:)?//|<link[^>]*\bhref=["'](https?:)?//""")
WRONG = {
    "[a page](nowhere.md)": "target not found",
    "[a heading](page.md#nowhere)": "local id not found",
    "![a picture](nowhere.svg)": "image file not readable",
}


def build(pages: Path, out: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", *STRICT, str(pages), str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Two pages under our settings."""
    folder = tmp_path / "pages"
    folder.mkdir()
    shutil.copy(DOCS / "conf.py", folder)
    (folder / "index.md").write_text("# Pages\n\n- [A page](page.md)\n", encoding="utf-8")
    (folder / "page.md").write_text("# A page\n\nTo [the others](index.md#pages).\n", encoding="utf-8")
    return folder


def test_pages_without_a_mistake_are_built(pages: Path, tmp_path: Path) -> None:
    done = build(pages, tmp_path / "site")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "site" / "page.html").is_file()


@pytest.mark.parametrize("text", WRONG)
def test_a_dead_link_fails(text: str, pages: Path, tmp_path: Path) -> None:
    (pages / "page.md").write_text(f"# A page\n\n{text}\n", encoding="utf-8")
    done = build(pages, tmp_path / "site")
    assert done.returncode != 0
    assert WRONG[text] in done.stderr


def test_a_page_in_no_list_fails(pages: Path, tmp_path: Path) -> None:
    (pages / "other.md").write_text("# Another page\n", encoding="utf-8")
    done = build(pages, tmp_path / "site")
    assert done.returncode != 0
    assert "isn't included in any toctree" in done.stderr


def test_the_build_cannot_use_the_network(pages: Path, tmp_path: Path) -> None:
    with (pages / "conf.py").open("a", encoding="utf-8") as file:
        file.write("\n    import socket\n    socket.create_connection(('127.0.0.1', 9))\n")
    done = build(pages, tmp_path / "site")
    assert done.returncode != 0
    assert "the pages are built offline" in done.stderr


def test_the_pages_load_nothing(tmp_path: Path) -> None:
    done = build(DOCS, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    built = [*tmp_path.rglob("*.html")]
    assert len(built) > 20
    for page in built:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page.name

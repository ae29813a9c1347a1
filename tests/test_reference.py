"""The reference is what the source says. `python -m tests.test_reference` writes its pages."""

from __future__ import annotations

import pytest

from spyrium_cli.main import cli
from tests.reference import FOLDER, PAGES, commands, page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_source_says(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == page(name), "python -m tests.test_reference writes it"


def test_every_command_is_on_the_page() -> None:
    text = page("commands.md")
    paths = [ctx.command_path for ctx in commands(cli, "spyrium")]
    assert len(paths) > len(set(paths) & {"spyrium"})
    for path in paths:
        assert f"\n## {path}\n" in text
        assert f"Usage: {path} " in text


def main() -> None:
    for name in PAGES:
        (FOLDER / name).write_text(page(name), encoding="utf-8")
    print(f"{len(PAGES)} pages in {FOLDER}")


if __name__ == "__main__":
    main()

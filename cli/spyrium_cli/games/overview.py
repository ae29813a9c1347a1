"""The archive as people read it: one line a game, with who played, what everybody scored, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from spyrium_cli.render.text import translate_word

# A game by the columns of the list.
GameRow: TypeAlias = Mapping[str, Any]
COLUMNS = ("game", "played", "title", "players", "state")
# Behind the score of whoever won.
WON = "★"
# A shorter beginning of an id is soon that of two games.
LEAST_ID = 4
# Fewer letters of a name tell nobody who it was.
LEAST_NAME = 3


def shorten_ids(ids: Sequence[str]) -> dict[str, str]:
    """The shortest beginning of each id that no other one has, by the id."""
    ordered = sorted(ids)
    lengths = [0, *map(_count_same_letters, ordered, ordered[1:]), 0]
    # as far as an id is the same as a neighbour's, and one letter more
    return {each: each[: max(*lengths[at : at + 2], LEAST_ID - 1) + 1] for at, each in enumerate(ordered)}


def _count_same_letters(one: str, other: str) -> int:
    """The number of letters with which both begin."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def make_rows(games: Sequence[GameRow], short: Mapping[str, str], language: str, width: int | None) -> list[list[str]]:
    """The cells of each game; names are cut where the line would be wider than `width` (None: nothing is cut)."""
    rows = [_make_row(game, short, language, None) for game in games]
    if width is None or not rows:
        return rows
    others = [column for column, name in enumerate(COLUMNS) if name != "players"]
    room = width - sum(max(len(COLUMNS[at]), *(len(row[at]) for row in rows)) for at in others)
    return [
        row if len(row[COLUMNS.index("players")]) <= room else _make_row(game, short, language, room)
        for game, row in zip(games, rows, strict=True)
    ]


def _make_row(game: GameRow, short: Mapping[str, str], language: str, room: int | None) -> list[str]:
    """The cells of one game; names are cut where they and their scores are longer than `room`."""
    scores = [
        format_total(total, is_assumed, folded) + (WON if player in game["winners"] else "")
        for player, total, is_assumed, folded in zip(
            game["players"], game["totals"], game["assumed"], game["folded"], strict=True
        )
    ]
    return [
        short[game["game"]],
        game["played"] or "",
        game["title"],
        _join_scores(game["players"], scores, room),
        find_state(game, language),
    ]


def _join_scores(players: Sequence[str], scores: Sequence[str], room: int | None) -> str:
    """`Anna ~27, Bob 36★`; where that is longer than `room`, the longest names are cut alike: `Konst… 27`."""
    joined = ", ".join(map(" ".join, zip(players, scores, strict=True)))
    longest = max(map(len, players), default=0)
    while room is not None and len(joined) > room and longest > LEAST_NAME:
        longest -= 1
        cut = [name if len(name) <= longest else f"{name[: longest - 1]}…" for name in players]
        joined = ", ".join(map(" ".join, zip(cut, scores, strict=True)))
    return joined


def format_total(total: int, is_assumed: bool, folded: int | None) -> str:
    """A final score, `~` before what is assumed; behind it what the log adds up to where the table declared another."""
    return f"{'~' if is_assumed else ''}{total}{'' if folded is None else f' (≠{folded})'}"


def find_state(game: GameRow, language: str) -> str:
    """How a game stands, in a word: what is wrong with it, that it goes on, that it is no recorded game, or done."""
    if game["verdict"] != "clean":
        return translate_word(game["verdict"], "verdicts", language)
    if game["source"] == "scoresheet":
        return translate_word("scoresheet", "games", language)
    if not game["final"]:
        return translate_word("open", "games", language)
    return translate_word("simulated" if game["source"] == "simulated" else "done", "games", language)

"""What changed from one plain value to the next, so that a page holds a game's tables in little room.

A delta is an array with the new value in it, or an object of deltas by key or index; page.js lays it over the old one.
"""

from __future__ import annotations

from typing import Any


def delta(old: Any, new: Any) -> Any:
    """What has to be laid over `old` to have `new`; None where nothing has."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        pairs = [(key, old[key], new[key]) for key in new]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(str(at), one, other) for at, (one, other) in enumerate(zip(old, new, strict=True))]
    else:
        # true is not 1 here, though Python finds them equal
        return None if old == new and type(old) is type(new) else [new]
    changes = {key: changed for key, one, other in pairs if (changed := delta(one, other)) is not None}
    return changes or None


def laid_over(old: Any, changed: Any) -> Any:
    """The inverse: the new value. What page.js does, in Python, for whoever checks it."""
    if changed is None:
        return old
    if isinstance(changed, list):
        return changed[0]
    if isinstance(old, dict):
        return {key: laid_over(value, changed.get(key)) for key, value in old.items()}
    return [laid_over(value, changed.get(str(at))) for at, value in enumerate(old)]

"""The difference of two plain values, so that a page holds many tables in little room.

A delta is an array with the new value in it, or an object of deltas by key or index; page.js applies it.
"""

from __future__ import annotations

from typing import Any


def delta(old: Any, new: Any) -> Any:
    """What turns `old` into `new`; None where nothing has to change."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        pairs = [(key, old[key], new[key]) for key in new]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(str(index), *pair) for index, pair in enumerate(zip(old, new, strict=True))]
    else:
        # in JSON true is not 1
        return None if old == new and type(old) is type(new) else [new]
    changes = {key: change for key, before, after in pairs if (change := delta(before, after)) is not None}
    return changes or None

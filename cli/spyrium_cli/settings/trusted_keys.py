"""Public keys that the user's own settings trust."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from spyrium_cli.complaint import Complaint, shell_message, warn
from spyrium_cli.render.surface import tell
from spyrium_cli.settings.config import Settings
from spyrium_cli.settings.file import user_file, write_setting
from spyrium_cli.settings.keys import OWN_KEYS
from spyrium_log.errors import StoreError

if TYPE_CHECKING:
    from spyrium_log.messages import Message

PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")

# valid: the signature holds, and the settings name its key. unknown: it holds, but the key is not trusted here, so
# that it does not prove who signed. The others are those of the log.
Trust: TypeAlias = Literal["unsigned", "valid", "unknown", "wrong", "unchecked"]


def trusted_keys(settings: Settings) -> Mapping[str, str]:
    """The names that the user's settings give to public keys, by key."""
    return {key: name for name, key in settings.table(OWN_KEYS).items()}


def trust_of(standing: Trust, key: str | None, trusted: Mapping[str, str]) -> Trust:
    """The state of a signature for somebody who trusts these keys."""
    return "unknown" if standing == "valid" and key not in trusted else standing


def trust_own_key(settings: Settings, key: str, file: Path) -> None:
    """Trust a key with which the user just signed, under the name of its file."""
    names = settings.table(OWN_KEYS)
    if key in names.values():
        return
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", file.stem).strip("-") or "own"
    numbered_names = (f"{stem}-{n}" for n in count(2))
    name = next(name for name in chain([stem], numbered_names) if name not in names)
    try:
        write_setting(f"{OWN_KEYS}.{name}", key)
    except (Complaint, StoreError) as error:
        warn(shell_message("settings.not-trusted", key=key, why=_reason(error)))
        return
    tell("settings.trusted", key=key, name=f"{OWN_KEYS}.{name}", place=str(user_file()))


def _reason(error: Complaint | StoreError) -> Message | str:
    """What an error says, in the language in which it is shown."""
    return error.sentence if isinstance(error, Complaint) else error.message

"""Where this platform keeps a user's files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

SETTINGS_FILE = "spyrium.toml"


def directory(kind: Literal["config", "data", "state", "cache"]) -> Path:
    """The platform's folder for the user's files of this kind."""
    import platformdirs

    path: Path = getattr(platformdirs, f"user_{kind}_path")("spyrium", appauthor=False)
    return path


def user_file() -> Path:
    """The user's own settings."""
    return directory("config") / SETTINGS_FILE


def project_file() -> Path | None:
    """The nearest settings in this folder or above it."""
    try:
        here = Path.cwd()
    except OSError:
        return None
    return next((path for folder in (here, *here.parents) if (path := folder / SETTINGS_FILE).is_file()), None)

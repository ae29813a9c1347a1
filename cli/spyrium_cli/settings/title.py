"""The title of a call without a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_cli.complaint import Complaint

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.title import AnyTitle


def title_of(session: Session) -> AnyTitle:
    """The title of `--title` or of the settings."""
    from spyrium_log.titles import TITLES

    setting = session.settings.get("title")
    if setting.value not in TITLES:
        raise Complaint(f"expected a title of {', '.join(TITLES)}, found '{setting.value}', at {setting.origin}")
    return TITLES[setting.value]

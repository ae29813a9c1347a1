"""A shelf of titles, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from spyrium_log.checks import argument_error
from spyrium_log.errors import UnknownTitleError
from spyrium_log.messages import argument_message
from spyrium_log.title import AnyTitle


class Shelf(Mapping[str, AnyTitle]):
    """Titles by key, each loaded when it is first asked for: a call about one game waits for no other title."""

    def __init__(self, loaders: Mapping[str, Callable[[], AnyTitle]]) -> None:
        self._loaders = dict(loaders)
        self._loaded: dict[str, AnyTitle] = {}

    def __getitem__(self, key: str) -> AnyTitle:
        """The title of a key; a key that none has is refused with those that there are."""
        if key not in self._loaded:
            if key not in self._loaders:
                expected = argument_message("one-of", what=argument_message("title-key"), known=", ".join(self))
                raise UnknownTitleError(argument_error(expected, key, self).message)
            self._loaded[key] = self._loaders[key]()
        return self._loaded[key]

    def __iter__(self) -> Iterator[str]:
        """The keys, in the order of the shelf."""
        return iter(self._loaders)

    def __len__(self) -> int:
        """The number of titles."""
        return len(self._loaders)

    def __contains__(self, key: object) -> bool:
        """Whether a title has this key; loads none."""
        return key in self._loaders

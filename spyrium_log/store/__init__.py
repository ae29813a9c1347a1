"""The only place that opens a log: reading, appending, notes beside it, a folder or a pack of them."""

from __future__ import annotations

from spyrium_log.log import lines as kinds
from spyrium_log.log.codec import Log
from spyrium_log.log.damage import Salvage
from spyrium_log.log.notes import Mark, NoteLine, Notes, Sidecar
from spyrium_log.log.pack import Game
from spyrium_log.store.aliases import Aliases, add_alias, fold_name, parse_aliases, read_aliases
from spyrium_log.store.files import DISK, Files
from spyrium_log.store.folder import AWAY, Folder
from spyrium_log.store.games import IN, FoundGame, read_games, read_games_at
from spyrium_log.store.locked_file import Patience
from spyrium_log.store.packs import LEVEL, Parts, encode_pack, is_packed
from spyrium_log.store.salvage import read_damaged, read_damaged_stream, write_salvaged
from spyrium_log.store.source import (
    make_reader,
    read_bytes,
    read_head,
    read_log,
    read_path,
    read_stream,
    read_up_to,
    read_whole,
)
from spyrium_log.store.user_files import create_key, read_key, read_sheet, write_readings
from spyrium_log.store.writer import NotesWriter, Writer, read_notes

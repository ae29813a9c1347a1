"""`python -m spyrium_cli` is `spyrium`."""

from __future__ import annotations

from spyrium_cli.main import main

main()

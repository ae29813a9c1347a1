"""`python -m spyrium_cli` is `spyrium`."""

from __future__ import annotations

from spyrium_cli.start import main

main()

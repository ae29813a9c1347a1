"""What the installed command runs: an interrupt is an interrupt from the first moment on, not a traceback."""

from __future__ import annotations

from signal import SIG_DFL, SIGINT, default_int_handler, signal


def main() -> None:
    """Until everything is loaded, ^C ends us as it ends any program; then the command answers it by itself."""
    signal(SIGINT, SIG_DFL)
    from spyrium_cli.main import main as run

    signal(SIGINT, default_int_handler)
    run()

"""What the installed command runs: an interrupt is an interrupt from the first moment on, not a traceback."""

from __future__ import annotations

from signal import SIG_DFL, SIG_IGN, SIGINT, default_int_handler, getsignal, signal


def main() -> None:
    """Until everything is loaded, ^C ends us as it ends any program; then the command answers it by itself.

    Where whoever started us has it ignored, as nohup and shells without a terminal do, it stays so.
    """
    is_heard = getsignal(SIGINT) != SIG_IGN
    if is_heard:
        signal(SIGINT, SIG_DFL)
    from spyrium_cli.main import main as run

    if is_heard:
        signal(SIGINT, default_int_handler)
    run()

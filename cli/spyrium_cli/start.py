"""Start the command so that ^C never ends in a traceback, not even while modules load."""

from __future__ import annotations

import gc
from signal import SIG_DFL, SIG_IGN, SIGINT, default_int_handler, getsignal, signal


def main() -> None:
    """Let ^C end the process until everything is loaded; then the command handles it."""
    # where whoever started us has it ignored, as nohup and shells without a terminal do, it stays so
    is_heard = getsignal(SIGINT) != SIG_IGN
    if is_heard:
        signal(SIGINT, SIG_DFL)
    # as spyrium_log.garbage has it, which a word that is completed does not load
    gc.set_threshold(50_000)
    from spyrium_cli.main import main as run

    if is_heard:
        signal(SIGINT, default_int_handler)
    run()

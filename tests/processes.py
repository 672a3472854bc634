"""Other processes that tests start: they go alike on a busy machine, and however the tests themselves were started."""

from __future__ import annotations

import sys

#: Seconds after which a process is given up. No measure of its speed: without it a fault would hold up all tests.
PATIENCE = 1800

#: Seconds in which a server that runs has answered, on a machine however busy.
ANSWER = 300

_INTERRUPTED = """\
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from interpreter.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def interruptible(*words: str) -> list[str]:
    """The command line of `rulespec WORDS` that a SIGINT ends.

    A shell has what it starts in the background ignore SIGINT, and so do all processes that this starts in its turn.
    """
    return [sys.executable, "-c", _INTERRUPTED, *words]

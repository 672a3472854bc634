"""One command in a process of its own, which tells at the end what it held at most. Started by `bench.heavy.run`."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from bench.heavy.editor import session
from bench.peak import peak


def main() -> int:
    """The limit in seconds, then the words of the command; `lsp` is a session of an editor with the folder."""
    from bench.heavy.run import limited
    from interpreter.cli.main import main as command

    limited(int(sys.argv[1]))
    os.environ["RULESPEC_NO_CACHE"] = "1"
    begun = 0
    try:
        if sys.argv[2] == "lsp":
            answers, begun = session(Path(sys.argv[3]))
            print(f"{answers} answers")
            return 0
        return command(sys.argv[2:])
    finally:
        begun = begun or resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        print(f"\npeak {max(peak(), begun)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

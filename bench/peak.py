"""How much memory this process has held at most."""

from __future__ import annotations

import resource
from pathlib import Path


def peak() -> int:
    """Bytes at most so far. Where Linux tells it, of this program alone: `getrusage` counts what began it, too."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

"""The page, as it was built: read once, each file also in compressed form.

It lies in the package where that came as a wheel, and in `.cache/studio/page` of a checkout, where `./studio` and
`.ci/page` build it.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from interpreter.studio.trouble import Trouble, Troubled

PACKAGED: Final = Path(__file__).resolve().parent / "page"
IN_CHECKOUT: Final = Path(__file__).resolve().parents[2] / ".cache" / "studio" / "page"
START: Final = "index.html"

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_NOT_BUILT: Final = "The page is not built here: ./studio builds it, and so does .ci/page.\n"


@dataclass(frozen=True, slots=True)
class _File:
    data: bytes
    packed: bytes
    type: str


class Page:
    """The files of a built page, by their path below its folder."""

    def __init__(self, folder: Path | None = None):
        self._files = _read(folder or page_folder())

    @property
    def is_there(self) -> bool:
        """Whether it was built."""
        return START in self._files

    @property
    def size(self) -> int:
        """Bytes of all files together as they are sent."""
        return sum(len(file.packed) for file in self._files.values())

    async def start(self, request: Request) -> Response:
        """The page itself, which is the same for everybody: what it shows follows from the link."""
        return self._answer(request, START)

    async def asset(self, request: Request) -> Response:
        """A file that the page names."""
        return self._answer(request, f"assets/{request.path_params['name']}")

    def _answer(self, request: Request, name: str) -> Response:
        file = self._files.get(name)
        if file is None:
            if self.is_there:
                raise Troubled(Trouble("no_address"))
            return PlainTextResponse(_NOT_BUILT, 404)
        headers = {"vary": "accept-encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(file.data, headers=headers, media_type=file.type)
        return Response(file.packed, headers=headers | {"content-encoding": "gzip"}, media_type=file.type)


def page_folder() -> Path:
    """Where the built page lies, or would."""
    return PACKAGED if PACKAGED.is_dir() else IN_CHECKOUT


def _read(folder: Path) -> dict[str, _File]:
    found = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.suffix in _TYPES and path.is_file():
            data = path.read_bytes()
            found[path.relative_to(folder).as_posix()] = _File(data, gzip.compress(data, mtime=0), _TYPES[path.suffix])
    return found

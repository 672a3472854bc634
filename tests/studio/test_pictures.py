"""The pictures of the documentation are there, small and shown, and come of the page as it is."""

from __future__ import annotations

import io

import pytest

pytest.importorskip("playwright", reason="the browser's driver is an extra")
pytest.importorskip("PIL", reason="pictures are made smaller by an extra")

from PIL import Image

from interpreter.studio.page import Page
from tests.project.modules import ROOT
from tests.studio.browser import CHROMIUM
from tests.studio.pictures import HIGH, MOST_BYTES, NAMES, PLACE, WIDE, made


def test_each_picture_is_small_and_shown_on_a_page() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md")))
    assert {path.stem for path in PLACE.glob("*.png")} == set(NAMES)
    for name in NAMES:
        assert (PLACE / f"{name}.png").stat().st_size < MOST_BYTES
        assert f"](pictures/{name}.png)" in pages


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: on Debian it is the package `chromium`")
@pytest.mark.skipif(not Page().is_there, reason="the page is not built: .ci/page builds it")
def test_they_can_be_made_anew() -> None:
    found = dict(made())
    assert found.keys() == set(NAMES)
    for data in found.values():
        picture = Image.open(io.BytesIO(data))
        assert picture.size == (WIDE, HIGH)
        assert len(data) < MOST_BYTES
        assert len(picture.getcolors() or ()) > 10  # not an empty window

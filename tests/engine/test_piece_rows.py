"""How many pieces there are of a row: `count` may ask the member that `each` goes through."""

from __future__ import annotations

from collections import Counter

from tests.engine.small import small


def test_count_reads_the_member_of_each() -> None:
    pack = small("suits").start(0).to_json()["zones"]["pack"]
    assert Counter(pack) == {"card(clubs,false)": 3, "card(hearts,false)": 1, "card(hearts,true)": 2}

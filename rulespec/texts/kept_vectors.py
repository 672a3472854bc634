"""Vectors of sentences that earlier processes have made, kept in the cache folder: to make one costs far more.

    kept = KeptVectors("the encoder and its version")
    kept.get("Take two coins.")        # its vector, to the last bit; None where it is not kept
    kept.write({"Take two coins.": vector})

Sentences are other people's: kept are digests of them, never their words.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from rulespec.source import store

MOST: Final = 500  #: vectors of one file; of more, those that this process has not asked for are left out


class KeptVectors:
    """What was kept of one encoder; each file is read when first asked for."""

    def __init__(self, encoder: str) -> None:
        self._encoder = encoder
        self._shards: dict[str, dict[str, str]] = {}
        self._used: set[str] = set()

    def get(self, text: str) -> Any:
        """The vector of a text; None where it is not kept, or is not as it was written.

        Vectors are spread over files by the first digit of the digest of their text.
        """
        import numpy as np

        key = store.digest(text)
        data = self._shard(key[0]).get(key)
        if data is None:
            return None
        try:
            found = np.frombuffer(base64.b85decode(data), dtype="<f4").astype(np.float32)
        except (ValueError, TypeError):
            return None
        self._used.add(key)
        return found

    def write(self, vectors: Mapping[str, Any]) -> None:
        """Keeps vectors that are not kept yet; where there is no room for all, those that nobody asked for go."""
        new: dict[str, dict[str, str]] = {}
        for text, vector in vectors.items():
            key = store.digest(text)
            self._used.add(key)
            if key not in self._shard(key[0]):
                new.setdefault(key[0], {})[key] = base64.b85encode(vector.astype("<f4").tobytes()).decode("ascii")
        for shard, added in new.items():
            known = {**_read(self._name(shard)), **added}  # another process may have written meanwhile
            used = {key: data for key, data in known.items() if key in self._used}
            rest = {key: data for key, data in known.items() if key not in self._used}
            kept = dict([*used.items(), *rest.items()][:MOST])
            store.write(self._name(shard), kept)
            self._shards[shard] = kept

    def _shard(self, shard: str) -> dict[str, str]:
        if shard not in self._shards:
            self._shards[shard] = _read(self._name(shard))
        return self._shards[shard]

    def _name(self, shard: str) -> str:
        return f"vectors-{store.digest(self._encoder, shard)}"


def _read(name: str) -> dict[str, str]:
    data = store.read(name)
    return data if isinstance(data, dict) else {}

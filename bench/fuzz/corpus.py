"""Keeps what is interesting of damaged inputs: for each code of a diagnostic one input, cut down to what shows it.

python -m bench.fuzz --damaged --seed 3 --hours 1 --out DIR     # codes.json: by which input a code was first met
python -m bench.fuzz.corpus DIR/codes.json --seed 3 > tests/fuzz/corpus.yaml
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import yaml

from bench.fuzz.damage import damaged_files
from bench.fuzz.run import Worker, cut_down

MOST_TRIES = 100  #: to cut one input down
LONGEST = 1_200  #: characters of an input that is kept

Case = dict[str, Any]


def kept(seed: int, number: int, code: str, worker: Worker) -> Case | None:
    """What is kept of an input; None where it is too long, or no text."""
    made = damaged_files(seed, number)
    case: Case = {"name": f"{seed}-{number}", "kind": "damaged", "seed": seed, "number": number, "game": made.game}

    def holds(less: Case) -> bool:
        return code in worker.ask({**less}).get("codes", ())

    case = cut_down({**case, "files": dict(made.files)}, holds, MOST_TRIES)
    files = {path: text for path, text in case["files"].items() if text.strip()}
    whole = "".join(files.values())
    if len(whole) > LONGEST or not re.sub(r"\s", "", whole).isprintable():
        return None
    return {"code": code, "of": f"{made.game}, input {number} of seed {seed}", "files": files}


def main() -> None:
    """Writes the corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("codes", type=Path, help="the file that a run of damaged inputs has written")
    parser.add_argument("--seed", type=int, required=True, help="of that run")
    arguments = parser.parse_args()
    worker = Worker()
    found: dict[str, Any] = {}
    for code, number in json.loads(arguments.codes.read_text(encoding="utf-8")).items():
        if len(damaged_files(arguments.seed, number).files) > 1:
            continue  # those of one file are cut down soon
        entry = kept(arguments.seed, number, code, worker)
        if entry is not None:
            found[code] = entry
    worker.close()
    sys.stdout.write(HEAD + yaml.dump(found, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10_000))


HEAD = (
    "# Damaged inputs that met a code, cut down: made by `python -m bench.fuzz.corpus` from content of our own alone.\n"
)


class _Dumper(yaml.SafeDumper):
    """Texts as blocks, where they can be."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)

if __name__ == "__main__":
    main()

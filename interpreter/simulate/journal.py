"""The folder of a run: its plan, and a line for each game as it is finished, from which everything else is made."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final, Self

from interpreter.log import write_whole
from interpreter.simulate.plan import Plan, plan_from_json
from interpreter.simulate.records import Record, from_line
from rulespec.published import first_fault, place_of
from rulespec.source.alone import is_alone
from rulespec.source.text import SourceFile, Span

PLAN: Final = "plan.json"
GAMES: Final = "games.jsonl"

#: The end of a line: a sum of what stands before it. A figure in which a bit was changed is a figure still.
_SUM: Final = re.compile(rb',"sum":"([0-9a-f]{8})"\}')
_SUM_LENGTH: Final = len(',"sum":"00000000"}')


class OtherRun(Exception):
    """The folder holds another run, or the run cannot be gone on with."""


def kept_plan(path: Path) -> Plan:
    """The plan of a folder. Raises OtherRun where it cannot be read, with the place in the file."""
    try:
        text = path.read_text("utf-8")
        data = json.loads(text)
    except json.JSONDecodeError as fault:
        where, why = f"{path}:{fault.lineno}:{fault.colno}", f"{fault.msg[:1].lower()}{fault.msg[1:]}"
        raise OtherRun(f"{where}: the plan of the run cannot be read: {why}.") from None
    except (OSError, ValueError, RecursionError):
        raise OtherRun(f"{path} cannot be read, so the run cannot go on.") from None
    wrong = first_fault(data, "simulate_plan")
    if wrong is not None:
        file = SourceFile.of(str(path), text)
        span = Span(file, *place_of(text, wrong))
        raise OtherRun(f"{path}:{span.line}:{span.column}: the plan of the run cannot be read: {wrong.words}.")
    data.pop("versions", None)
    return plan_from_json(data)


class Journal:
    """The records of a run in a folder, which no other program can use from `begin` to `release`, or to the end of
    `with Journal(folder) as journal`.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._file: IO[str] | None = None
        self._held: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()
        self.release()

    @property
    def path(self) -> Path:
        return self.folder / GAMES

    def begin(self, plan: Plan, about: dict[str, Any], *, resume: bool | None) -> list[int]:
        """Opens the folder for a plan; gives the tasks that are done. No other program can until `release`.

        `resume` goes on with what is there; None is for a command that cannot. Raises OtherRun where it holds something
        else, or another program is at work there.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self._hold()
        try:
            return self._begin(plan, about, resume=resume)
        except BaseException:
            self.release()
            raise

    def _hold(self) -> None:
        self._held = self.path.open("ab")
        if not is_alone(self._held):
            self.release()
            raise OtherRun(f"Another program is playing into {self.folder}: wait for its end, or name another folder.")

    def release(self) -> None:
        """Other programs can use the folder."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def _begin(self, plan: Plan, about: dict[str, Any], *, resume: bool | None) -> list[int]:
        done: list[int] = []
        if (self.folder / PLAN).exists() or self.path.stat().st_size:
            if not resume:
                way = "" if resume is None else "go on with --resume, or "
                raise OtherRun(f"{self.folder} holds results already: {way}name another folder.")
            self._refuse_another(plan)
            self._mend()
            done = [record["task"] for record in self.records() if record["task"] < plan.tasks]
        write_whole(self.folder / PLAN, json.dumps({**plan.to_json(), "versions": about}, indent=2) + "\n")
        self._file = self.path.open("a", encoding="utf-8")
        return done

    def _refuse_another(self, plan: Plan) -> None:
        kept = kept_plan(self.folder / PLAN)
        own = plan.to_json()
        games = kept.games if plan.until else plan.games  # how sure each look is hangs on how many there may be
        for name, value in replace(kept, games=games, files=plan.files).to_json().items():
            if name == "arms" and [(a.variants, a.levels) for a in kept.arms] == [
                (a.variants, a.levels) for a in plan.arms
            ]:
                if value != own[name]:
                    raise OtherRun(f"{self.folder} holds a run of the game as it was: its content has changed since.")
            elif value != own[name]:
                raise OtherRun(f"{self.folder} holds a run of other {name}: it can only go on with the same.")

    def _mend(self) -> None:
        """Cuts off a line that was not written to its end."""
        data = self.path.read_bytes()[-1:] if self.path.exists() else b"\n"
        if data not in (b"\n", b""):
            with self.path.open("rb+") as file:
                whole = file.read()
                file.truncate(whole.rfind(b"\n") + 1)

    def keep(self, line: str) -> None:
        """Writes the line of a record."""
        assert self._file is not None
        self._file.write(_summed(line))

    def flush(self) -> None:
        """Leaves nothing of what is written in memory."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Nothing more is written."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def records(self) -> Iterator[Record]:
        """The records, one after the other; each task once. A line that is not as it was written is none."""
        seen = bytearray()
        with self.path.open("rb") as file:  # a damaged line may be no text
            for line in file:
                record = from_line(_without_sum(line))
                if record is None:
                    continue
                task = record["task"]
                seen.extend(bytes(max(0, task + 1 - len(seen))))
                if not seen[task]:
                    seen[task] = 1
                    yield record


def _summed(line: str) -> str:
    """A line of JSON with its sum as the last field."""
    body = line[:-1]
    return f'{body},"sum":"{zlib.crc32(body.encode()):08x}"}}\n'


def _without_sum(line: bytes) -> bytes:
    """A line as it was before it had its sum; nothing of a line that is not as it was written."""
    whole = line.removesuffix(b"\n")
    found, body = _SUM.fullmatch(whole[-_SUM_LENGTH:]), whole[:-_SUM_LENGTH]
    return body + b"}" if found is not None and int(found[1], 16) == zlib.crc32(body) else b""

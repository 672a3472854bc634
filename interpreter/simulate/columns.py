"""What the columns of the data set are called, hold and mean: the schema of its files, which each file carries too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Column:
    """`kind` is `text`, `whole`, `number`, or a list of one of them; `about` says what it means, units with it."""

    kind: str
    about: str


#: By name; a name means the same in every file that has it.
COLUMNS: Final[dict[str, Column]] = {
    "arm": Column("whole", "which arm of the run, from 0"),
    "game": Column("whole", "which game of the arm, from 0: games of one number have one seed"),
    "seed": Column("text", "the game's seed: a whole number of up to 64 bits, without a sign"),
    "variants": Column("text", "the arm's variants, with commas between"),
    "levels": Column("text", "the figures and options that are swept, as NAME=VALUE, with commas between"),
    "fingerprint": Column("text", "of the content that was played"),
    "decisions": Column("whole", "how many decisions were made: in the game, or by the seat"),
    "turns": Column("whole", "how many turns the game had; a turn ends when another seat has it"),
    "winning_score": Column("whole", "the highest score, in points"),
    "winners": Column("whole", "how many seats share the first place; 0 where nobody has won"),
    "unfinished": Column("text", "why the game has no end; null where it has"),
    "seat": Column("whole", "the seat at the table, from 1"),
    "name": Column("text", "the seat's name; of a choice, the name of what was chosen"),
    "entrant": Column("whole", "which player of the run sat there, from 1"),
    "agent": Column("text", "that player as the command named it, such as mcts:200"),
    "score": Column("whole", "the seat's score at the end, in points"),
    "place": Column(
        "whole", "the seat's place at the end, from 1; shared ones have one number; from 2 where nobody has won"
    ),
    "won": Column("number", "the seat's part of the victory, 0 to 1; of a trial, how much more of it with the value"),
    "reason": Column("text", "what the points are for"),
    "points": Column("whole", "points; of a trial, how many more with the value"),
    "action": Column("text", "the action's id"),
    "times": Column("whole", "how often the seat used the action"),
    "tenth": Column("whole", "which tenth of the game's decisions, from 1"),
    "decision": Column("text", "the id of the action, else of the choice, that the decision belongs to"),
    "value": Column("text", "the value of that name"),
    "chosen": Column("whole", "how often it was chosen"),
    "offered": Column("whole", "at how many decisions it was offered"),
    "zone": Column("text", "the kind of zone in which the piece lies at the end"),
    "piece": Column("text", "the piece, as its holder would name it"),
    "count": Column("whole", "how many lie there"),
    "options": Column("whole", "how many options there were; of a seat, at all its decisions together"),
    "forced": Column("whole", "at how many decisions there was one option alone"),
    "began": Column("whole", "1 if the seat had the first turn, else 0"),
    "n": Column("whole", "how many decisions of the game came before"),
    "others": Column("number", "by how many points the other seats' ends differ, on the average"),
    "alike": Column("whole", "1 if the two ends of the trial are alike, else 0"),
    "taken": Column("whole", "1 if the seat took the value, else 0"),
    "keys": Column("list of text", "the keys of the options, in their order"),
    "took": Column("whole", "the place in `keys` of the option that was taken, from 0"),
    "visits": Column("list of whole", "how often the player tried each option; null where it tried none"),
    "means": Column(
        "list of number", "what each tried option brought on average (mcts and uct: 0 to 1; greedy: points ahead)"
    ),
    "seconds": Column("number", "how long a person had the question before them; null where nobody measured it"),
    "note": Column("text", "what the seat's player noted after so many decisions"),
    "stands": Column("whole", "1 if those decisions stand, 0 if they were taken back after the note"),
    "source": Column("text", "where the game was kept: a file, with the table in it"),
}


def arrow_type(kind: str) -> Any:
    """A kind as the library that writes Parquet calls it."""
    import pyarrow as pa

    if kind.startswith("list of "):
        return pa.list_(arrow_type(kind.removeprefix("list of ")))
    return {"text": pa.string(), "whole": pa.int64(), "number": pa.float64()}[kind]


def schema_of(columns: str, metadata: dict[str, str]) -> Any:
    """The schema of a file with these columns, each with what it means."""
    import pyarrow as pa

    fields = [pa.field(name, arrow_type(COLUMNS[name].kind), metadata={"about": COLUMNS[name].about})
              for name in columns.split()]  # fmt: skip
    return pa.schema(fields, metadata=metadata)

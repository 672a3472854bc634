"""The names of content: what they look like, and which are taken by the language."""

from __future__ import annotations

from typing import Final

from rulespec.expr.words import WORDS
from rulespec.model.shapes import NAME, Naming

#: Words of the expression grammar. They cannot be names that stand alone, but may follow a dot.
GRAMMAR_WORDS: Final[frozenset[str]] = WORDS

#: Names that the language itself declares.
BUILTIN_NAMES: Final[frozenset[str]] = frozenset(
    "abs active boolean box chance clockwise effect game_over integer me nothing option player player_count take waived"
    " winners".split()
)

DECLARED: Final = Naming(id="declared", what="a name", pattern=f"^{NAME}$", reserved=GRAMMAR_WORDS | BUILTIN_NAMES)

#: A name for the time of an action. `player` is allowed: it binds the player in hand.
LOCAL: Final = Naming(
    id="local", what="a name", pattern=f"^{NAME}$", reserved=GRAMMAR_WORDS | BUILTIN_NAMES - {"player"}
)

#: The name of something declared elsewhere, built in ones among them.
KNOWN: Final = Naming(id="known", what="a name", pattern=f"^{NAME}$")

#: A name that is only read after a dot, or not in expressions at all.
MEMBER: Final = Naming(id="member", what="a name", pattern=f"^{NAME}$")

READ_AS: Final = Naming(
    id="read_as",
    what="a name, or a kind and a name with a dot between them",
    pattern=rf"^{NAME}(\.{NAME})?$",
    reserved=GRAMMAR_WORDS | BUILTIN_NAMES,
)

READ_ON: Final = Naming(
    id="read_on",
    what="a kind and a name with a dot between them",
    pattern=rf"^{NAME}\.{NAME}$",
)

#: The number of a port on the rim of a picture.
PORT: Final = Naming(id="port", what="the number of a port", pattern="^(0|[1-9][0-9]?)$")

#: A character of signs for which a picture has an icon.
SIGN: Final = Naming(id="sign", what="one character of a sign", pattern=r"^\S$")

MESSAGE: Final = Naming(
    id="message",
    what="a message key: names with dots between them",
    pattern=rf"^{NAME}(\.{NAME})*$",
)

LANGUAGE: Final = Naming(
    id="language",
    what="a language code",
    pattern="^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$",
)

PLURAL: Final = Naming(
    id="plural",
    what="a plural category or a number",
    pattern="^(zero|one|two|few|many|other|0|[1-9][0-9]*)$",
)

PLAYERS: Final = Naming(
    id="players",
    what="a number of players, or the lowest and the highest as in 2..4",
    pattern=r"^[1-9][0-9]?(\.\.[1-9][0-9]?)?$",
)

PATH: Final = Naming(
    id="path",
    what="a path, such as values.bridge_cost or pieces.card.rows[worth=3].count",
    pattern=rf"^{NAME}(\.[A-Za-z0-9_-]+|\[[^\[\]]+\])*$",
)

STEP_OF: Final = Naming(
    id="step_of",
    what="a step: a verb, a verb and its value, or the step's id",
    pattern=rf"^{NAME}([ =].+)?$",
)

MOMENT: Final = Naming(
    id="moment",
    what="`end`, or a seat and one of its actions or choices",
    pattern=rf"^(end|{NAME} {NAME})$",
)

CODE: Final = Naming(id="code", what="a code of a problem, such as RS508", pattern="^RS[0-9]{3}$")

ANY: Final = Naming(id="any", what="a text", pattern=r"^[\s\S]*$")

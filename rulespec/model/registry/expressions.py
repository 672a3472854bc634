"""The words of expressions and of types: for the reference and for completion. The grammar itself is `expr.lark`."""

from __future__ import annotations

from typing import Final

from rulespec.model.shapes import Operator


def _op(name: str, form: str, gives: str, meaning: str, example: str) -> Operator:
    return Operator(name=name, form=form, gives=gives, meaning=meaning, example=example)


OPERATORS: Final = (
    _op("if", "if P then A else B", "the type of A and B", "A when P is true, else B.", "if cell.rim then 1 else 2"),
    _op("or", "P or Q", "boolean", "True when either is; Q is read only when needed.", "cell.rim or cell.col == 2"),
    _op("and", "P and Q", "boolean", "True when both are; Q is read only when needed.", "cell.rim and cell.col == 2"),
    _op("not", "not P", "boolean", "True when P is false.", "not cell.rim"),
    _op("==", "A == B", "boolean", "Equal, or not (`!=`). Nothing equals `none` but `none`.", "cell.col == 2"),
    _op("<", "A < B", "boolean", "Order of whole numbers: `<`, `<=`, `>`, `>=`. Not chained.", "cell.col < 2"),
    _op("in", "A in S", "boolean", "A is a member of a list, set, range, zone, kind or enum.", "cell.col in 1..3"),
    _op("not in", "A not in S", "boolean", "A is no member.", "cell.col not in 1..3"),
    _op(
        "otherwise",
        "A otherwise B",
        "A's type without none",
        "A, or B where A is none.",
        "cell.token.owner otherwise me",
    ),
    _op("..", "A..B", "set of integer", "The whole numbers from A to B, both among them.", "0..4"),
    _op("+", "A + B", "integer, or a list", "The sum; or two lists, one after the other.", "cell.col + 1"),
    _op("-", "A - B", "integer, or a list", "The difference; or a list without one such member.", "me.hand - card"),
    _op("*", "A * B", "integer", "The product.", "2 * cell.col"),
    _op("//", "A // B", "integer", "The quotient, rounded down. B cannot be 0.", "cell.col // 2"),
    _op("%", "A % B", "integer", "What is left over by `//`. B cannot be 0.", "cell.col % 2"),
    _op("exists", "exists A", "boolean", "A is not none. What follows may then use A.", "exists cell.token"),
    _op(
        "without",
        "E without LABEL",
        "effect",
        "The effect with the rule of that label lifted.",
        "settle without bridge_cost",
    ),
    _op(
        ".",
        "A.NAME",
        "what is declared",
        "An attribute, zone, state, relation or track of a thing.",
        "cell.token.owner",
    ),
    _op(
        "f(x)", "F(A, B)", "F's type", "A function's value, a formula's, a piece, or an effect as a value.", "coins(2)"
    ),
    _op(
        "m[x]",
        "M[A]",
        "a member or none",
        "A table's value, a list's member from 0 (several by a range: `S[0..2]`), or the site there.",
        "cell[1, 2]",
    ),
    _op(
        "[a, b]",
        "[A, B]",
        "list",
        "A list. At the very start of an expression, write a YAML list.",
        "cell.col in [0, 4]",
    ),
    _op("count", "count(x in S where P)", "integer", "How many there are.", "count(c in cell where c.rim)"),
    _op("any", "any(x in S where P)", "boolean", "Whether there is one.", "any(c in cell where exists c.token)"),
    _op("first", "first(x in S where P)", "a member or none", "The first one.", "first(c in cell where c.rim)"),
    _op(
        "sum",
        "sum(E for x in S where P)",
        "integer",
        "The sum of E. In a text also of effects: the numbers of equal ones are added up.",
        "sum(p.coins for p in player)",
    ),
    _op("all", "all(E for x in S where P)", "boolean", "Whether E is true for each.", "all(c.rim for c in cell)"),
    _op("list", "list(E for x in S where P)", "list", "E for each, in order.", "list(c.col for c in cell)"),
    _op("set", "set(E for x in S where P)", "set", "The different values of E.", "set(c.ground for c in cell)"),
    _op("min", "min(E for x in S where P)", "a value or none", "The lowest E; `min(a, b)` of some.", "min(2, 3)"),
    _op("max", "max(E for x in S where P)", "a value or none", "The highest E; `max(a, b)` of some.", "max(2, 3)"),
    _op("most", "most(x in S by E)", "list", "All members that share the highest E.", "most(p in player by p.coins)"),
    _op("least", "least(x in S by E)", "list", "All members that share the lowest E.", "least(p in player by p.coins)"),
    _op(
        "sort",
        "sort(x in S by E)",
        "list",
        "The members, lowest E first; equal ones stay in order.",
        "sort(c in cell by c.col)",
    ),
    _op(
        "longest",
        "longest(x in LINE where P)",
        "list",
        "The longest unbroken stretch of an ordered list.",
        "longest(c in cell where exists c.token)",
    ),
    _op(
        "stretch",
        "stretch(x in LINE where P around y)",
        "list",
        "The unbroken stretch that holds one member.",
        "stretch(c in cell where c.rim around cell)",
    ),
    _op(
        "walk",
        "walk(p from A step NEXT)",
        "list",
        "A, the next of A, and so on, until there is none or one comes again.",
        "walk(p from me step p.left)",
    ),
    _op(
        "reach",
        "reach(s from A via s.beside cost C within N)",
        "set",
        "What can be reached from A for a cost of N at most. C is the cost of entering `s`; A itself is left out.",
        "reach(s from cell via s.beside cost 1 within 2)",
    ),
)

BUILTINS: Final = (
    _op("abs", "abs(N)", "integer", "The number without its sign.", "abs(cell.col - 2)"),
    _op(
        "take",
        "take(N, S)",
        "list",
        "The first N of a list or zone, of a stack from the top; where there are fewer, all of them. A step that moves "
        "or turns them needs N in that zone.",
        "take(2, deck)",
    ),
    _op(
        "clockwise", "clockwise(P)", "list of player", "The players in turn order, P first.", "clockwise(first_player)"
    ),
    _op(
        "waived",
        "waived(LABEL)",
        "boolean",
        "Whether the rule of that label is lifted by `without` where a decision is asked. In texts of decisions only.",
        "waived(bridge_cost)",
    ),
    _op("nothing", "nothing", "effect", "The effect that does nothing.", "nothing"),
    _op(
        "box",
        "box.KIND",
        "zone",
        "The pieces of a kind that lie in no other zone, a stack. In `checks`, texts of rules and the book: the list of"
        " all pieces of the kind.",
        "box.card.count",
    ),
    _op("chance", "chance", "who decides", "Decides evenly at random, in `who`.", "chance"),
    _op("winners", "winners", "list of player", "Who shares the first place, when the game is over.", "winners"),
    _op("game_over", "game_over", "boolean", "Whether the game has ended.", "game_over"),
    _op("player_count", "player_count", "integer", "How many play: a constant of the game.", "player_count"),
    _op("option", "option.NAME", "the option's type", "An option: a constant of the game.", "option.open_hands"),
    _op("me", "me", "player", "Who decides and gains, in steps.", "me.coins"),
    _op("active", "active", "player", "Whose turn it is, in steps.", "active"),
    _op(
        "player", "player", "kind", "All players after `in` or `from`; elsewhere the one in hand.", "count(p in player)"
    ),
    _op("true", "true", "boolean", "True; `false` is the other one.", "true"),
    _op("none", "none", "none", "No value.", "if cell.rim then cell else none"),
)

MEMBERS: Final = (
    _op("count", "LIST.count", "integer", "How many members a list, set, zone or kind has.", "me.hand.count"),
    _op("empty", "LIST.empty", "boolean", "Whether it has none.", "deck.empty"),
    _op("first", "LIST.first", "a member or none", "The first one.", "me.hand.first"),
    _op("last", "LIST.last", "a member or none", "The last one.", "me.hand.last"),
    _op("top", "STACK.top", "a piece or none", "The top piece of a stack.", "deck.top"),
    _op("bottom", "STACK.bottom", "a piece or none", "The bottom piece of a stack.", "deck.bottom"),
    _op("any", "POOL.any", "a piece or none", "One of a pool in which all pieces are equal.", "me.stock.any"),
    _op("index", "THING.index", "integer", "The place among its kind or enum, from 0.", "me.index"),
    _op("left", "PLAYER.left", "player", "The next player in turn order.", "me.left"),
    _op("right", "PLAYER.right", "player", "The player before in turn order.", "me.right"),
    _op("score", "PLAYER.score", "integer", "The points so far.", "me.score"),
    _op("team", "PLAYER.team", "what `teams` gives", "The team, in games with `teams`.", "me.team"),
    _op("partners", "PLAYER.partners", "list of player", "The others of the team, in turn order.", "me.partners"),
    _op("out", "PLAYER.out", "boolean", "Whether the player is out, in games with `eliminate`.", "me.out"),
    _op("owner", "PIECE.owner", "player", "Whose piece it is, for pieces with `per`.", "cell.token.owner"),
    _op("face", "PIECE.face", "a face", "The side it shows, for pieces with `faces`.", "cell.token.face"),
    _op(
        "repeated",
        "position.repeated",
        "integer",
        "How many of the positions that `record: position` remembers are as the position is now, in games with "
        "`repetition`: 0 the first time, where it is read before it is recorded.",
        "position.repeated",
    ),
    _op("place", "SPACE.place", "integer", "The place of a track's space, from 0.", "me.climb.place"),
)

TYPES: Final = (
    _op("integer", "integer", "", "A whole number. State needs a range instead.", "integer"),
    _op("A..B", "A..B", "", "A whole number from A to B, both among them.", "0..20"),
    _op("boolean", "boolean", "", "`true` or `false`.", "boolean"),
    _op("enum", "ENUM", "", "A value of that enum.", "ground"),
    _op("kind", "KIND", "", "A site, or a piece, of that kind.", "cell"),
    _op("player", "player", "", "One of the players.", "player"),
    _op("effect", "effect", "", "Something that can be performed.", "effect"),
    _op("or none", "T or none", "", "A T, or no value.", "cell or none"),
    _op("list of", "list of T", "", "Values of T in order.", "list of cell"),
    _op("set of", "set of T", "", "Different values of T.", "set of cell"),
    _op("by", "T by K", "", "A T for every K: a table.", "integer by player_count"),
    _op("->", "(K) -> T", "", "A formula kept as data: a T worked out from a K.", "(player) -> integer"),
)

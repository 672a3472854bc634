"""What stands above declarations in an editor: scenarios to be run and played on, and what variants change.

for lens in lenses(space, "islands/game.yaml"):
    print(lens.at.line, lens.kind, lens.words)

Running needs the interpreter: the lens only says what can be done, and with which names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from rulespec.diagnostics.model import Problems
from rulespec.game_source import needed
from rulespec.overlay.apply import Applied, apply_variants
from rulespec.overlay.edits import Edit
from rulespec.overlay.merge import Locator
from rulespec.overlay.rule_texts import changed_texts
from rulespec.service.chosen import chosen_of, words_of
from rulespec.service.files_read import FileRead
from rulespec.service.game import Game
from rulespec.service.kept import Kept
from rulespec.service.reading import pairs_of, texts_of
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar

RUN, PLAY, SHOWN, CHANGED, CHANGES, CHOSEN = "run", "play", "shown", "changed", "changes", "chosen"

#: How much of a declaration is told where it is changed: lines, and characters of each.
MOST_LINES, MOST_COLUMNS = 12, 200


@dataclass(frozen=True, slots=True)
class Lens:
    """What can be done at a declaration, whose name is at `at`.

    `run` runs the scenarios `names`, `play` goes on from one; `shown` and `changed` lead to `places`, of scenarios and
    of a variant's changes; `changes` tells what the variant `names` changes, of all or of the declaration at `path`.
    """

    at: Span
    kind: str
    words: str
    names: tuple[str, ...] = ()
    places: tuple[Span, ...] = ()
    path: str = ""


def lenses(space: Workspace, name: str) -> Iterator[Lens]:
    """The lenses of a file; none where it is of no game."""
    game, tree = space.game_of(name), space.file(name).tree
    if game is None or tree is None:
        return
    yield from _chosen(game, tree)
    yield from _scenarios(tree)
    yield from _rules(game, tree)
    variant = space.file(name).variant
    if variant:
        key = tree.key_node("variant")
        if key is not None:
            yield Lens(key.span, CHANGES, f"What {variant} changes", (variant,))
    elif game.variants:
        yield from _changed(game, name)


def _chosen(game: Game, tree: Mapping) -> Iterator[Lens]:
    key = tree.key_node("game")
    if key is not None:  # a game that is just opened is not declared for this
        is_chosen = game.home in game.space.chosen
        words = (
            f"Values are told for {words_of(game, chosen_of(game))}" if is_chosen else "Choose what values are told for"
        )
        yield Lens(key.span, CHOSEN, words)


def _scenarios(tree: Mapping) -> Iterator[Lens]:
    key, found = tree.key_node("scenarios"), pairs_of(tree.get("scenarios"))
    if key is not None and len(found) > 1:
        yield Lens(key.span, RUN, f"Run {len(found)} scenarios", tuple(each.text for each, _ in found))
    for each, _ in found:
        yield Lens(each.span, RUN, "Run", (each.text,))
        yield Lens(each.span, PLAY, "Play from here", (each.text,))


def _rules(game: Game, tree: Mapping) -> Iterator[Lens]:
    rules = pairs_of(tree.get("rules"))
    if not rules:
        return
    showing, places = _showing(game)
    for key, node in rules:
        names = dict.fromkeys(showing.get(key.text, ()))
        names |= dict.fromkeys(texts_of(node.get("shown_by")) if isinstance(node, Mapping) else ())
        known = [each for each in names if each in places]
        if known:
            words = "Shown by 1 scenario" if len(known) == 1 else f"Shown by {len(known)} scenarios"
            yield Lens(key.span, SHOWN, words, tuple(known), tuple(places[each] for each in known))
            yield Lens(key.span, RUN, "Run" if len(known) == 1 else "Run them", tuple(known))


def _showing(game: Game) -> tuple[dict[str, list[str]], dict[str, Span]]:
    """The scenarios that say which rules they are about, by rule; and where each scenario is."""
    showing: dict[str, list[str]] = {}
    places: dict[str, Span] = {}
    for file in game.read():
        for key, node in pairs_of(file.tree.get("scenarios")) if file.tree is not None else ():
            places.setdefault(key.text, key.content)
            for rule in texts_of(node.get("rules")) if isinstance(node, Mapping) else ():
                showing.setdefault(rule, []).append(key.text)
    return showing, places


# ---- variants --------------------------------------------------------------------------------------------------------

#: What each variant does, kept for as long as the files of its game are the same.
_APPLIED: WeakKeyDictionary[Game, Kept[tuple[FileRead, ...], dict[str, Applied]]] = WeakKeyDictionary()


def _applied(game: Game) -> dict[str, Applied]:
    """The game with each of its variants, and what that one needs."""
    kept = _APPLIED.setdefault(game, Kept(1))
    return kept.of(tuple(game.read()), lambda: dict(_apply_each(game)))


def _apply_each(game: Game) -> Iterator[tuple[str, Applied]]:
    source = game.source()
    if source is not None:
        for variant in source.variants:
            active = [source.variants[name] for name in needed(source, [variant])]
            yield variant, apply_variants(source.base, active, Problems())


def _changed(game: Game, name: str) -> Iterator[Lens]:
    """A lens at each declaration of a file that variants change, for each of them."""
    source = game.source()
    if source is None:
        return
    found: dict[tuple[int, str], tuple[Scalar, str, list[Span]]] = {}
    for variant, applied in _applied(game).items():
        for edit in applied.edits:
            key = _declaration(source.base, edit.locator) if edit.variant == variant else None
            if key is not None and key[0].span.file.name == name:
                found.setdefault((key[0].span.start, variant), (*key, []))[2].append(edit.place.content)
    for (_, variant), (key_node, path, places) in sorted(found.items(), key=lambda pair: pair[0]):
        yield Lens(key_node.span, CHANGED, f"Changed by {variant}", (variant,), tuple(places), path)


def _declaration(tree: Mapping, locator: Locator) -> tuple[Scalar, str] | None:
    """The key of the declaration that a locator lies in, and its path."""
    at: Node | None = tree
    found: tuple[Scalar, str] | None = None
    path: list[str] = []
    for part in locator[: 3 if locator[:1] == ("boards",) else 2]:
        if not isinstance(part, str) or not isinstance(at, Mapping):
            break
        key, at = at.key_node(part), at.get(part)
        if key is None:
            break
        path.append(part)
        found = key, ".".join(path)
    return found


def changes_told(game: Game, variant: str, path: str = "") -> str:
    """What a variant changes, as lines: its declarations with what was there (-) and what comes there (+), then the
    sentences of rules. With a `path`, only what it changes of the declaration at that path.
    """
    applied, source = _applied(game).get(variant), game.source()
    if applied is None or source is None:
        return f"There is no variant '{variant}' that can be read."
    lines: list[str] = []
    for edit in applied.edits:
        here = _declaration(source.base, edit.locator)
        if edit.variant == variant and (not path or (here is not None and here[1] == path)):
            lines += _edit(edit)
    if not path:
        for added in applied.additions:
            if added.variant == variant:
                lines += [".".join(str(part) for part in added.locator), *_marked("+", added.value)]
    if not path or path.startswith("rules."):
        lines += _sentences(applied, source.base, path.removeprefix("rules."))
    return "\n".join(lines) if lines else "Nothing changes."


def _edit(edit: Edit) -> Iterator[str]:
    yield f"{edit.path}  ({edit.kind})"
    if edit.kind in ("set", "splice", "remove"):
        yield from _marked("-", edit.old)
    new = [node for node in (*edit.first, *edit.last) if edit.kind != "set"]
    for node in new or ([edit.written] if edit.written is not None else []):
        yield from _marked("+", node)


def _marked(sign: str, node: Node) -> Iterator[str]:
    span = node.span
    start = span.file.text.rfind("\n", 0, span.start) + 1
    lead = span.start - start
    lines = span.text.rstrip().splitlines()
    for line in lines[:MOST_LINES]:
        plain = line[lead:] if line[:lead].isspace() else line
        yield f"  {sign} {plain[:MOST_COLUMNS].rstrip()}"
    if len(lines) > MOST_LINES:
        yield f"  {sign} … {len(lines) - MOST_LINES} more lines"


def _sentences(applied: Applied, base: Mapping, rule: str) -> Iterable[str]:
    for text in changed_texts(base, applied.tree):
        if rule in ("", text.rule):
            yield f"rules.{text.rule}  ({text.language}{f', {text.form}' if text.form else ''})"
            yield from (f"  {sign} {words}" for sign, words in (("-", text.old), ("+", text.new)) if words is not None)

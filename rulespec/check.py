"""Everything that can be wrong with a game, for all numbers of players and all combinations of its options.

problems = Problems()
source = read_game("my_game", problems)
check_game(source, [], problems)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from rulespec.build import Built, lowered
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import GameSource, needed
from rulespec.kept.builds import Build
from rulespec.kept.digests import Digests
from rulespec.kept.former import CONTEXTS, SHOWN, STEPS_EACH, WORK
from rulespec.kept.memo import Memo
from rulespec.kept.outdated import check_outdated_kept
from rulespec.kept.run import CHARACTERS, FORMER, MOST_WORK, Run
from rulespec.lint.lost import FIRST_TYPED, lost_files, lost_sections, lost_variant, players_unknown
from rulespec.lint.scenarios import check_named, check_scenarios, check_variants
from rulespec.lint.unused import check_unused
from rulespec.lint.wheres import check_filters
from rulespec.lower.constants import player_range
from rulespec.lower.context import Context
from rulespec.messages.check import check_shown, check_told_rules, keys_of
from rulespec.messages.terms import check_terms
from rulespec.messages.unwritten import note_unwritten
from rulespec.model.world import World
from rulespec.options import MOST_COUNTED, Combination, allowed, combinations, how_many
from rulespec.overlay.options import all_switched, option_key, switched_on
from rulespec.overlay.variant import check_together
from rulespec.source.memory import hold, let_go, seldom_collected
from rulespec.source.nodes import Mapping
from rulespec.source.store import digest
from rulespec.source.text import Span

#: How many combinations of options and numbers of players are checked; of more a sample.
MOST_COMBINATIONS = 64

#: Problems of what people read have codes that begin so.
WORDS = "RS5"

#: That something is far too much work; it is so for any number of players.
ENDING = frozenset({"RS620", "RS701"})

#: What is asked of rules and of the book: they go by what is declared alone.
RULES = "rules"

#: A message that nothing shows.
SILENT = "RS507"


def check_game(
    source: GameSource,
    variants: Sequence[str],
    problems: Problems,
    memo: Memo | None = None,
    tell: Callable[[Problem], None] | None = None,
) -> None:
    """Reports all problems of a game with these variants (ids) on, and of each of its other variants by itself.

    `problems` may hold those of reading already: they are not reported again, and nothing that follows from them is.
    `memo` holds results of an earlier check of the game, which are used where nothing that they depend on has changed,
    and takes those of this one: what is reported is the same with it and without. `tell` is given an error as soon as
    there is one, long before all is found.
    """
    let_go()
    with seldom_collected():
        run = Run(source, problems, memo if memo is not None else Memo(), Digests(source), tell)
        _check_game(run, variants)
        if run.former is not None and run.former.is_new:
            run.memo.put(FORMER, run.former.data())
        hold(run)


def _check_game(run: Run, variants: Sequence[str]) -> None:
    source, problems = run.source, run.problems
    run.tell_first()
    if lost_files(source, problems) or lost_sections(source, problems) or players_unknown(source, problems):
        _only_syntax(run, variants)
        return
    _check_with(run, variants)
    check_variants(source.base, source.variants, problems)
    run.most_work = MOST_WORK // max(1, len(source.variants))
    switched = all_switched(source.base)
    for name in sorted(source.variants):
        if name in variants or _follows(problems, source.variants[name].name.span):
            continue
        if run.is_spent:
            run.left_out["variants"] += 1
            continue
        _check_with(run, needed(source, [name]), by_itself=name not in switched)
    if run.sampled and not problems.has_errors:
        _note_sample(run)
    if run.left_out:
        _tell_left_out(run)
    run.once.finish()
    problems.drop(SILENT, run.shown)
    if lost_variant(source, problems):
        problems.drop("RS423")
    check_named(source, problems)
    check_filters(run.filters, problems)
    check_unused(source, problems)
    note_unwritten([*source.trees, *(file for each in source.variants.values() for file in each.files)], problems)
    _check_outdated(run)


def _follows(problems: Problems, span: Span) -> bool:
    """Whether the file at `span` has errors already."""
    return any(problem.span.file is span.file for problem in problems.errors)


def _check_outdated(run: Run) -> None:
    """Rules that say figures which variants change. Says nothing of a game with errors."""
    changing = any(variant.changes for variant in run.source.variants.values())
    if changing and not run.problems.has_errors:
        check_outdated_kept(
            run.source, lambda variant: run.tree(needed(run.source, [variant.id])), run.problems, run.memo, run.digests
        )


def _only_syntax(run: Run, variants: Sequence[str]) -> None:
    """Reports what is wrong with expressions by themselves."""
    tree = run.tree(variants)
    if tree is None:
        return
    found = Problems()
    low, _ = player_range(Context(tree, World(found, 1), run.parsed))
    lowered(tree, low, {}, found, run.parsed)
    run.once.take(Problems(problem for problem in found.items if problem.code < FIRST_TYPED), tree)


# ---- every number of players and every combination ---------------------------------------------------


def _check_with(run: Run, variants: Sequence[str], *, by_itself: bool = True) -> None:
    """Checks the game with these variants on.

    What is not there `by_itself` is switched on by an option, and was checked for many numbers of players and options
    then: here the fewest and the most players are enough.
    """
    tree = run.tree(variants)
    if tree is None:
        return
    low, high = player_range(Context(tree, World(Problems(), 1), run.parsed))
    counts = range(low, high + 1) if by_itself else sorted({low, high})
    found: dict[int, Build] = {}
    for players in counts:
        if found and run.is_spent:
            run.left_out["numbers of players"] += 1
            continue
        found[players] = _build(run, variants, tree, players, {})
        if any(problem.code in ENDING for problem in run.problems.errors):
            break  # it would take as long for each
    high = max(found)
    if not run.problems.has_errors:
        _has_new_words(run, tree, found[high])
    total, checked = sum(build.declared_fact("count", how_many) for build in found.values()), 0
    most = total if total <= MOST_COMBINATIONS else MOST_COMBINATIONS // len(found)
    run.problems.extend(_forbidden_starts(found.values()))
    for turn, build in enumerate(found.values() if by_itself else ()):
        count, chosen = _combinations(run, build, most, turn, len(found))
        checked += count
        for options in chosen:
            if run.is_spent and options:  # without options it was made above
                run.left_out["combinations of options"] += 1
                checked -= 1
            if run.is_spent:
                continue
            _check_combination(run, variants, options, build)
    run.checked += checked
    if by_itself and total > run.total:
        run.total, run.sampled = total, run.sampled or total > checked
    _check_words(run, variants, tree, found[high])
    run.builds = {key: build for key, build in run.builds.items() if not key[0]}  # those of a variant are not kept


def _forbidden_starts(builds: Iterable[Build]) -> list[Problem]:
    """The constraint that the options break as they start, for the first number of players for which they do."""
    for build in builds:
        if not build.declared_fact("starts", lambda cx: allowed(cx, {}) is None):
            found = allowed(build.built.context, {})
            return [] if found is None else [found]
    return []


def _check_words(run: Run, variants: Sequence[str], tree: Mapping, build: Build) -> None:
    """Messages and scenarios, with the declarations for the most players: all seats are known.

    Scenarios speak of everything, so they are looked at when all that they speak of is right.
    """
    run.builds[frozenset(variants), build.players] = build
    run.work += run.size // CHARACTERS
    right = all(problem.code.startswith(WORDS) for problem in run.problems.errors)
    _check_terms(run, tree)
    for what, find in (("", _found_in_words), (RULES, _found_in_rules)):
        keys_of_now = partial(_words_keys, run, variants, build, what)
        _kept_words(run, keys_of_now, tree, partial(find, run, tree, build), [])
    if right:
        _check_scenarios(run, variants, tree, build)


def _check_terms(run: Run, tree: Mapping) -> None:
    """Terms, which several trees may share."""
    whole = not run.problems.has_errors and run.faultless.holds(tree)
    terms = id(tree.get("terms")), whole  # trees are kept, so that no number comes again
    if terms not in run.terms:
        run.terms.add(terms)
        found = Problems()
        check_terms(tree, found, whole=whole)
        _take_words(run, found, tree)


def _take_words(run: Run, found: Problems, tree: Mapping) -> None:
    before = len(run.problems.errors)
    run.once.take(found, tree)
    run.word_errors += len(run.problems.errors) - before


def _check_scenarios(run: Run, variants: Sequence[str], tree: Mapping, build: Build) -> None:
    base = run.source.base.get("scenarios") if variants else None
    known = base.keys() if isinstance(base, Mapping) else ()
    asked: list[tuple[list[str], int]] = []
    what = f"scenarios {build.name}"

    def find() -> Problems:
        found, opened = Problems(), set[int]()
        with ExitStack() as notes:

            def context_for(names: Sequence[str], players: int | None) -> Context | None:
                asked.append((sorted(names), build.players if players is None else players))
                about = _context_build(run, *asked[-1])
                if about is not None and id(about) not in opened:
                    opened.add(id(about))
                    notes.enter_context(about.telling(what))
                return None if about is None else about.built.context

            check_scenarios(tree, variants, context_for, found, known)
        _note_contexts(run, build, what, _each_once(asked))
        return found

    parts = run.digests.scenarios, " ".join(sorted(variants))
    exact = None if build.key is None else digest(build.key, *parts)
    _kept_words(run, lambda: (_scenarios_key(run, build, what), exact), tree, find, asked)


def _note_contexts(run: Run, build: Build, what: str, asked: list[list[Any]]) -> None:
    """Notes which builds scenarios have asked for, in order, and what they have read of each."""
    same, former = _same_scenarios(run, build), run.former
    if build.record is None or former is None or same is None:
        return
    each: list[list[Any]] = []
    for names, players in asked:
        about = _known_build(run, names, players)
        told = None if about is None or about.record is None else former.told(about.record, what)
        if told is None:
            return
        each.append([names, players, told])
    build.record.facts[CONTEXTS] = [same, each]


def _same_scenarios(run: Run, build: Build) -> str | None:
    """What scenarios hang on but for what is read of each build that they ask for."""
    meant = None if run.former is None else run.former.declared(build.record)
    return None if meant is None else digest(build.name, meant, run.digests.scenarios_alone)


def _scenarios_key(run: Run, build: Build, what: str) -> str | None:
    """What is said of scenarios depends on, wherever things stand; None where what they read is not as it was.

    As long as it is, they ask for the same builds in the same order: none is made that they would not ask for.
    """
    former, record, same = run.former, build.record, _same_scenarios(run, build)
    if former is None or record is None or same is None or record.facts.get(CONTEXTS, [None])[0] != same:
        return None
    record.asked.add(CONTEXTS)
    for names, players, told in record.facts[CONTEXTS][1]:
        about = _known_build(run, names, players)
        about = _context_build(run, names, players) if about is None and not run.is_spent else about
        if about is None or about.record is None or former.told(about.record, what) != told:
            return None
    return digest(same, *(told for _, _, told in record.facts[CONTEXTS][1]))


def _each_once(asked: list[tuple[list[str], int]]) -> list[list[Any]]:
    return list({(tuple(names), players): [names, players] for names, players in asked}.values())


def _kept_words(
    run: Run,
    keys_of: Callable[[], tuple[str | None, str | None]],
    tree: Mapping,
    find: Callable[[], Problems],
    asked: list[tuple[list[str], int]],
) -> None:
    """Reports what is wrong with words, found anew or kept; the declarations that were asked for, too.

    The first key is of what is said wherever things stand, the second one of what says where something played stands.
    """
    kept = next((kept for key in keys_of() if key is not None and (kept := run.memo.get(key)) is not None), None)
    if kept is not None:
        for names, players in kept["contexts"]:
            _context_build(run, names, players)
    found = None
    if kept is not None and not (run.is_spent and kept["contexts"]):
        found = _recalled(run, kept["problems"])
    if found is None:
        found = find()
        is_complete = not (run.is_spent and asked)  # else some contexts were not there, for what was done before
        keys = keys_of()  # now it is known what was read
        key = keys[1] if keys[0] is None or any(map(run.digests.is_about_played, found.items)) else keys[0]
        if key is not None and is_complete and all(map(run.digests.knows, found.items)):
            said = run.digests.wordings.as_data(found.items)
            run.memo.put(key, {"problems": said, "contexts": _each_once(asked)})
    _take_words(run, found, tree)


def _recalled(run: Run, data: list[Any]) -> Problems | None:
    """Problems that were kept; None where a text that one of them is about has changed."""
    try:
        return Problems(run.digests.wordings.problems(data))
    except (LookupError, TypeError, ValueError):
        return None


def _words_keys(run: Run, variants: Sequence[str], build: Build, what: str = "") -> tuple[str | None, str | None]:
    """What is said of texts depends on: their shapes, where all that is wrong is in them; else on all that is there.

    The first one is the same wherever what is played stands.
    """
    if build.key is None:
        return None, None
    is_sound = len(run.problems.errors) == run.word_errors
    texts = run.digests.wordings.shape if is_sound else run.digests.everything
    more = texts, " ".join(sorted(variants)), str(run.problems.has_errors), what
    asked, former = f"words {what.removesuffix(' shown')}", run.former if is_sound else None
    meant = None if former is None else former.meaning(build.record, asked, with_blocks=RULES not in what)
    return None if meant is None else digest(build.name, meant, *more), digest(build.key, *more)


def _found_in_words(run: Run, tree: Mapping, build: Build) -> Problems:
    found = Problems()
    built = build.built
    if run.problems.has_errors:
        built.context.problems.extend(run.problems)
    with build.telling("words "):
        check_shown(built.context, tree, found, built.program, run.source.engine)
    return found


def _found_in_rules(run: Run, tree: Mapping, build: Build) -> Problems:
    found = Problems()
    cx = None if run.problems.has_errors else build.declared_context()
    if cx is None:
        cx = build.built.context
        cx.problems.extend(run.problems)
    with build.telling(f"words {RULES}", cx):
        check_told_rules(cx, tree, found, is_sound=not cx.problems.has_errors)
    return found


def _has_new_words(run: Run, tree: Mapping, build: Build) -> bool:
    """Whether messages are shown here, or needed, that no combination before had. Takes note of all that are shown."""
    messages = tree.get("messages")
    there = messages.pairs if isinstance(messages, Mapping) else ()
    what = " ".join((SHOWN, *(key.text for key, _ in there)))
    keys = set(build.fact(what, lambda built: sorted(keys_of(built.context, tree, built.program))))
    is_new = not keys <= run.keys
    run.keys |= keys
    run.shown |= {key.span for key, _ in there if key.text in keys}
    return is_new


def _context_build(run: Run, variants: Sequence[str], players: int) -> Build | None:
    known, key = _known_build(run, variants, players), _own_variants(run, variants)
    if known is None:
        if run.is_spent:
            run.left_out["numbers of players and variants of scenarios"] += 1
            return None
        tree = run.tree(sorted(key))
        if tree is None:
            return None
        known = run.builds[key, players] = _build(run, sorted(key), tree, players, {})
    return known


def _known_build(run: Run, variants: Sequence[str], players: int) -> Build | None:
    return run.builds.get((_own_variants(run, variants), players))


def _own_variants(run: Run, variants: Sequence[str]) -> frozenset[str]:
    return frozenset(name for name in variants if name in run.source.variants)


def _build(run: Run, variants: Sequence[str], tree: Mapping, players: int, options: Combination) -> Build:
    key = _key(run, variants, tree, players, options)
    is_right = key is not None and not run.problems.has_errors and not run.parsed.broken_in(tree)
    name = f"{players} {sorted(options.items())} {' '.join(sorted(variants))}"
    former = run.former if is_right else None
    build = Build(tree, players, options, key, run.parsed, run.memo, run.digests, run.shared, former, name)
    found, filters = build.found()
    run.work += build.fact(WORK, _work)
    for span, values in filters.items():
        run.filters.setdefault(span, set()).update(values)
    run.once.take(found, tree)
    run.tell_first()
    return build


def _key(run: Run, variants: Sequence[str], tree: Mapping, players: int, options: Combination) -> str | None:
    """What a lowering depends on: what is played, and what could not be read wherever it stands."""
    if run.digests.has_twins:
        return None
    broken = sorted(run.parsed.broken_in(tree)) if run.problems.has_errors else ()
    return digest(run.digests.played(variants), str(players), str(sorted(options.items())), *broken)


def _combinations(run: Run, build: Build, most: int, turn: int, turns: int) -> tuple[int, list[Combination]]:
    """How many combinations are looked at for one number of players, and those among them that are allowed.

    Fewer where each is much work, none after errors. Each number of players has others, so that more of them are seen.
    """
    if run.problems.has_errors:
        return 0, []
    each = min(most, max(1, run.most_work // build.fact(WORK, _work)))
    what = f"combinations {each} {turn} {turns}"
    count, chosen = build.declared_fact(what, lambda cx: _chosen(cx, each, turn, turns))
    return count, chosen


def _work(built: Built) -> int:
    """How much work making it was."""
    declared = len(built.program.instrs) + len(built.world.states)
    return 1 + built.context.steps_to_declare + STEPS_EACH * declared


def _chosen(cx: Context, each: int, turn: int, turns: int) -> tuple[int, list[Combination]]:
    found = combinations(cx, each) if how_many(cx) <= each else combinations(cx, each * turns)[turn::turns]
    return len(found), [options for options in found if allowed(cx, options) is None]


def _check_combination(run: Run, variants: Sequence[str], options: Combination, build: Build) -> None:
    switched = [name for name in switched_on(build.tree, options) if name in run.source.variants]
    if variants and not _go_together(run, {*variants, *switched}):
        return
    on = [*variants, *switched]
    tree = run.tree(on)
    if tree is None:
        return
    is_made = not options and set(on) == set(variants)  # as it starts it was built first
    combined = build if is_made else _build(run, on, tree, build.players, options)
    if run.problems.has_errors or not _has_new_words(run, tree, combined):
        return
    _check_terms(run, tree)

    def find() -> Problems:
        found = Problems()
        built = combined.built
        with combined.telling("words shown"):
            check_shown(built.context, tree, found, built.program, run.source.engine)
        found.drop(SILENT)
        return found

    def find_in_rules() -> Problems:
        found = _found_in_rules(run, tree, combined)
        found.drop(SILENT)
        return found

    _kept_words(run, lambda: _words_keys(run, on, combined, "shown"), tree, find, [])
    _kept_words(run, lambda: _words_keys(run, on, combined, f"{RULES} shown"), tree, find_in_rules, [])


def _go_together(run: Run, names: set[str]) -> bool:
    found = Problems()
    check_together([run.source.variants[name] for name in sorted(names) if name in run.source.variants], found)
    return not found.has_errors


def _note_sample(run: Run) -> None:
    tree = run.source.base
    game = tree.get("game")
    options = game.get("options") if isinstance(game, Mapping) else None
    first = options.keys()[0] if isinstance(options, Mapping) and options.pairs else ""
    key = option_key(tree, first)
    if key is not None:
        count = f"{run.total:,} or more" if run.total >= MOST_COUNTED else run.total
        run.problems.add("RS435", key.span, count=count, checked=run.checked)


def _tell_left_out(run: Run) -> None:
    """What was too much altogether."""
    game = run.source.base.key_node("game")
    if game is not None:
        left = ", ".join(f"{what}: {count:,}" for what, count in sorted(run.left_out.items()))
        run.problems.add("RS437", game.span, left=left)

"""Each command with a game's folder, as it would be typed: for tests of folders that are odd, or change meanwhile."""

from __future__ import annotations

from pathlib import Path

RULEBOOK = "Each player takes 3 coins.\n\nThe game ends.\n"


def commands_on(game: Path, out: Path, variants: list[str] | None = None) -> list[list[str]]:
    """The words of each command; what it writes goes into `out`, which is made, with rulebooks to compare."""
    out.mkdir()
    for language in ("en", "fr"):
        (out / f"{language}.txt").write_text(RULEBOOK, encoding="utf-8")
    folder, more = str(game), variants or []
    played = [folder, *more, "--seats", "random,random", "--seed", "1"]
    many = ["simulate", folder, *more, "--games", "1", "--jobs", "1"]
    return [
        ["check", folder, *more],
        ["check", folder, *more, "--format", "json"],
        ["check", folder, *more, "--format", "sarif"],
        ["play", *played, "--log", f"{out}/a.log"],
        many,
        [*many, "--out", f"{out}/run"],
        [*many, "--out", f"{out}/run", "--resume"],
        ["diff", folder, *more],
        ["diff", "tic_tac_toe", folder],
        ["book", folder, *more],
        ["book", folder, *more, "--out", f"{out}/book.html"],
        ["texts", "check", folder],
        ["texts", "accept", folder, "--all", "--lang", "fr"],
        ["texts", "compare", "--game", folder, f"en={out}/en.txt", f"fr={out}/fr.txt"],
        ["texts", "export", folder, "--lang", "fr", "--out", f"{out}/fr.po"],
        ["texts", "import", folder, f"{out}/fr.po"],
        ["texts", "mark", "number-0000000000", "to_fix", "--in", f"{out}/states.yaml", "--by", "me"],
        ["draw", folder, *more, "--out", f"{out}/board.svg"],
        ["show", folder, *more],
        ["show", folder, *more, "--ir"],
        ["test", folder, *more],
        ["test", folder, "--coverage", "--format", "json"],
        ["new", "variant", f"{out}/variant", "--from", folder],
        ["new", "game", f"{out}/game", "--from", folder],
        ["new", "language", "it", "--from", folder],
        ["sources", folder],
        ["why", folder, "game.players"],
        ["bench", folder, "--seconds", "0.01"],
        ["replay", f"{out}/a.log", "--verify"],
        ["explain", f"{out}/a.log"],
        ["report", f"{out}/run", "--out", f"{out}/again.html"],
        ["playtests", folder, f"{out}/a.log", "--out", f"{out}/playtest"],
    ]

"""The core without any compiled library: games are checked, loaded and played by the Python executor.

Prints what must be the same with every Python: the state after each part of a game, and what the commands say.
"""

import random

from interpreter import load
from interpreter.cli.main import main

for name in ("tic_tac_toe", "connect_four", "agora_barcelona", "metro"):
    state, dice = load(name).start(seed=7), random.Random(1)
    digests = []
    while state.decision is not None and len(digests) < 150:
        options = state.options()
        state = state.apply(options[dice.randrange(len(options))])
        digests.append(state.digest())
    print("game", name, len(digests), *digests[::10], state.result, flush=True)
for words in (
    ["check", "tic_tac_toe", "--no-cache"],
    ["play", "tic_tac_toe", "--seats", "random,greedy", "--seed", "1", "--lang", "fr"],
    ["test", "tic_tac_toe"],
    ["texts", "check", "tic_tac_toe"],
):
    print(words, main(words), flush=True)

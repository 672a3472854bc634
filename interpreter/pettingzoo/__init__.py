"""A game as an environment of PettingZoo, for players that learn: `pip install 'rulespec[pettingzoo]'`.

env = environment("my_game")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    action = None if termination else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)

Agents are the seats. Actions have fixed numbers, which mean the same in every state and in every game of the same
content, options, variants and number of players: `env.actions` says what (see `interpreter.actions`). The mask says
which are offered. An observation holds what the seat sees, by declared names, or as one row of numbers between 0 and 1
(see `seen`). Whoever wins gets 1 in the end, whoever does not -1, and a shared victory lies between. Each member of a
team that wins gets 1; where nobody wins every seat gets -1. `infos` has the keys and the numbers of the options, in
their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final

try:
    import gymnasium
    import numpy as np
    from pettingzoo import AECEnv
except ImportError as missing:
    raise ImportError(f"{missing.name} is missing: pip install 'rulespec[pettingzoo]'", name=missing.name) from None

from interpreter.actions import Actions
from interpreter.bounds import MOST_DECISIONS
from interpreter.game import Game, load
from interpreter.information import Information
from interpreter.pettingzoo.seen import Seen
from interpreter.state import State
from rulespec.lower.constants import OptionValue

FORMS: Final = ("named", "flat")


def environment(
    name: str | PathLike[str],
    *,
    players: int | None = None,
    options: Mapping[str, OptionValue | None] | None = None,
    variants: Sequence[str] = (),
    **how: Any,
) -> GameEnv:
    """The environment of a game that is loaded as by `interpreter.load`; `how` is what `GameEnv` takes by name."""
    game = load(name, players=players, options=options, variants=variants)
    return GameEnv(game, **how)


class GameEnv(AECEnv):  # type: ignore[misc]  # the library says nothing of its types
    """One game, played by agents in turn.

    `observations` is `named` (a `spaces.Dict` by declared names) or `flat` (one row, normalised; `features` names its
    numbers). `actions` has the meaning of the action numbers. A game that is not over after `most_decisions` is
    truncated: all truncations are true, nobody is rewarded, and `infos` say how many decisions there were. Raises
    NoNumbers for a game that has no numbers.
    """

    def __init__(
        self,
        game: Game,
        *,
        observations: str = "named",
        render_mode: str | None = None,
        most_decisions: int = MOST_DECISIONS,
    ):
        super().__init__()
        if most_decisions < 1:
            raise ValueError(f"most_decisions is at least 1, not {most_decisions}")
        self._most, self._decisions = most_decisions, 0
        if observations not in FORMS:
            raise ValueError(f"observations are one of {', '.join(FORMS)}, not {observations!r}")
        self.metadata = {"name": f"{game.id}_v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.game = game
        self.actions = Actions(game)
        self._amount = max(len(self.actions), 1)  # no space is empty, even where nothing is to be decided
        self.render_mode = render_mode
        self.possible_agents = list(game.seats)
        self._seats = {seat: number for number, seat in enumerate(game.seats)}
        self._seen = Seen(game)
        self._read = self._seen.named if observations == "named" else self._seen.flat
        space = self._seen.named_space() if observations == "named" else self._seen.flat_space()
        self._actions = {agent: gymnasium.spaces.Discrete(self._amount) for agent in self.possible_agents}
        mask = gymnasium.spaces.Box(0, 1, (self._amount,), np.int8)
        self._observations = {
            agent: gymnasium.spaces.Dict({"observation": space, "action_mask": mask}) for agent in self.possible_agents
        }
        self._seed = 0
        self._state: State | None = None
        self._information = Information(game)

    @property
    def features(self) -> list[str]:
        """What each number of a flat observation is."""
        return self._seen.features()

    def observation_space(self, agent: str) -> Any:
        """What an observation of an agent looks like."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; without a seed the one after the last."""
        self._seed = self._seed + 1 if seed is None else seed
        self._state, self._decisions = self.game.start(self._seed), 0
        self._information.begin(self._seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._next()

    @property
    def position(self) -> State:
        """The state, for whoever may see all."""
        if self._state is None:
            raise RuntimeError("the environment must be reset before it is used")
        return self._state

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and which actions it has; none while another one decides."""
        mask: Any = np.zeros(self._amount, np.int8)
        decision = self.position.decision
        if decision is not None and self._seats[agent] == decision.player:
            mask[self.actions.numbers(self.position)] = 1
        return {"observation": self._read(self.position, self._seats[agent]), "action_mask": mask}

    def information_state(self, agent: str) -> str:
        """All that an agent has seen since the beginning and sees now, as text; equal where it cannot tell games apart.

        Takes time the first time after each action, since what happened has to be found out.
        """
        return self._information.text(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Takes the option with a number; None for an agent that is out of the game."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} decides, and has to take an action")
        option = self.actions.option(self.position, int(action))
        self._cumulative_rewards[agent] = 0.0
        self._information.taken(option.key)
        self._state = self.position.apply(option)
        self._decisions += 1
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
        """Who decides now; when the game is over, what everybody gets."""
        state = self.position
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if state.decision is not None and self._decisions >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"unfinished": self._decisions} for agent in self.agents}
            return
        if state.decision is not None:
            self.agent_selection = self.possible_agents[state.decision.player]
            self.infos = {agent: {} for agent in self.agents}
            told = {"keys": state.options().keys(), "actions": tuple(self.actions.numbers(state))}
            self.infos[self.agent_selection] = told
            return
        assert state.result is not None
        shares = state.result.shares
        for agent, seat in self._seats.items():
            self.rewards[agent] = 2 * shares[seat] - 1
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"scores": state.result.scores} for agent in self.agents}

    def render(self) -> str | None:
        """The position as text, as the agent whose turn it is sees it."""
        if self.render_mode is None:
            return None
        from interpreter.draw import Drawer, Showing, render

        drawer = Drawer(self.game, self.game.texts("en"))
        seen = Showing(self._seats[self.agent_selection])
        return "\n".join(render(line) for line in drawer.lines(self.position, seen))

    def close(self) -> None:
        """Nothing is held open."""

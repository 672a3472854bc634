"""A game as an environment of PettingZoo, for players that learn: `pip install 'rulespec[pettingzoo]'`.

env = environment("my_game")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    action = None if termination else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)

Agents are the seats. An action is the number of an option in their stable order; the mask says how many there are. An
observation holds what the seat sees, as integers (see `seen`). Whoever wins gets 1 in the end, whoever does not -1, and
a shared victory lies between. `infos` has the keys of the options, for whoever wants to know what numbers mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

try:
    import gymnasium
    import numpy as np
    from pettingzoo import AECEnv
except ImportError as missing:
    raise ImportError(f"{missing.name} is missing: pip install 'rulespec[pettingzoo]'", name=missing.name) from None

from interpreter.game import Game, load
from interpreter.pettingzoo.seen import Seen
from interpreter.pettingzoo.sizes import most_options
from interpreter.state import State
from rulespec.lower.constants import OptionValue

LOW, HIGH = -(2**62), 2**62


def environment(
    name: str | PathLike[str],
    *,
    players: int | None = None,
    options: Mapping[str, OptionValue | None] | None = None,
    variants: Sequence[str] = (),
    most: int | None = None,
    render_mode: str | None = None,
) -> GameEnv:
    """The environment of a game that is loaded as by `interpreter.load`."""
    game = load(name, players=players, options=options, variants=variants)
    return GameEnv(game, most=most, render_mode=render_mode)


class GameEnv(AECEnv):  # type: ignore[misc]  # the library says nothing of its types
    """One game, played by agents in turn. `most` options is the size of the action space, by default enough for all."""

    def __init__(self, game: Game, *, most: int | None = None, render_mode: str | None = None):
        super().__init__()
        self.metadata = {"name": f"{game.id}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = list(game.seats)
        self._seats = {seat: number for number, seat in enumerate(game.seats)}
        self._most = most_options(game) if most is None else most
        self._seen = Seen(game)
        size = self._seen.size
        self._actions = {agent: gymnasium.spaces.Discrete(self._most) for agent in self.possible_agents}
        self._observations = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(LOW, HIGH, (size,), np.int64),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self._most,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seed = 0
        self._state: State | None = None

    def observation_space(self, agent: str) -> Any:
        """What an observation of an agent looks like."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of options."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; without a seed the one after the last."""
        self._seed = self._seed + 1 if seed is None else seed
        self._state = self.game.start(self._seed)
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
        """What an agent sees, and which options it has; none while another one decides."""
        mask: Any = np.zeros(self._most, np.int8)
        decision = self.position.decision
        if decision is not None and self._seats[agent] == decision.player:
            mask[: len(self.position.options())] = 1
        return {"observation": self._seen.numbers(self.position, self._seats[agent]), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Takes the option with a number; None for an agent that is out of the game."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        options = self.position.options()
        if action is None or not 0 <= action < len(options):
            raise ValueError(f"{agent} has {len(options)} options, and {action} is none of them")
        self._cumulative_rewards[agent] = 0.0
        self._state = self.position.apply(options[int(action)])
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
        """Who decides now; when the game is over, what everybody gets."""
        state = self.position
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if state.decision is not None:
            if len(state.options()) > self._most:
                raise ValueError(f"there are {len(state.options())} options: make the environment with more of them")
            self.agent_selection = self.possible_agents[state.decision.player]
            self.infos = {agent: {} for agent in self.agents}
            self.infos[self.agent_selection] = {"keys": state.options().keys()}
            return
        assert state.result is not None
        winners = state.result.winners
        for agent, seat in self._seats.items():
            self.rewards[agent] = 2 / len(winners) - 1 if seat in winners else -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"scores": state.result.scores} for agent in self.agents}

    def render(self) -> str | None:
        """The position as text, as the agent whose turn it is sees it."""
        if self.render_mode is None:
            return None
        from interpreter.draw import Drawer, render

        drawer = Drawer(self.game, self.game.texts("en"))
        return "\n".join(render(line) for line in drawer.lines(self.position, self._seats[self.agent_selection]))

    def close(self) -> None:
        """Nothing is held open."""

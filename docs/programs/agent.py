"""An agent in PettingZoo: it takes as much as it can, against one that plays at random."""

from dvonn.actions import action_of
from dvonn.gym import dvonn_v0
from dvonn.gym.players import player

env, choose = dvonn_v0.env(start="balanced"), player("greedy", seed=1)
env.reset(seed=1)
env.action_space("player_1").seed(1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(agent, reward, info["score"])
        env.step(None)
    elif agent == "player_0":
        env.step(action_of(choose(env.unwrapped.position)))
    else:
        env.step(env.action_space(agent).sample(observation["action_mask"]))

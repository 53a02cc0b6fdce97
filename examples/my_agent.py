"""An agent in ten lines: it walks on while the way is clear, else turns to the freer side.

Check it:  navproof agent check examples/my_agent.py:MyAgent
Run it:    navproof run --agent examples/my_agent.py:MyAgent --suite mini -o runs/mine --report
"""

import numpy as np

from navproof import Move


class MyAgent:
    def reset(self, brief):  # the instruction, the robot, its sensors, the budget
        self.goal = brief.instruction

    def act(self, obs):  # obs.rgb, obs.depth, obs.pose, obs.instruction, …
        depth = np.where(obs.depth > 0, obs.depth, 10.0)  # 0 is a hole: out of range
        left, ahead, right = (part.min() for part in np.array_split(depth, 3, axis=1))
        return Move.FORWARD if ahead > 0.8 else Move.LEFT if left > right else Move.RIGHT

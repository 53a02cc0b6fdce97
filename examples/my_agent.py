"""An agent in ten lines: it walks on while the way is clear, else turns to the freer side.

Check it:  navproof agent check examples/my_agent.py:MyAgent
Run it:    navproof run --agent examples/my_agent.py:MyAgent --suite mini -o runs/mine
"""

import numpy as np


class MyAgent:
    sensors = ("depth",)  # leave it out to get the task's standard sensors

    def reset(self, brief):
        self.left_steps = brief.budget_steps

    def act(self, obs):
        self.left_steps -= 1
        if self.left_steps == 0:
            return "stop"
        rows = obs.depth[obs.depth.shape[0] // 3 : 2 * obs.depth.shape[0] // 3]
        depth = np.where(rows == 0, 10.0, rows)  # holes are too far, or too near, to measure
        left, ahead, right = (part.min() for part in np.array_split(depth, 3, axis=1))
        if ahead > 0.8:
            return "forward"
        return "left" if left >= right else "right"

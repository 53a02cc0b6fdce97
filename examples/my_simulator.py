"""A simulator of one's own: the embedded one, on a slippery floor.

Check it:  navproof check simulator examples/my_simulator.py:Slippery
Use it:    navproof run --agent oracle,frontier --suite mini \\
               --simulator examples/my_simulator.py:Slippery -o runs/slippery

Whatever fulfils ``navproof.Simulator`` can take the place of ``EmbeddedSimulator``: another engine,
or a real robot behind a bridge. This one passes everything on and changes how commands are carried
out. Its wheels slip by an amount that depends on the scene, the step and the place alone, so
that going back to a snapshot leads to the very same future.
"""

import math
from dataclasses import dataclass

from navproof.core.seeding import rng
from navproof.sim.embedded import EmbeddedSimulator

SLIP = 0.1  # standard deviation of what is lost or gained of a step or turn
VEER_RAD = math.radians(1.0)  # and of the heading over a step


@dataclass(frozen=True)
class Wheels:
    """How a drive carries out a command: see ``navproof.sim.protocol.Wheels``."""

    forward: float
    turn: float
    veer_rad: float


class Slippery(EmbeddedSimulator):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def place(self, pose):
        super().place(pose)
        self.steps = 0

    def apply(self, command, dt_s=0.1, wheels=None):
        here = f"{self.pose.x:.4f} {self.pose.y:.4f} {self.pose.yaw:.4f}"
        random = rng(0, self.scene.id, f"slip {here}", self.steps)
        self.steps += 1
        forward, turn, veer = random.normal(0.0, 1.0, size=3)
        slipping = Wheels(
            forward=1.0 - SLIP * abs(float(forward)),
            turn=1.0 + SLIP * float(turn),
            veer_rad=VEER_RAD * float(veer),
        )
        if wheels is not None:  # a condition of the run disturbs the drive, too
            slipping = Wheels(
                slipping.forward * wheels.forward,
                slipping.turn * wheels.turn,
                slipping.veer_rad + wheels.veer_rad,
            )
        return super().apply(command, dt_s, slipping)

    def snapshot(self):
        return self.steps, super().snapshot()

    def restore(self, snapshot):
        self.steps, inside = snapshot
        super().restore(inside)

"""The physics tier: the same worlds, cameras and geodesics, the robot moved by MuJoCo.

A run takes it with ``RunSpec(simulator="physics")``; the name goes into the
run's hash, so that no result mixes it with the kinematic tier. It needs ``navproof[physics]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from navproof.sim.registry import register_simulator

if TYPE_CHECKING:
    from navproof.sim.physics.simulator import PhysicsSimulator

__all__ = ["simulator"]


@register_simulator("physics")
def simulator() -> PhysicsSimulator:
    """A new simulator; a ``MissingExtraError`` where MuJoCo is not installed."""
    from navproof.sim.physics.engine import mujoco
    from navproof.sim.physics.simulator import PhysicsSimulator

    mujoco()
    return PhysicsSimulator()

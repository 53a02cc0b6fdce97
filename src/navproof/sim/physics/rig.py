"""A body in a storey, as MuJoCo computes it: built once, then stepped, asked and set back."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SimulationError
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.physics.body import BASE, HITS_OBSTACLES, Body, Limits
from navproof.sim.physics.engine import mujoco
from navproof.sim.physics.geoms import add_floor, add_obstacles, add_people, person_name
from navproof.sim.physics.obstacles import Piece
from navproof.world.people.people import PERSON_RADIUS_M

__all__ = ["STEP_S", "TICK_S", "TOUCH_N", "Rig"]

STEP_S = 0.002
TICK_S = 0.01
"""Time between two looks of the low-level control: five steps of physics."""
TOUCH_N = 5.0
"""A contact that presses less is none: a robot at rest beside a wall has not run into it."""
_CONTACT_S = 0.006
"""Time constant of contacts (MuJoCo's ``solref``), so stiff that a tyre sinks by 0.1 mm at most."""
_SETTLING_S = 1.0
_AWAY_M = 1000.0
_DEEPEST_M = 0.12
F64 = NDArray[np.float64]


class Rig:
    """One body on one storey, with ``people`` cylinders that can be put anywhere."""

    def __init__(self, body: Body, pieces: Iterable[Piece], grid: NavGrid, people: int = 0) -> None:
        engine = mujoco()
        spec = engine.MjSpec()
        spec.option.timestep = STEP_S
        spec.option.integrator = engine.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.cone = engine.mjtCone.mjCONE_ELLIPTIC
        spec.option.jacobian = engine.mjtJacobian.mjJAC_DENSE
        spec.option.impratio = 10.0  # tyres hold rather than creep
        spec.option.disableflags |= engine.mjtDisableBit.mjDSBL_AUTORESET
        add_floor(spec, grid.elevation)
        add_obstacles(spec, pieces, grid)
        body.build(spec)
        add_people(spec, people)
        self.body = body
        self._model = spec.compile()
        self._model.geom_solref[self._model.geom_priority == 0] = (_CONTACT_S, 1.0)
        self._data = engine.MjData(self._model)
        self._base = int(self._model.joint(BASE).qposadr[0])
        self._speed = int(self._model.joint(BASE).dofadr[0])
        self._hard = self._model.geom_contype == HITS_OBSTACLES
        self._people = [int(self._model.body(person_name(i)).mocapid[0]) for i in range(people)]
        self._elevation_m = grid.elevation
        self._reach_m = grid.radius + PERSON_RADIUS_M
        for number in range(people):
            self.put_person(number, -_AWAY_M, number)
        self._settled = self._settle()

    @property
    def obstacle_count(self) -> int:
        """Convex pieces that the body can touch, people included."""
        return int(self._hard.sum())

    # ------------------------------------------------------------------------- where it is
    @property
    def plan(self) -> tuple[float, float, float]:
        """(x, y, yaw) of the base."""
        x, y, _, w, i, j, k = self._data.qpos[self._base : self._base + 7].tolist()
        return x, y, _yaw(w, i, j, k)

    @property
    def forward_m_s(self) -> float:
        """Speed of the base along its heading."""
        vx, vy = self._data.qvel[self._speed : self._speed + 2].tolist()
        yaw = self.plan[2]
        return float(vx * math.cos(yaw) + vy * math.sin(yaw))

    @property
    def speed_m_s(self) -> float:
        """Of the base over the floor, in any direction."""
        vx, vy = self._data.qvel[self._speed : self._speed + 2].tolist()
        return math.hypot(vx, vy)

    @property
    def turning_rad_s(self) -> float:
        return float(self._data.qvel[self._speed + 5])

    @property
    def fallen(self) -> bool:
        return self.body.fallen(*self._tilt())

    @property
    def touching(self) -> bool:
        """Whether an obstacle presses against the body by more than ``TOUCH_N``, or somebody
        walks through it."""
        data = self._data
        if any(self._is_away(place) for place in data.mocap_pos):
            return True
        force = np.zeros(6)
        for index in np.flatnonzero(self._hard[data.contact.geom].any(axis=1)):
            mujoco().mj_contactForce(self._model, data, index, force)
            if force[0] > TOUCH_N:
                return True
        return False

    # ------------------------------------------------------------------------- moving it
    def place(self, x: float, y: float, yaw: float) -> None:
        """At rest on its wheels, there and so turned."""
        self.set_state(self._settled)
        a, b = math.cos(yaw / 2), math.sin(yaw / 2)
        qpos = self._data.qpos[self._base : self._base + 7]
        w, i, j, k = qpos[3:].tolist()
        qpos[:2] = x, y
        qpos[3:] = a * w - b * k, a * i - b * j, a * j + b * i, a * k + b * w

    def tick(self, v_m_s: float, w_rad_s: float, most: Limits | None = None) -> None:
        """``TICK_S`` of physics, the base to come to these speeds as fast as ``most`` (None: the
        body's own limits) allows."""
        self.body.actuate(self._data, v_m_s, w_rad_s, most or self.body.limits, TICK_S)
        mujoco().mj_step(self._model, self._data, round(TICK_S / STEP_S))
        if not math.isfinite(self._data.qpos[self._base]):
            raise SimulationError("the physics has become unstable: place the robot again")

    def put_person(self, number: int, x: float, y: float) -> None:
        """She walks on whatever is there: a robot that cannot give way is walked through, which
        touches it but moves it no more, until they are apart."""
        at_x, at_y, _ = self.plan
        gap = math.hypot(x - at_x, y - at_y) - self._reach_m
        place = self._data.mocap_pos[self._people[number]]
        through = gap < -_DEEPEST_M or (gap < 0.0 and self._is_away(place))
        place[:] = x, y, self._elevation_m - (_AWAY_M if through else 0.0)

    # ------------------------------------------------------------------------- its state
    def state(self) -> F64:
        """All that decides how it goes on, to the bit."""
        which = mujoco().mjtState.mjSTATE_INTEGRATION
        state = np.empty(mujoco().mj_stateSize(self._model, which))
        mujoco().mj_getState(self._model, self._data, state, which)
        return state

    def set_state(self, state: F64) -> None:
        mujoco().mj_setState(self._model, self._data, state, mujoco().mjtState.mjSTATE_INTEGRATION)

    def _is_away(self, place: F64) -> bool:
        return bool(place[2] < self._elevation_m - 1.0)

    def _settle(self) -> F64:
        """The state of the body at rest at the origin, found where nothing is in its way."""
        qpos = self._data.qpos[self._base : self._base + 7]
        qpos[:3] = _AWAY_M, _AWAY_M, self._elevation_m
        for _ in range(round(_SETTLING_S / TICK_S)):
            self.tick(0.0, 0.0)
        self._data.qvel[:] = 0.0
        self._data.time = 0.0
        pitch = self._tilt()[0]
        qpos[3:] = math.cos(pitch / 2), 0.0, math.sin(pitch / 2), 0.0
        return self.state()

    def _tilt(self) -> tuple[float, float]:
        """Pitch (nose down > 0) and roll of the base."""
        w, i, j, k = self._data.qpos[self._base + 3 : self._base + 7].tolist()
        pitch = math.asin(max(-1.0, min(1.0, 2.0 * (w * j - k * i))))
        return pitch, math.atan2(2.0 * (w * i + j * k), 1.0 - 2.0 * (i * i + j * j))


def _yaw(w: float, i: float, j: float, k: float) -> float:
    """Of a unit quaternion."""
    return math.atan2(2.0 * (w * k + i * j), 1.0 - 2.0 * (j * j + k * k))

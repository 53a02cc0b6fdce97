"""A hand-made mission in the tiny flat, and a script that drives through it."""

from __future__ import annotations

import math
from collections.abc import Callable

from navproof.core.types import (
    Answer,
    Camera,
    Episode,
    Event,
    Goal,
    Instruction,
    Move,
    Pose,
    Question,
    Robot,
    SensorSpec,
    SubTask,
    TaskSpec,
    Velocity,
    Walk,
    Waypoints,
)
from navproof.play.env import Env, Step
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.mission.rules import Mission
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES

ROBOT = Robot("cart", 0.18, 0.66, max_speed_m_s=1.0, max_turn_rad_s=1.5)
SPEC = TaskSpec(
    task="mission-v1",
    robot=ROBOT,
    sensors=(
        SensorSpec("rgb", "rgb", Camera(32, 24)),
        SensorSpec("pose", "pose"),
        SensorSpec("expert", "expert"),
    ),
    success_m=2.0,
    budget_steps=5_000,
    control="any",
)
LOOKS = tuple(APPEARANCES)
WALK = Walk("p1", LOOKS[0], ((1.0, 3.0, 2.0), (1.0, 0.8, 1.0), (3.0, 0.8, 0.0)), begins_s=12.0)
"""Waits north in the east room, goes south and east, and stops for good."""
BYSTANDER = Walk("p2", LOOKS[1], ((-3.2, 3.4, 0.0),))
QUESTION = Question("What colour is the table?", "colour", "red")


def point(*xy: float) -> Goal:
    return Goal("point", ((xy[0], xy[1], 0.0),))


ROOM = SubTask("goto_room", "go to the bedroom", point(2.0, 2.0), 3.0, rooms=(1,))
LANDMARK = SubTask("goto_landmark", "go to the table", point(-2.0, 2.7), 3.0, rooms=(0,))
OBJECT = SubTask("goto_object", "find the chair", Goal("object", ((2.0, 2.9, 0.0),)), 1.0)
POINT = SubTask("goto_point", "go 1 m on", point(3.0, 2.0), 0.36)
FOLLOW = SubTask("follow_human", "follow her", Goal("person", ()), 3.0, person="p1")
RETURN = SubTask("return_to", "come back", point(-3.5, 1.0), 2.0)


def mission(*subtasks: SubTask, people: tuple[Walk, ...] = (), **changes: object) -> Episode:
    fields: dict[str, object] = {
        "episode_id": "m",
        "task": "mission-v1",
        "scene": "tiny",
        "start": Pose(-3.5, 1.0),
        "goals": (subtasks[-1].goal if subtasks[-1].goal.positions else point(3.0, 0.8),),
        "geodesic_m": 1.0,
        "reference_path": (),
        "budget_steps": 2_000,
        "seed": 0,
        "instruction": Instruction("Do it all. What colour is the table?"),
        "people": people,
        "subtasks": subtasks,
    }
    return Episode(**fields | changes)  # type: ignore[arg-type]


WHOLE = mission(
    ROOM, OBJECT, POINT, FOLLOW, LANDMARK, RETURN, people=(WALK, BYSTANDER), question=QUESTION
)


def make_env(sensors: tuple[str, ...] = ("pose",)) -> Env:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), ROBOT)
    return Env(sim, Mission(SPEC), sensors)


class Driver:
    """Drives an environment by hand and keeps every event."""

    def __init__(self, env: Env, episode: Episode) -> None:
        self.env = env
        self.events: list[Event] = []
        self.steps: list[Step] = []
        env.reset(episode)

    def do(self, action: object) -> Step:
        step = self.env.step(action)  # type: ignore[arg-type]
        self.events += step.events
        self.steps.append(step)
        return step

    def to(self, x: float, y: float, near_m: float = 0.1) -> Driver:
        """Waypoint after waypoint, until it is there or the episode is over."""
        return self._until(lambda: self._apart_m(x, y) <= near_m, lambda: (x, y))

    def wait_until(self, time_s: float) -> Driver:
        while not self.env.done and self.env.sim.time_s < time_s:
            self.do(Velocity(0.0, 0.0))
        return self

    def face(self, x: float, y: float) -> Driver:
        """Turn on the spot."""
        while not self.env.done and abs(angle := self._bearing(x, y)) > 0.02:
            self.do(Velocity(0.0, max(-1.5, min(1.5, angle / 0.1))))
        return self

    def follow(self, number: int, gap_m: float = 1.6) -> Driver:
        """Keep behind somebody until she has stopped for good."""
        while not self.env.done and not (person := self.env.sim.people()[number]).arrived:
            x, y = person.pose.x, person.pose.y
            if self._apart_m(x, y) > gap_m:
                self.do(Waypoints((self._seen_from_here(x, y),)))
            else:
                angle = self._bearing(x, y)
                self.do(Velocity(0.0, max(-1.5, min(1.5, angle / 0.1))))
        return self

    def stop(self) -> Step:
        return self.do(Move.STOP)

    def answer(self, text: str) -> Step:
        return self.do(Answer(text))

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def done_indices(self) -> list[object]:
        return [e.data["index"] for e in self.events if e.kind == "subtask_done"]

    def _until(
        self, arrived: Callable[[], bool], target: Callable[[], tuple[float, float]]
    ) -> Driver:
        for _ in range(600):
            if self.env.done or arrived():
                return self
            self.do(Waypoints((self._seen_from_here(*target()),)))
        raise AssertionError(f"never arrived at {target()}, stands at {self.env.sim.pose}")

    def _apart_m(self, x: float, y: float) -> float:
        here = self.env.sim.pose
        return math.hypot(x - here.x, y - here.y)

    def _bearing(self, x: float, y: float) -> float:
        here = self.env.sim.pose
        return math.remainder(math.atan2(y - here.y, x - here.x) - here.yaw, math.tau)

    def _seen_from_here(self, x: float, y: float) -> tuple[float, float]:
        away, angle = self._apart_m(x, y), self._bearing(x, y)
        return away * math.cos(angle), away * math.sin(angle)

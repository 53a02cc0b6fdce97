"""By which settings episodes are played: navproof's own, or those that a packed suite brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from navproof.core.types import Clock, Robot, SensorSpec, TaskSpec
from navproof.sensors import with_sensors
from navproof.sim.robots import load_robot
from navproof.tasks.specs import spec_for, with_camera, with_robot

__all__ = ["STANDARD", "Changes", "Settings"]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run changes in the settings of all its tasks: the size of images, sensors that come on
    top, people that mind the robot (in the tasks named ``reacting``), whether the world waits."""

    camera: tuple[int, int] | None = None
    sensors: tuple[SensorSpec, ...] = ()
    reacting: frozenset[str] = frozenset()
    clock: Clock = "wait"

    def of(self, spec: TaskSpec) -> TaskSpec:
        """The settings with these changes."""
        if self.camera is not None:
            spec = with_camera(spec, *self.camera)
        if self.sensors:
            spec = with_sensors(spec, self.sensors)
        if self.clock != "wait":
            spec = replace(spec, clock=self.clock)
        return replace(spec, reacting_people=spec.task in self.reacting) if self.reacting else spec


@dataclass(frozen=True, slots=True)
class Settings:
    """Of tasks and robots that are not in it, navproof's own hold."""

    tasks: Mapping[str, TaskSpec] = field(default_factory=dict)
    robots: Mapping[str, Robot] = field(default_factory=dict)

    def robot(self, name: str) -> Robot:
        """A robot by the name that an episode or a run has for it."""
        return self.robots[name] if name in self.robots else load_robot(name)

    def spec(self, task: str, robot: str = "") -> TaskSpec:
        """The settings of a task, with its own robot ("") or another one."""
        spec = self.tasks[task] if task in self.tasks else spec_for(task)
        return with_robot(spec, self.robot(robot)) if robot else spec

    def played(self, task: TaskSpec, robot: str, sensors: Sequence[SensorSpec] = ()) -> TaskSpec:
        """The settings of a task with the robot that an episode names ("" for the task's own). The
        run's own ``sensors`` stay where they are mounted."""
        body = self.robot(robot) if robot else task.robot
        return task if body == task.robot else with_sensors(with_robot(task, body), sensors)


STANDARD = Settings()

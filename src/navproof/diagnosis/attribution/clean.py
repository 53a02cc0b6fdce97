"""What an agent would be given if no condition had spoiled it: the readings that sensors mounted as
the brief tells would take now, without delay or loss, and where the robot truly is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from navproof.core.types import Observation
from navproof.play.env import Env
from navproof.sensors import View, reads
from navproof.sensors.protocol import Reading

__all__ = ["clean_observation", "is_spoiled"]

_PICTURES = ("rgb", "depth")


def clean_observation(env: Env) -> Observation:
    """The words stay as they are. Sensors that are as they should be cost nothing again."""
    altered, capture_steps = env.observe(clean=True), env.shown()
    view = View(env.sim, env.task.goals(), env.episode.start, step=env.step_count)
    fresh: dict[str, Reading] = {}
    is_lost = bool(env.condition.parts_of("pose"))
    for declared, real in zip(env.sensors, env.mounted, strict=True):
        spec = declared.spec
        is_late = capture_steps[spec.name] < env.step_count - spec.delay_steps and spec.every == 1
        is_off = spec.camera is not None and (spec != real.spec or is_late)
        if is_off or (is_lost and reads(spec) == "pose"):
            fresh[spec.name] = declared.read(view)
    return replace(altered, readings={**altered.readings, **fresh}) if fresh else altered


def is_spoiled(env: Env, observation: Observation) -> bool:
    """Whether a picture that an agent is given now is not as it should be."""
    if not env.condition.parts:
        return False
    clean = clean_observation(env)
    return any(
        not np.array_equal(observation.readings[name], clean.readings[name])
        for name in _PICTURES
        if name in observation.readings
    )

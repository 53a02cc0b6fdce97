"""A condition on a robot: the parts that need one, each asked at its place in the loop.

Everything is a pure function of (condition, seed, episode, slot, step) and of what is passed in,
so an episode under a condition is the same in any order, process and worker.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from navproof.core.types import Instruction, Pose, SensorSpec
from navproof.corruptions.condition import CLEAN, Applied, Condition
from navproof.corruptions.protocol import Moment

if TYPE_CHECKING:
    from navproof.corruptions.body import Actuation
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["DRIVE", "INSTRUCTION", "MOUNT", "POSE", "PROMPT", "Disturbance", "Track"]

INSTRUCTION, PROMPT, MOUNT, POSE, DRIVE = "instruction", "prompt", "mount", "pose", "drive"
"""The slots of randomness besides the sensors' names. All cameras share one mount."""
Track: TypeAlias = tuple[Pose, ...]
"""Where the robot is, and where it takes itself to be after each ``pose`` part in turn."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A condition with the seed of its randomness. With a ``rewriter``, styles are its model's
    instead of the built-in ones."""

    condition: Condition = CLEAN
    seed: int = 0
    rewriter: Rewriter | None = None

    def moment(self, episode: str, slot: str, step: int) -> Moment:
        return Moment(self.seed, episode, slot, step)

    # --------------------------------------------------------------------------------- words
    def words(self, said: str | Instruction, episode: str, number: int) -> str:
        """The instruction as it is read; ``number`` counts those of an episode from 0."""
        moment = self.moment(episode, INSTRUCTION, number)
        for part in self.condition.parts_of("words"):
            said = self._rewritten(part, said, moment) or part.corrupt(said, moment)
        return said if isinstance(said, str) else said.text

    def _rewritten(self, part: Applied, said: str | Instruction, moment: Moment) -> str:
        """The model's words, or nothing where none is asked."""
        if self.rewriter is None:
            return ""
        from navproof.corruptions.rewriter import STYLES, restyle_with

        style = part.corruption.name
        if style not in STYLES:
            return ""
        rng = moment.fresh(style)
        return restyle_with(self.rewriter, said, style, part.intensity, rng).text

    def prompt(self, episode: str) -> str:
        """What is put into an agent's system prompt."""
        moment = self.moment(episode, PROMPT, 0)
        return str(self.condition.corrupt("prompt", "", moment))

    # ------------------------------------------------------------------------------- sensors
    def mounted(self, spec: SensorSpec, episode: str) -> SensorSpec:
        """The sensor as it really is; only cameras are mounted."""
        if spec.camera is None:
            return spec
        moment = self.moment(episode, MOUNT, 0)
        for part in self.condition.parts_of("mount"):
            known = part.corruption
            spec = known.apply(spec, part.intensity, moment.lasting(known.name))
        return spec

    def lost(self, spec: SensorSpec, episode: str, step: int) -> bool:
        """Whether the frame that a camera takes at this step never arrives."""
        if spec.camera is None:
            return False
        moment = self.moment(episode, spec.name, step)
        return any(
            part.corruption.apply(part.intensity, moment.fresh(part.corruption.name))
            for part in self.condition.parts_of("arrival")
        )

    def tracked(self, track: Track, now: Pose, episode: str, step: int) -> Track:
        """The track one step on: each part integrates the motion that the one before tells."""
        moment = self.moment(episode, POSE, step)
        here = [now]
        for index, part in enumerate(self.condition.parts_of("pose")):
            name = part.corruption.name
            still = moment.lasting(name) if part.lasting else None
            here.append(
                part.corruption.apply(
                    track[index + 1],
                    track[index],
                    here[index],
                    part.intensity,
                    moment.fresh(name),
                    still,
                )
            )
        return tuple(here)

    def begin_track(self, start: Pose) -> Track:
        return (start,) * (1 + len(self.condition.parts_of("pose")))

    # --------------------------------------------------------------------------------- drive
    def wheels(self, episode: str, step: int) -> Actuation | None:
        """How the command of this step is carried out; None as commanded. Factors multiply."""
        moment = self.moment(episode, DRIVE, step)
        done: Actuation | None = None
        for part in self.condition.parts_of("drive"):
            name = part.corruption.name
            still = moment.lasting(name) if part.lasting else None
            more: Actuation = part.corruption.apply(part.intensity, moment.fresh(name), still)
            done = more if done is None else _both(done, more)
        return done


def _both(a: Actuation, b: Actuation) -> Actuation:
    return replace(
        a, forward=a.forward * b.forward, turn=a.turn * b.turn, veer_rad=a.veer_rad + b.veer_rad
    )

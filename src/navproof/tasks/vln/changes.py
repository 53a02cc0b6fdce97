"""VLN episodes with another goal, told anew, or with fewer clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from navproof.core.seeding import rng
from navproof.core.types import Episode, Instruction, Pose, Scalar
from navproof.language.routes.check import check_instruction
from navproof.language.routes.plan import Clause
from navproof.language.routes.realise import realise
from navproof.sim.protocol import Simulator
from navproof.tasks.changes import Changes
from navproof.tasks.draft import Site
from navproof.tasks.specs import spec_for
from navproof.tasks.vln.make import describable, vln_episode
from navproof.world.scene import SceneObject

__all__ = ["changes"]

_ESSENTIAL = ("stop", "orient")


def changes() -> Changes:
    return Changes(goals=_goals, retarget=_retarget, shorter=_shorter)


def _goals(site: Site) -> list[SceneObject]:
    return describable(site.scene)


def _retarget(
    site: Site,
    episode: Episode,
    object_id: int,
    draw: np.random.Generator,
    start: Pose,
    plain: bool,
) -> Episode | None:
    """The way there is told anew; the robot stands where it stood and may face elsewhere."""
    views = site.viewpoints(object_id)
    sim = site.body(episode.task)
    ends = tuple(p for p in views if sim.is_navigable(p))
    if not ends:
        return None
    return vln_episode(site, 0, 0, draw, start.point, ends, {object_id: views}, {})


def _shorter(site: Site, episode: Episode) -> Iterator[Episode]:
    """One clause less, as long as what is left is still proved true of the route and complete
    (``language.routes.check``)."""
    if episode.instruction is None:
        return
    found = list(_with_fewer_clauses(episode, episode.instruction, site))
    found.sort(key=lambda e: len(e.instruction.text.split()) if e.instruction else 0)
    yield from found


def _with_fewer_clauses(episode: Episode, told: Instruction, site: Site) -> Iterator[Episode]:
    sim = site.body(episode.task)
    words = len(told.text.split())
    for k, gone in enumerate(told.clauses):
        if gone["kind"] in _ESSENTIAL:
            continue
        left = [_clause(c) for c in told.clauses[:k] + told.clauses[k + 1 :]]
        draw = rng(episode.seed, episode.episode_id, "fuzz.shorten", len(left) * 100 + k)
        said = realise(left, site.scene, draw)
        if said is not None and len(said.text.split()) < words and _is_true(sim, episode, said):
            yield replace(episode, instruction=said)


def _is_true(sim: Simulator, episode: Episode, said: Instruction) -> bool:
    camera = next(s.camera for s in spec_for(episode.task).sensors if s.camera is not None)
    path, start = episode.reference_path, episode.start
    return not check_instruction(sim, said, path, start, camera.height_m)


def _clause(stored: Mapping[str, Scalar]) -> Clause:
    """A clause as it was before it had words."""
    facts = {name: fact for name, fact in stored.items() if name not in ("kind", "at_m", "words")}
    return Clause(stored["kind"], float(str(stored["at_m"])), facts)  # type: ignore[arg-type]

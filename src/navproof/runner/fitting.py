"""Which episodes to run on which robots: those that leave them room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from navproof.core.errors import SpecError
from navproof.core.processes import in_processes
from navproof.core.types import Episode
from navproof.runner.plan import choose
from navproof.runner.spec import RunSpec
from navproof.sim.registry import PHYSICS, SIMULATORS, going_on
from navproof.tasks.robots import Candidate, Misfit, SceneJob, fit_in_scene, for_robots
from navproof.tasks.settings import STANDARD, Settings

__all__ = ["check_clock", "check_robots", "choose_fitting"]


def check_robots(spec: RunSpec, settings: Settings = STANDARD) -> None:
    """Raises in one line, before any work, where a robot that is asked for cannot be had, or has no
    body in the physics tier."""
    for name in spec.robots:
        robot = settings.robot(name)
        if spec.simulator == PHYSICS:
            from navproof.sim.physics.body import body_for

            body_for(robot)


def check_clock(spec: RunSpec) -> None:
    """Raises in one line, before any work, where the world cannot go on by itself in the run's
    simulator and is to do so."""
    if spec.clock != "wait" and spec.simulator not in SIMULATORS.built_in():
        going_on(SIMULATORS[spec.simulator]())


def choose_fitting(
    spec: RunSpec,
    episodes: Sequence[Episode],
    workers: int,
    announce: Callable[[str], None],
    prepare: Callable[[], None],
    settings: Settings = STANDARD,
) -> tuple[Episode, ...]:
    """The episodes that a run is of, on its robots, their lengths right for these. Says how many
    leave a robot no room. ``prepare`` is called before the first is looked at in its scene.

    Only as many are looked at as the run needs; what comes out is as if all had been.
    """
    candidates = for_robots(episodes, spec.robots, settings)
    waiting = {c.episode.episode_id: c for c in candidates if c.is_adapted}
    limit, skip = spec.episode_limit, spec.episode_skip
    if not waiting:
        return choose([c.episode for c in candidates], limit, skip)
    results: dict[str, Episode | Misfit] = {}
    choose([c.episode for c in candidates], None)  # ids must be unique
    prepare()
    while True:
        left = _fitting(candidates, results)
        if not left:
            break
        several = choose(left, None if limit is None else limit + skip)
        unknown = [e.episode_id for e in several if e.episode_id in waiting.keys() - results]
        if not unknown:
            break
        results |= _looked_at(spec, [waiting[name] for name in unknown], workers)
    for line in _lines(candidates, results):
        announce(line)
    return choose(_fitting(candidates, results), limit, skip)


def _fitting(
    candidates: Sequence[Candidate], results: dict[str, Episode | Misfit]
) -> list[Episode]:
    """All but those that are known not to fit."""
    found = (results.get(c.episode.episode_id, c.episode) for c in candidates)
    return [episode for episode in found if isinstance(episode, Episode)]


def _looked_at(
    spec: RunSpec, candidates: Sequence[Candidate], workers: int
) -> dict[str, Episode | Misfit]:
    by_scene: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        by_scene.setdefault(candidate.episode.scene, []).append(candidate)
    jobs = [SceneJob(scene, tuple(held), spec.simulator) for scene, held in by_scene.items()]
    found: dict[str, Episode | Misfit] = {}
    for index, result in in_processes(fit_in_scene, jobs, workers):
        for candidate, fitted in zip(jobs[index].candidates, result(), strict=True):
            found[candidate.episode.episode_id] = fitted
    return found


def _lines(candidates: Sequence[Candidate], results: dict[str, Episode | Misfit]) -> list[str]:
    """For each robot that some episodes leave no room: how many, and why. A ``SpecError`` where all
    do."""
    lines = []
    for robot in dict.fromkeys(c.episode.robot for c in candidates):
        mine = [c.episode.episode_id for c in candidates if c.episode.robot == robot]
        known = [results[name] for name in mine if name in results]
        reasons = Counter(one.why for one in known if isinstance(one, Misfit))
        if not reasons:
            continue
        why = ", ".join(f"{reason}: {count}" for reason, count in sorted(reasons.items()))
        count = sum(reasons.values())
        if count == len(mine):
            body = candidates[0].settings.robot(robot)
            raise SpecError(
                f"no episode leaves room for {robot} ({2 * body.radius_m:.2f} m wide, "
                f"{body.height_m:.2f} m tall): {why}"
            )
        one = count == 1
        lines.append(
            f"{count} of {len(known)} episodes leave{'s' * one} no room for {robot} and "
            f"{'is' if one else 'are'} left out ({why})"
        )
    return lines

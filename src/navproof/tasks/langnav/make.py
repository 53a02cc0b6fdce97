"""LangNav episodes: three goals in words, each proved to fit exactly the objects it should."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from navproof.core.types import Episode, Goal, Instruction, Point, Pose, Scalar
from navproof.language.goals.goals import (
    ATTRIBUTES,
    COUNTS,
    Detail,
    check_goal,
    draw_descriptions,
    matches,
    say,
    unique_parts,
)
from navproof.language.goals.tags import tags_from
from navproof.sim.protocol import Simulator, points
from navproof.tasks.draft import Site, episode_id, episode_seed, round_point, round_pose
from navproof.tasks.langnav.fairness import GOALS, broken_constraints
from navproof.tasks.langnav.goal_split import goal_categories_of, split_of
from navproof.tasks.specs import spec_for
from navproof.world.scene import Scene, SceneObject

__all__ = ["draw_goal", "langnav_episode", "make_extended_langnav", "make_langnav"]

_T = TypeVar("_T")
_Name = TypeVar("_Name", bound=str)
_TASK = "langnav-v1"
_EXTENDED = "langnav.ext-v1"  # in ids and streams, so that the two never share episodes
_STARTS = 12
_DRAWS = 30
_MOST_INSTANCES = 8
_LEADS = {
    "": 0.335,
    "modifier": 0.26,
    "support": 0.215,
    "colour": 0.015,
    "size": 0.05,
    "material": 0.03,
    "number": 0.03,
    "state": 0.035,
    "texture": 0.03,
}
"""The feature that a goal's words must have ("": none at all), by share. A third of the paper's
val descriptions have none; modifiers and supports are its most frequent (Table 2, Figure 5). Words
may have more features than the one asked for, most often a colour."""
_UNIQUE = 0.33  # of the goals with features: as many as tell the object from all others
_KINDS: dict[Detail, float] = {"negation": 1.0, "anchor": 1.0, "spatial": 1.0, "coreference": 1.5}
_NEAR_M = 2.0


def make_langnav(site: Site, seed: int, index: int, attempt: int) -> Episode | None:
    """One try: three goals with attributes and supports as in the paper, and a start; or None."""
    return _make(site, seed, index, attempt, _TASK)


def make_extended_langnav(site: Site, seed: int, index: int, attempt: int) -> Episode | None:
    """One try: three goals with negation, anchors, sides or coreference, and a start; or None."""
    return _make(site, seed, index, attempt, _EXTENDED)


def _make(site: Site, seed: int, index: int, attempt: int, name: str) -> Episode | None:
    draw = site.stream(seed, f"{name}.{index}", attempt)
    goals = _draw_goals(site, draw, extended=name == _EXTENDED)
    if goals is None:
        return None
    sim = site.body(_TASK)
    for _ in range(_STARTS):
        start = round_point(sim.random_point(draw))
        pose = round_pose(start, float(draw.uniform(-math.pi, math.pi)))
        if next(broken_constraints(sim, start, goals), None) is None:
            return langnav_episode(site, sim, seed, index, name, pose, goals)
    return None


def _draw_goals(site: Site, draw: np.random.Generator, extended: bool) -> list[Goal] | None:
    """Three goals with different words and no object in common; None where one is not found."""
    goals: list[Goal] = []
    for _ in range(GOALS):
        previous = goals[-1].object_ids if goals else ()
        detail, lead = _recipe(draw, extended, has_it=len(previous) == 1)
        targets = _targets(site, lead, previous)
        for _ in range(_DRAWS if targets else 0):
            target = _pick(draw, _pick(draw, targets))
            goal = _goal(site, draw, target, detail, lead, previous)
            if goal is not None and not any(_alike(goal, other) for other in goals):
                goals.append(goal)
                break
        else:
            return None
    return goals


def draw_goal(site: Site, draw: np.random.Generator, target: int, plain: bool) -> Goal | None:
    """A goal in words like the paper's for one object, or one that says its kind and no more
    (``plain``); None where no such words are found."""
    thing = site.scene.object(target)
    for _ in range(_DRAWS):
        detail, lead = _recipe(draw, extended=False, has_it=False)
        if plain:
            detail, lead = "category", ""
        if _may_have(thing, lead, site.scene, ()):
            goal = _goal(site, draw, target, detail, lead, ())
            if goal is not None:
                return goal
    return None


def _recipe(draw: np.random.Generator, extended: bool, has_it: bool) -> tuple[Detail, str]:
    """(what the words say, the feature that they must have). "It" needs one object before."""
    if extended:
        kinds = {k: w for k, w in _KINDS.items() if has_it or k != "coreference"}
        kind = _weighted(draw, kinds)
        return kind, kind
    lead = _weighted(draw, _LEADS)
    if not lead:
        return "category", lead
    return ("unique" if draw.random() < _UNIQUE else "attributes"), lead


def _targets(site: Site, lead: str, previous: tuple[int, ...]) -> list[list[int]]:
    """Objects that a goal with the feature ``lead`` could be about, grouped by category."""
    categories = goal_categories_of(split_of(site.ref))
    by_category: dict[str, list[int]] = {}
    for thing in site.scene.objects:
        if thing.category in categories and _may_have(thing, lead, site.scene, previous):
            by_category.setdefault(thing.category, []).append(thing.id)
    return list(by_category.values())


def _may_have(thing: SceneObject, feature: str, scene: Scene, previous: tuple[int, ...]) -> bool:
    """Whether words about a thing could have the feature, as far as one look tells."""
    if feature == "support":
        return thing.support is not None
    if feature == "number":
        return any(key in thing.attributes for key in COUNTS)
    if feature == "coreference":
        it = scene.object(previous[0]).box
        return math.dist(thing.box.centre, it.centre) < _NEAR_M + max(it.size) / 2
    key = "pattern" if feature == "texture" else feature
    return key not in ATTRIBUTES or key in thing.attributes


def _weighted(draw: np.random.Generator, weights: Mapping[_Name, float]) -> _Name:
    names = list(weights)
    shares = np.array([weights[n] for n in names])
    return names[int(draw.choice(len(names), p=shares / shares.sum()))]


def _pick(draw: np.random.Generator, options: Sequence[_T]) -> _T:
    return options[int(draw.integers(len(options)))]


def _alike(one: Goal, other: Goal) -> bool:
    return one.text == other.text or bool(set(one.object_ids) & set(other.object_ids))


def _goal(
    site: Site,
    draw: np.random.Generator,
    target: int,
    detail: Detail,
    lead: str,
    previous: tuple[int, ...],
) -> Goal | None:
    """A goal whose words have the feature ``lead`` and fit the target; every object that they fit
    can be seen and reached."""
    scene = site.scene
    for description in draw_descriptions(scene, target, draw, detail, previous):
        tags = tags_from(description)
        if (lead not in tags) if lead else tags["attributes"]:
            continue
        ids = matches(description, scene, previous)
        if len(ids) > _MOST_INSTANCES or any(not site.langnav_viewpoints(i) for i in ids):
            continue
        views = dict.fromkeys(p for i in ids for p in site.langnav_viewpoints(i))
        goal = Goal(
            kind="object",
            positions=tuple(views),
            category=description.category,
            object_ids=ids,
            text=say(description, draw, unique_parts(description, scene, previous)),
            description=description.facts(),
            tags=tags,
        )
        if not check_goal(goal.text, goal.description, scene, ids, previous):
            return goal
    return None


def langnav_episode(
    site: Site,
    sim: Simulator,
    seed: int,
    index: int,
    name: str,
    start: Pose,
    goals: Sequence[Goal],
) -> Episode:
    """The episode. Its reference path is the tour from the start to the nearest viewpoint of the
    first goal, from there to that of the second, and so on; ``geodesic_m`` is the length of the
    tour's first leg, and the tags ``leg_1_m`` and ``leg_2_m`` are those of the others."""
    lengths: list[float] = []
    tour: list[Point] = [start.point]
    for goal in goals:
        views = points(goal.positions)
        lengths.append(round(sim.geodesic(tour[-1], views), 4))
        tour += [round_point(p) for p in sim.shortest_path(tour[-1], views)[1:]]
    tags: dict[str, Scalar] = {f"leg_{i}_m": lengths[i] for i in range(1, len(lengths))}
    if name == _EXTENDED:
        tags["extended"] = True
    return Episode(
        episode_id=episode_id(name, site.ref, seed, index),
        task=_TASK,
        scene=site.ref,
        start=start,
        goals=tuple(goals),
        geodesic_m=lengths[0],
        reference_path=tuple(tour),
        budget_steps=len(goals) * spec_for(_TASK).budget_steps,
        seed=episode_seed(seed, site.ref, name, index),
        instruction=Instruction(_joined([goal.text for goal in goals])),
        tags=tags,
    )


def _joined(texts: Sequence[str]) -> str:
    """The words of all goals, numbered where they are several."""
    return texts[0] if len(texts) == 1 else " ".join(f"{i}. {t}" for i, t in enumerate(texts, 1))

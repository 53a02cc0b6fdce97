"""Mutations in real scenes: other goals, rooms, starts, conditions, people, robots.

The paper mutates words and hopes that they can be followed. Here every change is made in the scene
and told by the task's own makers, and the oracle agent then does the case: what is proposed to an
agent is possible.

=========== ============================== ====================================================
axis        mild                           aggressive
=========== ============================== ====================================================
goal        another thing in the room      a thing in another room
start       up to 2.5 m away               anywhere
confounder  as goal, the one of eight drawn that has most look-alikes near the way
condition   another intensity              another corruption (lighting, camera: of that kind)
people      one more                       one to four others
robot       another one, where a task is made for several
=========== ============================== ====================================================

Episodes of some tasks are a whole: a new goal, start or robot makes another mission in the scene,
mild ones end in the same room. What can be changed, a task says itself (``tasks.changes``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from navproof.agents.load import load_agent
from navproof.core.errors import EpisodeError, SpecError
from navproof.core.plain import as_plain
from navproof.core.types import Episode, Pose, Scalar
from navproof.corruptions.condition import Condition, parse_condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.diagnosis.fuzz.conditions import POOLS, mutate_condition
from navproof.diagnosis.fuzz.passers import mutate_people
from navproof.diagnosis.fuzz.types import Axis, Case, Proposal, Strength
from navproof.language.lexicon.terms import HYPERNYMS
from navproof.log.trace import TraceKey
from navproof.metrics.navigation.success import success
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task
from navproof.tasks.generate import make_episodes, open_site
from navproof.tasks.kind import short_name
from navproof.tasks.registry import TASKS, task_id
from navproof.tasks.retarget import (
    Site,
    changes_of,
    draw_pose,
    goal_object,
    goal_room,
    possible_goals,
    retarget,
    single_goal,
)
from navproof.tasks.specs import spec_for
from navproof.tasks.validate import validate_episode
from navproof.world.scene import Scene, SceneObject

__all__ = ["AXES", "SceneMutator"]


AXES: tuple[Axis, ...] = (
    "goal",
    "start",
    "confounder",
    "condition",
    "lighting",
    "camera",
    "people",
    "robot",
)
_TRIES = 12
_NEAR_M = 2.5
_START_DRAWS = 60
_CONFOUNDED_TRIED = 8
_ORACLE = "oracle"


class SceneMutator:
    """Makes cases of one task in some scenes, each of which the oracle passes.

    ``scenes`` are ids, files or loaded scenes. ``axes`` are those that a campaign may touch;
    ``felt`` the corruptions that the agent under test can notice (all of them unless told): one
    that it cannot feel would be the clean case again.
    """

    def __init__(
        self,
        task: str,
        scenes: Sequence[str | Scene],
        axes: Sequence[Axis] = ("goal",),
        felt: Sequence[str] | None = None,
    ) -> None:
        self.task = task_id(task)
        self.axes = tuple(axes)
        self.felt = tuple(CORRUPTIONS) if felt is None else tuple(felt)
        if not scenes:
            raise SpecError("test generation needs at least one scene")
        self._changes, self._robots = changes_of(self.task), TASKS.get(self.task).robots
        if self._changes.retarget is None and self._changes.redraw is None:
            able = (kind.short for kind in TASKS.values() if kind.changes is not None)
            names = ", ".join(able)
            raise SpecError(f"cases of {self.task} cannot be mutated; tasks that can: {names}")
        for axis in self.axes:
            if axis == "robot" and not self._robots:
                raise SpecError(f"axis 'robot' is for missions: {self.task} has its own robot")
            if axis in POOLS and not set(POOLS[axis]) & set(self.felt):
                raise SpecError(f"axis '{axis}': the agent feels no such corruption")
        self._scenes = tuple(scenes)
        self._sites: dict[int, Site] = {}

    # -------------------------------------------------------------------------------- the seam
    def initial(self, count: int, draw: np.random.Generator) -> tuple[Case, ...]:
        """Fresh clean cases, the scenes taking turns. An ``EpisodeError`` where they have fewer."""
        found: dict[str, Case] = {}
        for tried in range(_TRIES * count):
            case = self._fresh(tried % len(self._scenes), ("goal",), draw)
            if case is not None:
                found[case.case_id] = case
            if len(found) == count:
                break
        else:
            raise EpisodeError(
                f"{len(self._scenes)} scenes gave only {len(found)} of {count} cases of {self.task}"
            )
        return tuple(found.values())

    def mutate(self, proposal: Proposal, draw: np.random.Generator) -> Case | None:
        """A new case that differs from its seed in the axes proposed; None where a dozen tries
        gave none that is possible."""
        for _ in range(_TRIES):
            if proposal.seed is None:
                which = int(draw.integers(len(self._scenes)))
                case = self._fresh(which, proposal.axes, draw)
            else:
                case = self._changed(proposal.seed, proposal.strength, proposal.axes, draw)
            if case is not None:
                return case
        return None

    def is_feasible(self, case: Case) -> bool:
        """Whether the oracle passes the case."""
        site = self._site_of(case.episode)
        return is_feasible(case, site.scene, site.sim)

    def site(self, case: Case) -> Site:
        """The opened scene of a case."""
        return self._site_of(case.episode)

    # ----------------------------------------------------------------------------- whole cases
    def _fresh(self, which: int, axes: Sequence[Axis], draw: np.random.Generator) -> Case | None:
        site = self._site(which)
        seed = int(draw.integers(2**31))
        episode: Episode | None
        redraw = self._changes.redraw
        if redraw is not None:
            robot = self._robots[int(draw.integers(len(self._robots)))] if self._robots else ""
            episode = redraw(site, robot, seed)
        else:
            try:
                (made,) = make_episodes(site, (self.task,), 1, seed)
            except EpisodeError:
                return None
            episode = single_goal(site, made)
        if episode is not None and "confounder" in axes and redraw is None:
            episode = self._confounded(site, episode, possible_goals(site, self.task), None, draw)
        if episode is None:
            return None
        case = self._around(Case(episode), "fresh", axes, site, draw)
        return self._checked(case, site, "", {"strength": "fresh"})

    def _changed(
        self, seed: Case, strength: Strength, axes: Sequence[Axis], draw: np.random.Generator
    ) -> Case | None:
        site = self._site_of(seed.episode)
        inside = {"goal", "start", "confounder", "robot"} & set(axes)
        episode: Episode | None = seed.episode
        redraw = self._changes.redraw
        if inside and redraw is not None:
            episode = self._redrawn(site, seed.episode, redraw, strength, "robot" in axes, draw)
        elif inside:
            episode = self._retargeted(site, seed.episode, strength, axes, draw)
        if episode is None:
            return None
        if redraw is None:
            episode = replace(episode, people=seed.episode.people)
        case = replace(seed, episode=episode)
        case = self._around(case, strength, axes, site, draw)
        changed: dict[str, Scalar] = {"strength": strength, "axes": ",".join(axes)}
        made = self._checked(case, site, seed.case_id, changed)
        return None if made is None or made.case_id == seed.case_id else made

    def _checked(
        self, case: Case, site: Site, parent: str, changed: Mapping[str, Scalar]
    ) -> Case | None:
        """The case under its own name, if it can be done."""
        told = {**changed, **_facts(site.scene, case)}
        made = named(replace(case, parent=parent, changed=told))
        return made if is_feasible(made, site.scene, site.sim) else None

    # ------------------------------------------------------------------------- inside the episode
    def _retargeted(
        self,
        site: Site,
        episode: Episode,
        strength: Strength,
        axes: Sequence[Axis],
        draw: np.random.Generator,
    ) -> Episode | None:
        scene, thing = site.scene, goal_object(site.scene, episode)
        if thing is None:
            return None
        start = None
        if "start" in axes:
            start = self._start(site, episode, strength, draw)
            if start is None:
                return None
        if "goal" not in axes and "confounder" not in axes:
            return retarget(site, episode, thing.id, draw, start)
        others = [
            other
            for other in possible_goals(site, self.task)
            if (other.room == thing.room) is (strength == "mild")
            and self._changes.differ(other, thing)
        ]
        if not others:
            return None
        if "confounder" in axes:
            made = self._confounded(site, episode, others, start, draw)
        else:
            other = others[int(draw.integers(len(others)))]
            made = retarget(site, episode, other.id, draw, start)
        if made is None:
            return None
        same_room = goal_room(scene, made) == thing.room
        return made if same_room is (strength == "mild") else None

    def _confounded(
        self,
        site: Site,
        episode: Episode,
        things: Sequence[SceneObject],
        start: Pose | None,
        draw: np.random.Generator,
    ) -> Episode | None:
        """Of a few goals drawn, the one with most look-alikes near the way; None where none has
        any."""
        best: tuple[int, Episode] | None = None
        for k in draw.permutation(len(things))[:_CONFOUNDED_TRIED]:
            made = retarget(site, episode, things[int(k)].id, draw, start)
            goal = None if made is None else goal_object(site.scene, made)
            if made is None or goal is None:
                continue
            count = len(confounders(site.scene, made, goal))
            if count and (best is None or count > best[0]):
                best = (count, made)
        return None if best is None else best[1]

    def _start(
        self, site: Site, episode: Episode, strength: Strength, draw: np.random.Generator
    ) -> Pose | None:
        here = episode.start.point
        for _ in range(_START_DRAWS):
            pose = draw_pose(site, self.task, draw)
            if strength != "mild" or site.sim.geodesic(pose.point, (here,)) <= _NEAR_M:
                return pose
        return None

    def _redrawn(
        self,
        site: Site,
        episode: Episode,
        redraw: Callable[[Site, str, int], Episode | None],
        strength: Strength,
        other_robot: bool,
        draw: np.random.Generator,
    ) -> Episode | None:
        robots = [name for name in self._robots if not other_robot or name != episode.robot]
        robot = robots[int(draw.integers(len(robots)))] if other_robot else episode.robot
        made = redraw(site, robot, int(draw.integers(2**31)))
        if made is None:
            return None
        same_room = goal_room(site.scene, made) == goal_room(site.scene, episode)
        return made if same_room is (strength == "mild") else None

    # -------------------------------------------------------------------------- around the episode
    def _around(
        self,
        case: Case,
        strength: Strength,
        axes: Sequence[Axis],
        site: Site,
        draw: np.random.Generator,
    ) -> Case:
        """The case with what surrounds its episode mutated: condition and people."""
        condition, episode = case.condition, case.episode
        for axis in axes:
            if axis in POOLS:
                condition = mutate_condition(condition, axis, self.felt, strength, draw)
        if "people" in axes:
            people = mutate_people(episode, site.body(self.task), strength == "mild", draw)
            episode = replace(episode, people=people)
        return replace(case, episode=episode, condition=condition)

    # ------------------------------------------------------------------------------------- scenes
    def _site(self, which: int) -> Site:
        if which not in self._sites:
            self._sites[which] = open_site(self._scenes[which])
        return self._sites[which]

    def _site_of(self, episode: Episode) -> Site:
        for which, scene in enumerate(self._scenes):
            ref = scene.id if isinstance(scene, Scene) else scene
            if ref == episode.scene:
                return self._site(which)
        raise EpisodeError(f"{episode.episode_id}: scene {episode.scene} is not in this campaign")


def _facts(scene: Scene, case: Case) -> dict[str, Scalar]:
    """What a case is about, for people and for counting apart."""
    room = goal_room(scene, case.episode)
    thing = goal_object(scene, case.episode)
    return {
        "room": None if room is None else next(r.name for r in scene.rooms if r.id == room),
        "room_id": room,
        "goal": None if thing is None else thing.category,
        "people": len(case.episode.people),
    }


def look_alike(one: SceneObject, other: SceneObject) -> bool:
    """Whether two things could be taken for each other: of one kind, of kinds that share
    a broader word, or of one colour and about as large."""
    if one.category == other.category:
        return True
    if any({one.category, other.category} <= covered for covered in HYPERNYMS.values()):
        return True
    colour = one.attributes.get("colour")
    if colour is None or colour != other.attributes.get("colour"):
        return False
    small, large = sorted((max(one.box.size), max(other.box.size)))
    return large <= 2.0 * small


def confounders(scene: Scene, episode: Episode, goal: SceneObject) -> tuple[int, ...]:
    """Ids of things within 2.5 m of the reference path that look like the goal and are none."""
    goals = {i for g in episode.goals for i in g.object_ids}
    path = np.asarray(episode.reference_path)[:, :2]
    found = []
    for thing in scene.objects:
        if thing.id in goals or not look_alike(goal, thing):
            continue
        centre = np.asarray(thing.box.centre[:2])
        if float(np.linalg.norm(path - centre, axis=1).min()) <= _NEAR_M:
            found.append(thing.id)
    return tuple(found)


def named(case: Case) -> Case:
    """The case with an id and a seed that follow from all that is played: "objectnav_home-val-3_"
    and twelve hex digits."""
    episode = replace(case.episode, episode_id="", seed=0)
    content = [as_plain(episode), case.condition, case.seed]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    scene = "".join(c if c.isalnum() or c in "-." else "-" for c in episode.scene)
    name = f"{short_name(episode.task)}_{scene}_{digest[:12]}"
    return replace(case, episode=replace(episode, episode_id=name, seed=int(digest[:7], 16)))


def is_feasible(case: Case, scene: Scene, sim: Simulator) -> bool:
    """Whether the oracle passes the case with its people in it, under what its condition does to
    the drive (what is done to readings and words, it does not need). ``scene`` is the case's."""
    episode = case.episode
    spec = spec_for(episode.task, episode.robot or None)
    sim.load(scene, spec.robot)
    if next(validate_episode(sim, episode), None) is not None:
        return False
    drive = Condition(parse_condition(case.condition).parts_of("drive"))
    factory = load_agent(_ORACLE)
    task = make_task(episode.task, spec)
    env = Env(sim, task, factory.sensors, condition=drive, seed=case.seed)
    key = TraceKey(_ORACLE, episode.episode_id, drive.name, case.seed)
    return success(play(Session(env, key), factory(), episode)) > 0.0

"""What matters in an episode now: the things that its goals and words are about.

ObjectNav: every instance of the category. LangNav, missions: those of the goal or sub-task in force
and whom it asks to follow. VLN: the landmark to stop at, and the next one to pass while the robot
is near it. PointNav: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from navproof.core.types import FIRST_PERSON_ID, Episode, Goal, Pose, Scalar
from navproof.language.lexicon.nouns import adjective, noun
from navproof.play.env import Env
from navproof.sim.protocol import points
from navproof.tasks.objectnav.viewpoints import box_distance_m
from navproof.tasks.protocol import HasSubTasks
from navproof.tasks.registry import TASKS
from navproof.world.scene import Scene

__all__ = ["RelevantThings", "relevant_now"]

PASSING_M = 3.0
_ATTRIBUTE = "attr."


@dataclass(frozen=True, slots=True)
class RelevantThings:
    """The things that matter at a step. ``labels`` holds them by id, in the episode's words;
    ``goals`` are those among them that are the goal in force. ``is_told`` says that the goal is a
    place that the agent was told or has been to, so that it need not see it. ``index`` is that of
    the goal or sub-task in force, and ``is_last`` says that none comes after it."""

    labels: Mapping[int, str] = field(default_factory=dict)
    goals: frozenset[int] = frozenset()
    is_told: bool = False
    index: int = 0
    is_last: bool = True

    @property
    def things(self) -> frozenset[int]:
        return frozenset(self.labels)

    @property
    def words(self) -> str:
        """What the goal is called."""
        return next((self.labels[i] for i in sorted(self.goals)), "goal")


def relevant_now(env: Env, pose: Pose, passed_m: float = -1.0) -> RelevantThings:
    """What matters with the robot at ``pose`` (world) after so many metres of its route, in the
    task's present state."""
    episode, scene = env.episode, env.sim.scene
    if episode.subtasks:
        return _of_mission(env, episode, scene)
    if TASKS.get(episode.task).is_route:
        return _of_route(episode, scene, pose, passed_m)
    index = _goal_in_force(env, episode)
    goal = episode.goals[index]
    last = index == len(episode.goals) - 1
    return _of_goal(goal, scene, index=index, is_last=last)


def _of_goal(goal: Goal, scene: Scene, *, index: int = 0, is_last: bool = True) -> RelevantThings:
    if goal.kind != "object":
        return RelevantThings(is_told=goal.kind == "point", index=index, is_last=is_last)
    ids: Iterable[int] = goal.object_ids
    if not goal.object_ids:
        ids = (thing.id for thing in scene.objects if thing.category == goal.category)
    label = _called(goal.category or "", goal.description)
    labels = dict.fromkeys(ids, label)
    return RelevantThings(labels, frozenset(labels), index=index, is_last=is_last)


def _of_mission(env: Env, episode: Episode, scene: Scene) -> RelevantThings:
    lead = env.task.lead() if isinstance(env.task, HasSubTasks) else None
    index = 0 if lead is None else lead.subtask
    last = len(episode.subtasks) - 1
    subtask = episode.subtasks[min(index, last)]
    is_last = index >= last
    if lead is not None and lead.person is not None:
        people = [walk.person for walk in episode.people]
        who = FIRST_PERSON_ID + people.index(lead.person)
        return RelevantThings({who: "person"}, frozenset({who}), index=index, is_last=is_last)
    return _of_goal(subtask.goal, scene, index=index, is_last=is_last)


def _of_route(episode: Episode, scene: Scene, pose: Pose, passed_m: float) -> RelevantThings:
    labels: dict[int, str] = {}
    goals: set[int] = set()
    is_next = True  # of those to pass
    for clause in () if episode.instruction is None else episode.instruction.clauses:
        thing, kind = clause.get("object"), clause.get("kind")
        if not isinstance(thing, int) or thing not in scene.by_id:
            continue
        called = _called(str(clause.get("category", "")), clause)
        if kind == "stop":
            labels[thing] = called
            goals.add(thing)
        elif kind == "pass" and is_next and float(str(clause.get("at_m", 0.0))) > passed_m:
            is_next = False
            if box_distance_m(scene.by_id[thing].box, pose.x, pose.y) <= PASSING_M:
                labels[thing] = called
    return RelevantThings(labels, frozenset(goals))


def _goal_in_force(env: Env, episode: Episode) -> int:
    """The index of the goal in force. Tasks reveal their goals one after the other, and the
    positions in force tell which it is."""
    now = env.task.goals()
    if len(episode.goals) > 1:
        for index, goal in enumerate(episode.goals):
            if points(goal.positions) == now and goal.text == env.task.instruction():
                return index
    return 0


def _called(category: str, described: Mapping[str, Scalar]) -> str:
    """The name of a thing with the attributes that the words give it: "small candle"."""
    looks = [
        adjective(category, key.removeprefix(_ATTRIBUTE), value)
        for key, value in sorted(described.items())
        if key.startswith(_ATTRIBUTE) and isinstance(value, str)
    ]
    return " ".join((*looks, noun(category)))

"""A task of one's own: patrol. Go to several points, one after the other, and come back.

Check it:  navproof check task examples/my_task.py:PATROL
Use it:    navproof episodes make -o patrol.jsonl --task examples/my_task.py:PATROL \
               --scene home/val/0
           navproof run --agent oracle,frontier --suite patrol.jsonl -o runs/patrol --report
"""

from dataclasses import dataclass, replace
from itertools import pairwise

from navproof import (
    Camera,
    Episode,
    Event,
    Goal,
    Move,
    Pose,
    Robot,
    SensorSpec,
    TaskBrief,
    TaskKind,
    TaskSpec,
)
from navproof.tasks.draft import episode_id, episode_seed, round_point, round_pose
from navproof.tasks.stop_at_goal import chosen_sensors

POINTS = 2  # to visit, before the way back
CAMERA = Camera(width=256, height=256, hfov_deg=90.0, height_m=1.25)
SPEC = TaskSpec(
    task="patrol",  # as a file, it is called as it was named: my_task.py:PATROL
    robot=Robot("patrol", radius_m=0.18, height_m=1.5, forward_m=0.25, turn_deg=15.0),
    sensors=(
        SensorSpec("rgb", "rgb", CAMERA),
        SensorSpec("depth", "depth", CAMERA),
        SensorSpec("pose", "pose"),
        SensorSpec("pointgoal", "pointgoal"),  # distance and bearing of the point in force
    ),
    success_m=0.5,
    budget_steps=600,
)


@dataclass(frozen=True)
class State:
    """All that changes in an episode. Frozen, so that it is its own snapshot."""

    episode: Episode
    goal: int = 0
    steps: int = 0
    done: bool = False


class Patrol:
    """The rules. The agent says FOUND at each point, right or wrong, and goes on to the next.

    The events "found", "goal_timeout" and "reveal" are those that navproof scores goal by goal, so
    all metrics of tasks with several goals work.
    """

    def __init__(self, spec):
        self.spec = spec
        self.state = None

    def brief(self, episode, sensors):
        """What the agent is told before the first step."""
        return TaskBrief(
            task=self.spec.task,
            instruction=words(episode, 0),
            robot=self.spec.robot,
            sensors=chosen_sensors(self.spec, sensors),
            control=self.spec.control,
            actions=(Move.FORWARD, Move.LEFT, Move.RIGHT, Move.FOUND),
            budget_steps=self.budget(episode),
            seed=episode.seed,
            goal_count=len(episode.goals),
        )

    def start(self, sim, episode):
        self.state = State(episode)

    def after_step(self, sim, action, motion, step):
        """Judge one action. ``motion`` is None where it did not move the robot."""
        state = replace(self.state, steps=self.state.steps + 1)
        fell = motion is not None and motion.fell
        late = state.steps >= self.budget(state.episode)
        if action != Move.FOUND and not fell and not late:
            self.state = state
            return []
        if fell:
            self.state = replace(state, done=True)
            return [Event(step, "fall")]
        left_m = sim.geodesic(sim.pose.point, self.goals())
        about = {"goal": state.goal, "distance_m": left_m, "viewpoint_m": left_m}
        if action == Move.FOUND:
            success = left_m <= self.spec.success_m
            events = [Event(step, "found", {**about, "success": success})]
        else:
            events = [Event(step, "goal_timeout", about)]
        following = state.goal + 1
        if late or following == len(state.episode.goals):
            self.state = replace(state, done=True)
            return events
        self.state = replace(state, goal=following)
        ahead_m = sim.geodesic(sim.pose.point, self.goals())
        return [*events, Event(step, "reveal", {"goal": following, "geodesic_m": ahead_m})]

    def done(self):
        return self.state is not None and self.state.done

    def goals(self):
        """The positions of the goal in force: oracles and distances go by them."""
        return self.state.episode.goals[self.state.goal].positions

    def instruction(self):
        return words(self.state.episode, self.state.goal)

    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot

    def budget(self, episode):
        return min(episode.budget_steps, self.spec.budget_steps)


def words(episode, index):
    if index == len(episode.goals) - 1:
        return "Come back to where you began."
    return f"Go to point {index + 1} of your round."


def make(site, seed, index, attempt):
    """One try at an episode in an opened scene; None where it gave none. The same arguments give
    the same episode: draw from ``site.stream`` alone."""
    sim = site.body(SPEC)
    draw = site.stream(seed, f"patrol.{index}", attempt)
    places = [round_point(sim.random_point(draw)) for _ in range(POINTS + 1)]
    tour = [*places, places[0]]
    legs_m = [sim.geodesic(a, (b,)) for a, b in pairwise(tour)]
    if not all(2.0 <= leg <= 15.0 for leg in legs_m):
        return None
    return Episode(
        episode_id=episode_id(SPEC.task, site.ref, seed, index),
        task=SPEC.task,
        scene=site.ref,
        start=round_pose(places[0], float(draw.uniform(-3.14, 3.14))),
        goals=tuple(Goal("point", (place,)) for place in tour[1:]),
        geodesic_m=round(legs_m[0], 4),
        reference_path=whole_way(sim, tour),
        budget_steps=SPEC.budget_steps,
        seed=episode_seed(seed, site.ref, SPEC.task, index),
        tags={f"leg_{number}_m": round(leg, 3) for number, leg in enumerate(legs_m)},
    )


def tiny(sim, budget_steps):
    """A short round in the two-room flat of ``navproof.testing``, for ``navproof check``."""
    tour = [(-3.0, 1.0, 0.0), (-1.0, 1.0, 0.0), (1.0, 1.5, 0.0), (-3.0, 1.0, 0.0)]
    return Episode(
        episode_id="tiny-patrol",
        task=SPEC.task,
        scene="tiny",
        start=Pose(*tour[0]),
        goals=tuple(Goal("point", (place,)) for place in tour[1:]),
        geodesic_m=round(sim.geodesic(tour[0], (tour[1],)), 4),
        reference_path=whole_way(sim, tour),
        budget_steps=budget_steps,
        seed=7,
    )


def whole_way(sim, tour):
    """A shortest path through all points."""
    path = []
    for start, end in pairwise(tour):
        leg = sim.shortest_path(start, (end,))
        path += leg[1:] if path else leg
    return tuple(path)


PATROL = TaskKind(
    "patrol",
    title="Patrol",
    about="Go to several points, one after the other, and come back.",
    spec=SPEC,
    rules=Patrol,
    words="none",  # the instruction does not tell where the goal is: the point goal does
    make=make,
    tiny=tiny,
)

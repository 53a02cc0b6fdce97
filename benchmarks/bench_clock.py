"""What slowness costs a follower among people: following and keeping away, against seconds an act.

    python benchmarks/bench_clock.py [--quick] [--json] [--missions N] [--agent NAME]

Missions of one sub-task (follow somebody who goes and rests, while somebody else goes to and fro
across the way) in homes and offices of the val split, on Carter. Of those that are drawn, the ones
that the oracle does in a world that waits for it are played. Then every agent says of each decision
that it took so long (``Decision.took_s``), under the clock "declared": people walk on meanwhile,
and the robot carries on with what it was told last. The agents know the time, and nothing of the
delay to come: they are made for a world that waits.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from navproof.agents.load import load_agent
from navproof.agents.protocol import Agent
from navproof.core.errors import EpisodeError
from navproof.core.types import (
    Decision,
    Episode,
    Goal,
    Instruction,
    Observation,
    Pose,
    SubTask,
    TaskBrief,
    Walk,
)
from navproof.language.missions.missions import word_mission
from navproof.log.trace import Trace, TraceKey
from navproof.metrics import Interval, mean_interval, score
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for
from navproof.tasks.draft import Site, round_point, round_pose
from navproof.tasks.mission.people import appearances, draw_guide, draw_passer
from navproof.world.library import load_scene
from navproof.world.people.people import stops_at_s, unique_words

SCENES = tuple(f"{kind}/val/{i}" for i in range(4) for kind in ("home", "office"))
AGENTS = ("oracle", "generalist")
DELAYS_S = (0.0, 0.1, 0.3, 1.0)
MISSIONS = 32
MEASURES = {
    "hfr": "followed rightly, share of the time (HFR)",
    "hfs": "behind her when she stopped (HFS)",
    "full_sr": "done (full-SR)",
    "sii": "nearer than 1.2 m to the other one (SII)",
    "collision_rate": "decisions with a collision",
    "steps": "decisions",
}
_TASK = "mission-v1"
_SETS_OUT_S, _SPARE_S = 4.0, 15.0
_TRIES = 60


class Slow:
    """An agent that says of each decision that it took ``takes_s``."""

    def __init__(self, agent: Agent, takes_s: float) -> None:
        self.agent, self.takes_s = agent, takes_s

    def reset(self, brief: TaskBrief) -> None:
        self.agent.reset(brief)

    def act(self, obs: Observation) -> Decision:
        chosen = self.agent.act(obs)
        decision = chosen if isinstance(chosen, Decision) else Decision(chosen)
        return replace(decision, took_s=self.takes_s)


def drawn(site: Site, number: int) -> Iterator[Episode]:
    """Tries at one mission in a scene."""
    spec = spec_for(_TASK)
    passages = site.passages(spec.robot, 0)
    for attempt in range(_TRIES):
        draw = site.stream(0, f"bench_clock.{number}", attempt)
        site.sim.load(site.scene, spec.robot)
        here = round_point(site.sim.random_point(draw))
        start = round_pose(here, float(draw.uniform(-math.pi, math.pi)))
        looks = appearances(draw, 2)
        guide = draw_guide("p1", looks[0], site.sim, start, _SETS_OUT_S, site.people_grid, draw)
        if guide is None:
            continue
        way = [start.point, *((x, y, 0.0) for x, y, _ in guide.path)]
        until_s = stops_at_s(guide) + _SPARE_S
        passer = draw_passer("p2", looks[1], passages, way, until_s, draw)
        if passer is not None:
            yield mission(site, number, start, (guide, passer), until_s)


def mission(
    site: Site, number: int, start: Pose, people: tuple[Walk, ...], until_s: float
) -> Episode:
    guide = people[0]
    draw = site.stream(0, "bench_clock.words", number)
    there = [walk.appearance for walk in people]
    called = {walk.person: unique_words(walk.appearance, there, draw) for walk in people}
    way = tuple((x, y, 0.0) for x, y, _ in guide.path)
    task = SubTask("follow_human", "follow", Goal("person", way[-1:], "person"), 3.0, guide.person)
    words = word_mission([task], social=True, people=called, rng=draw)
    return Episode(
        f"follow_{site.ref.replace('/', '-')}_{number}",
        _TASK,
        site.ref,
        start,
        (task.goal,),
        sum(math.dist(a, b) for a, b in pairwise(way)),
        way,
        math.ceil(until_s / 0.1) + 20,
        number,
        Instruction(words.text),
        tags={"budget_s": round(until_s, 1)},
        people=people,
        subtasks=(replace(task, text=words.segments[0]),),
    )


def missions(count: int) -> list[Episode]:
    """So many that the oracle does, the scenes in turn."""
    sites = {name: Site(load_scene(name), name) for name in SCENES[:count]}
    found: list[Episode] = []
    for number in range(10 * count):
        site = sites[SCENES[:count][number % len(sites)]]
        if len(found) == count:
            return found
        try:
            one = next(drawn(site, number), None)
        except EpisodeError:  # it cannot be said
            continue
        if one is not None and score(played(site.sim, one, "oracle", None))["full_sr"] == 1.0:
            found.append(one)
    return found


def played(sim: object, episode: Episode, name: str, takes_s: float | None) -> Trace:
    """A mission by an agent that takes so long; None: in a world that waits for it."""
    assert isinstance(sim, EmbeddedSimulator)
    factory = load_agent(name)
    spec = replace(spec_for(_TASK), clock="wait" if takes_s is None else "declared")
    env = Env(sim, make_task(_TASK, spec), factory.sensors)
    key = TraceKey(name, episode.episode_id)
    agent = factory()
    return play(Session(env, key), agent if takes_s is None else Slow(agent, takes_s), episode)


def table(found: dict[str, dict[float, dict[str, Interval]]]) -> Iterator[str]:
    for agent, by_delay in found.items():
        yield f"\n{agent}\n"
        yield f"| | {' | '.join(f'{delay:g} s' for delay in by_delay)} |"
        yield "|---|" + "--:|" * len(by_delay)
        for name, words in MEASURES.items():
            cells = (_cell(name, by_delay[delay][name]) for delay in by_delay)
            yield f"| {words} | {' | '.join(cells)} |"


def _cell(name: str, value: Interval) -> str:
    if value.n == 0:
        return "–"
    if name == "steps":
        return f"{value.mean:.0f}"
    return f"{value.mean:.2f} ({value.low:.2f}–{value.high:.2f})"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one mission, the oracle, two delays")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--missions", type=int, default=MISSIONS)
    parser.add_argument("--agent", action="append", help=f"default: {', '.join(AGENTS)}")
    options = parser.parse_args(words)
    if options.missions < 1:
        raise SystemExit(f"bench_clock: --missions is at least 1: {options.missions}")
    agents = options.agent or (AGENTS[:1] if options.quick else AGENTS)
    delays = (0.0, 1.0) if options.quick else DELAYS_S
    chosen = missions(1 if options.quick else options.missions)
    found: dict[str, dict[float, dict[str, Interval]]] = {}
    sim, simulated_s, began = EmbeddedSimulator(), 0.0, time.process_time()
    for agent in agents:
        found[agent] = {}
        for delay in delays:
            values: dict[str, list[float]] = {name: [] for name in MEASURES}
            for episode in chosen:
                trace = played(sim, episode, agent, delay)
                if trace.status != "ok":
                    raise SystemExit(f"bench_clock: {agent}, {episode.episode_id}: {trace.reason}")
                simulated_s += trace.channels["time_s"][-1]
                scores = score(trace)
                for name, numbers in values.items():
                    if (value := scores[name]) is not None:
                        numbers.append(value)
            found[agent][delay] = {
                name: mean_interval(numbers, bounded=name != "steps")
                for name, numbers in values.items()
            }
    spent_s = time.process_time() - began
    if options.json:
        plain = {
            agent: {
                str(delay): {n: [i.mean, i.low, i.high, i.n] for n, i in row.items()}
                for delay, row in by_delay.items()
            }
            for agent, by_delay in found.items()
        }
        print(json.dumps({"missions": len(chosen), "found": plain}))
        return
    print(f"{len(chosen)} missions in {len({e.scene for e in chosen})} scenes, seconds a decision;")
    print(f"{simulated_s:.0f} s simulated in {spent_s:.0f} s of one core")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()

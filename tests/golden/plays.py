"""The plays whose digests are kept: every built-in agent × its tasks × a few conditions, shortened.

``python -m tests.golden.plays`` (from the project's root) writes ``digests.json`` again. Do that
only where a change of behaviour is meant, and say so in the change log.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from navproof.agents.load import example_of, load_agent, needs_endpoint
from navproof.agents.registry import AGENTS
from navproof.core.plain import as_plain
from navproof.core.types import Episode
from navproof.corruptions.condition import parse_condition
from navproof.language.missions.wordings import reworded
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play as play_session
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import TASKS, make_task, spec_for
from navproof.tasks.generate import generate_aligned, generate_episodes
from navproof.world.library import load_scene

SCENE = "home/val/0"
DIGESTS = Path(__file__).parent / "digests.json"
CONDITIONS = (
    "clean",
    "motion_blur+depth_missing+mask_50",
    "camera_tilt+frame_drop+odometry_drift+wheel_slip",
)
STYLED = "verbose+low_light_noise+depth_gaussian"
_STEPS = {"mission-v1": 40}
_USUAL_STEPS = 14


def episodes() -> dict[str, Episode]:
    """The first episode of each task in one scene, by task."""
    found = {task: generate_episodes(task, SCENE, 1, seed=7)[0] for task in TASKS}
    return {
        task: replace(e, budget_steps=_STEPS.get(task, _USUAL_STEPS)) for task, e in found.items()
    }


def plays() -> list[tuple[str, str, str]]:
    """(agent, task, condition) of everything that is played."""
    found = []
    for agent in (example_of(a) for a in AGENTS if not needs_endpoint(a)):
        for task in load_agent(agent).tasks or tuple(TASKS):
            found += [(agent, task, condition) for condition in CONDITIONS]
            if task == "mission-v1":
                found.append((agent, task, STYLED))
    return found


def digest(trace: Trace) -> str:
    """What an agent did and what the judge made of it, without timing and versions (that of the
    trace format is left at its first)."""
    facts = {k: v for k, v in trace.facts.items() if k != "navproof"}
    content = as_plain(replace(trace, timing={}, facts=facts, trace_version=1))
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=repr).encode()).hexdigest()[
        :16
    ]


def play(sim: EmbeddedSimulator, episode: Episode, agent: str, condition: str) -> Trace:
    factory = load_agent(agent)
    wanted = parse_condition(condition)
    env = Env(
        sim,
        make_task(episode.task, spec_for(episode.task, episode.robot or None)),
        factory.sensors,
        condition=wanted,
        seed=3,
    )
    key = TraceKey(agent, episode.episode_id, condition, 3)
    return play_session(Session(env, key, beliefs=True), factory(), reworded(episode, wanted.style))


def made() -> dict[str, str]:
    """Digests of the scene and of what is generated in it: episodes of each task, aligned pairs."""
    scene = load_scene(SCENE)
    arrays = hashlib.sha256()
    for name in sorted(f.name for f in fields(scene.geometry)):
        value = getattr(scene.geometry, name)
        arrays.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
    sets = {task: generate_episodes(task, SCENE, 1, seed=7) for task in TASKS}
    sets["aligned"] = generate_aligned(SCENE, 1, seed=7)
    texts = {
        name: json.dumps([as_plain(e) for e in some], sort_keys=True) for name, some in sets.items()
    }
    return {"scene": arrays.hexdigest()[:16]} | {
        f"episodes {name}": hashlib.sha256(text.encode()).hexdigest()[:16]
        for name, text in texts.items()
    }


def main() -> None:
    sim, posed, found = EmbeddedSimulator(), episodes(), made()
    for agent, task, condition in plays():
        trace = play(sim, posed[task], agent, condition)
        found[f"{agent} {task} {condition}"] = digest(trace)
        print(agent, task, condition, trace.status, trace.reason, len(trace.actions), flush=True)
    DIGESTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()

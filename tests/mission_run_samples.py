"""A run of missions written by hand: two agents, three robots, two styles, two kinds of place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mission_traces import behind, follow, mission_trace, point, thing
from navproof.core.types import Instruction, Robot, Walk
from navproof.corruptions.condition import Condition
from navproof.language.missions.wordings import ORIGINAL, reworded
from navproof.log import RunFolder, RunInfo, Trace, TraceKey

__all__ = ["mission_run", "pausing", "reaching"]

ROBOTS = ("h1", "carter", "aliengo")
WORDS = {"concise": "Point, chair."}
TEXT = "Go to the point, then to the chair."


def reaching(won: bool, stops: bool = True) -> Trace:
    """To a point 2 m ahead, then to a thing at 8 m, or only half of the way to it."""
    end = (8.0, 0.0) if won else (4.0, 0.0)
    path = [(0.0, 0.0), (2.0, 0.0), end]
    return mission_trace(path, point(2, 0), thing(8, 0), done={0: 0}, stops=stops)


def pausing(gap_m: float) -> Trace:
    """She walks, rests for two seconds, walks and stays; the robot at this distance."""
    spots = [(2.0, 0.0, True), (3.0, 0.0, False), (3.0, 0.0, False)]
    spots += [(3.0, 0.0, True), (4.0, 0.0, False)]
    path = ((2.0, 0.0, 0.0), (3.0, 0.0, 2.0), (4.0, 0.0, 0.0))
    her = (Walk("p1", "red coat", path), spots)
    return mission_trace(behind(gap_m, her), follow(end=(4.0, 0.0)), people=[her])


def _as(trace: Trace, agent: str, index: int, robot: str, style: str = ORIGINAL) -> Trace:
    """The trace under its name, on a robot, in a home or (every third) in an office."""
    scene = "office/test/0" if index % 3 == 2 else "home/test/0"
    episode = replace(
        trace.episode,
        episode_id=f"{robot}-{index}",
        robot=robot,
        scene=scene,
        wordings=WORDS,
        instruction=Instruction(TEXT),
    )
    return replace(
        trace,
        key=TraceKey(agent, episode.episode_id, Condition(style=style).name),
        episode=reworded(episode, style),
        spec=replace(trace.spec, robot=Robot(robot, 0.3, 0.66)),
    )


def mission_run(folder: Path, *, people: str = "", styles: Sequence[str] = ("concise",)) -> Path:
    """``good`` does three missions of four on every robot and waits 2 m behind; ``poor`` stops
    half way, never on H1, and comes too near. In concise words, which Aliengo alone was told,
    ``good`` does all four."""
    traces = []
    for robot in ROBOTS:
        for index in range(4):
            traces.append(_as(reaching(index > 0), "good", index, robot))
            traces.append(_as(reaching(False, stops=robot != "h1"), "poor", index, robot))
        traces.append(_as(pausing(2.0), "good", 4, robot))
        traces.append(_as(pausing(0.8), "poor", 4, robot))
    for style in styles:
        traces += [_as(reaching(True), "good", index, "aliengo", style) for index in range(4)]
    run = RunFolder(folder)
    ids = dict.fromkeys(trace.key.episode_id for trace in traces)
    run.create(
        RunInfo(
            spec={
                "suite": "missions",
                "robots": list(ROBOTS),
                **({"people": people} if people else {}),
            },
            spec_hash="0123456789ab",
            agents=("good", "poor"),
            episodes=tuple(ids),
            conditions=("clean", *styles),
        )
    )
    for trace in traces:
        run.write(trace)
    return folder

"""Damaged episodes in full: the clean and the corrupted way on one plan, what the agent was given
at the same steps, and what happened in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navproof.core.errors import NavproofError
from navproof.core.types import Observation
from navproof.log import Trace
from navproof.log.actions import rounded_words
from navproof.reports.draw.charts import Curve, curves
from navproof.reports.draw.frames import backdrop, spread
from navproof.reports.draw.plan import Walk, plan_svg
from navproof.reports.gather import OUTCOMES, Entrant, Gathered, outcome_of
from navproof.reports.sections.trust.choose import Pair
from navproof.reports.sections.trust.diff import Change, word_diff
from navproof.reports.sections.trust.pictures import Given, View, given, kinds_shown, views
from navproof.reports.sections.trust.wordings import told
from navproof.reports.sections.trust.words import FAMILIES, condition_title, family_of
from navproof.reports.tables import show, task_title
from navproof.world.scene import Scene

__all__ = ["DamageStory", "Side", "Step", "matching_steps", "parting", "tell_damage"]

Seen = Callable[[Trace, Sequence[int], Scene], list[Observation]]
STEPS = 4
_SIZES = ((240, 76), (200, 70), (160, 64), (128, 56))  # width, JPEG quality
_CLEAN, _SPOILED = 0, 1  # the series of the two ways on a plan


@dataclass(frozen=True, slots=True)
class Step:
    """The same step of both episodes: a clean and a corrupted picture of each kind of sensor."""

    number: int
    step: int
    clean: tuple[Given, ...]
    spoiled: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two episodes in numbers."""

    label: str
    series: int
    success: bool
    how: str
    spl: str
    steps: int
    path: str
    left: str
    bumps: int


@dataclass(frozen=True, slots=True)
class DamageStory:
    """One damaged episode; ``changes`` is empty unless the words were changed, ``prompt`` unless
    the system prompt was."""

    number: int
    entrant: Entrant
    condition: str
    family: str
    task: str
    scene: str
    episode_id: str
    seed: int
    instruction: str
    changes: tuple[Change, ...]
    prompt: str
    happened: str
    plan: str
    chart: str
    last_step: int
    sides: tuple[Side, Side]
    steps: tuple[Step, ...]
    depth: bool
    note: str
    viewpoints: bool
    several: bool


def parting(clean: Trace, spoiled: Trace) -> int | None:
    """The first step at which the actions differ; None where they never do."""
    for step, (a, b) in enumerate(zip(clean.actions, spoiled.actions, strict=False)):
        if rounded_words(a) != rounded_words(b):
            return step
    shorter = min(len(clean.actions), len(spoiled.actions))
    return None if len(clean.actions) == len(spoiled.actions) else shorter


def tell_damage(
    g: Gathered,
    chosen: Sequence[Pair],
    load_scene: Callable[[str], Scene],
    seen: Seen,
    room: int = 1_600_000,
) -> list[DamageStory]:
    """Load the traces of the chosen pairs, see again what the agents were given, draw the plans.

    Pictures that cannot be made cost themselves, not the report. They are as large as ``room``
    (characters of all together) allows, and left out where even small ones are too many.
    """
    drafts = [_Draft(g, pair, load_scene, seen) for pair in chosen]
    for width, quality in _SIZES:
        stories = [d.finish(i, (width, quality)) for i, d in enumerate(drafts, 1)]
        size = sum(
            len(shown.uri) for s in stories for x in s.steps for shown in (*x.clean, *x.spoiled)
        )
        if size <= room:
            return stories
    return [d.finish(i, None) for i, d in enumerate(drafts, 1)]


class _Draft:
    """One pair on its way to a story: traces and pictures first, their encoding later."""

    def __init__(
        self, g: Gathered, pair: Pair, load_scene: Callable[[str], Scene], seen: Seen
    ) -> None:
        self.entrant, self.pair = g.entrants[pair.spoiled.entrant], pair
        run = g.runs[self.entrant.run]
        self.clean, self.spoiled = run.trace(pair.clean.key), run.trace(pair.spoiled.key)
        self.steps = matching_steps(self.clean, self.spoiled)
        self.scene: Scene | None = None
        self.pictures: list[tuple[list[View], list[View]]] = []
        self.note = ""
        self.kinds = kinds_shown(pair.condition, self.clean)
        try:
            self.scene = load_scene(self.clean.episode.scene)
            both = [seen(trace, self.steps, self.scene) for trace in (self.clean, self.spoiled)]
            self.pictures = [
                (views(a, self.clean, self.kinds), views(b, self.clean, self.kinds))
                for a, b in zip(*both, strict=True)
            ]
        except NavproofError as error:
            self.note = f"No frames: {error}"

    def finish(self, number: int, size: tuple[int, int] | None) -> DamageStory:
        episode, spec = self.clean.episode, self.clean.spec
        named = condition_title(self.pair.condition)
        sides = (
            _side("clean", _CLEAN, self.clean, self.pair.clean.result),
            _side(named, _SPOILED, self.spoiled, self.pair.spoiled.result),
        )
        traces = (self.clean, self.spoiled)
        walks = [
            Walk(side.label, side.series, trace.poses, side.success, self.steps)
            for side, trace in zip(sides, traces, strict=True)
        ]
        label = f"Floor plan of {episode.scene} with two ways: " + "; ".join(
            f"{side.label} {side.how}, {side.path} m in {side.steps} steps" for side in sides
        )
        behind = backdrop(self.scene) if self.scene is not None and not self.scene.rooms else None
        plan = plan_svg(
            *(self.scene, episode.start, episode.goals, episode.reference_path, walks),
            *(spec.success_m, label, behind),
        )
        chart = curves(
            [Curve(s.label, s.series, t.distances_m) for s, t in zip(sides, traces, strict=True)],
            "step",
            "distance to the goal, metres",
            spec.success_m,
        )
        said, heard, prompt = told(self.spoiled)
        return DamageStory(
            number=number,
            entrant=self.entrant,
            condition=named,
            family=FAMILIES[family_of(self.pair.condition)],
            task=task_title(episode.task),
            scene=episode.scene,
            episode_id=episode.episode_id,
            seed=self.pair.spoiled.key.seed,
            instruction=said,
            changes=word_diff(said, heard) if heard != said else (),
            prompt=prompt,
            happened=_happened(self.clean, self.spoiled, sides),
            plan=plan,
            chart=chart,
            last_step=max(len(t.actions) for t in traces),
            sides=sides,
            steps=self._encoded(named, size) if size else (),
            depth="depth" in self.kinds,
            note=self.note,
            viewpoints=any(len(goal.positions) > 1 for goal in episode.goals),
            several=len(episode.goals) > 1,
        )

    def _encoded(self, named: str, size: tuple[int, int]) -> tuple[Step, ...]:
        return tuple(
            Step(
                number,
                step,
                tuple(given(view, "clean", step, size) for view in clean),
                tuple(given(view, named, step, size) for view in spoiled),
            )
            for number, (step, (clean, spoiled)) in enumerate(
                zip(self.steps, self.pictures, strict=bool(self.pictures)), 1
            )
        )


def matching_steps(clean: Trace, spoiled: Trace) -> tuple[int, ...]:
    """At most ``STEPS`` steps that both episodes have: the first, the one at which they part, and
    evenly spaced ones after it."""
    last = min(len(clean.poses), len(spoiled.poses)) - 1
    parted = parting(clean, spoiled)
    if parted is None or not 0 < parted < last:
        return spread(last, STEPS)
    after = [parted + step for step in spread(last - parted, STEPS - 1)]
    return tuple(sorted({0, *after}))


# -------------------------------------------------------------------------------------- the words
def _side(label: str, series: int, trace: Trace, result: Mapping[str, Any]) -> Side:
    success = bool(result["success"])
    error = result.get("navigation_error_m")
    return Side(
        label=label,
        series=series,
        success=success,
        how=OUTCOMES[outcome_of(trace, success)],
        spl=show(float(result["spl"]), 2),
        steps=len(trace.actions),
        path=show(float(result["path_length_m"]), 1),
        left="–" if error is None else show(float(error), 2),
        bumps=sum(trace.collisions),
    )


def _happened(clean: Trace, spoiled: Trace, sides: tuple[Side, Side]) -> str:
    """One paragraph: how both ended, where they parted, and what else differs."""
    before, after = sides
    words = [
        f"Clean: {_ending(before)}. Under {after.label}: {_ending(after)}.",
        _parted(clean, spoiled),
    ]
    if after.bumps > before.bumps:
        times = "once" if after.bumps == 1 else f"{after.bumps} times"
        words.append(f"It bumped into things {times} ({before.bumps} when clean).")
    if spoiled.status != "ok" and spoiled.reason:
        words.append(f"The recorded reason: {spoiled.reason[:200]}")
    return " ".join(words)


def _ending(side: Side) -> str:
    left = "" if side.success or side.left == "–" else f", {side.left} m left to the goal"
    return f"{side.how} ({side.steps} steps, {side.path} m{left})"


def _parted(clean: Trace, spoiled: Trace) -> str:
    step = parting(clean, spoiled)
    if step is None:
        return "Both took the same actions; what they led to differs."
    first, second = (
        f"“{rounded_words(t.actions[step])}”" if step < len(t.actions) else "nothing more"
        for t in (clean, spoiled)
    )
    same = "From the first step on" if step == 0 else f"The first {step} actions are the same; then"
    return f"{same} it chose {second} instead of {first}."

"""Missions: what a report says of sub-tasks in order, on several robots, among people.

The layouts are OmniNavBench's: metrics by robot (its Table IV), by style of the instruction (V),
what robots do while somebody whom they follow rests (VII), ways to fail and homes against
commercial spaces (Figure 4); and how often each kind of sub-task was done. Rates are in per cent,
with 95 % intervals over episodes. Everything is of episodes without corruption.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from navproof.language.missions.wordings import ORIGINAL, OTHER_STYLES
from navproof.log.clocks import clock_of
from navproof.metrics.missions.pauses import BEHAVIOURS
from navproof.metrics.missions.table import (
    LAYOUTS,
    MissionResult,
    MissionRow,
    mission_result,
    mission_table,
)
from navproof.reports.gather import Entrant, Gathered
from navproof.reports.sections.missions.figures import (
    BEHAVIOUR_STYLES,
    failure_radars,
    pause_bars,
    scene_rates,
    style_profiles,
)
from navproof.reports.sections.missions.tables import Grid, MissionTables
from navproof.reports.sections.trust.words import known
from navproof.reports.tables import Figure
from navproof.reports.trials import CLEAN

__all__ = ["MissionSection", "mission_section"]


@dataclass(frozen=True, slots=True)
class MissionSection:
    """Everything about missions. ``styles`` and ``pauses`` are None where there is nothing of the
    kind; ``behaviours`` are (css class, name, meaning)."""

    episodes: int
    robots: tuple[str, ...]
    people: str  # how they walk, where a run says so
    clock: str  # whether people waited for agents, where they did not
    entrants: tuple[Entrant, ...]
    metrics: Grid
    released: Grid
    styles: Grid | None
    style_figures: tuple[Figure, ...]
    failures: Grid
    radars: tuple[Figure, ...]
    scenes: Grid
    scene_figure: Figure
    pauses: Grid | None
    pause_figure: Figure | None
    behaviours: tuple[tuple[str, str, str], ...]
    kinds: Grid

    @property
    def grids(self) -> tuple[Grid, ...]:
        """All tables, in order."""
        found = (
            *(self.metrics, self.styles, self.pauses, self.failures, self.scenes),
            *(self.kinds, self.released),
        )
        return tuple(grid for grid in found if grid is not None)


def mission_section(g: Gathered) -> MissionSection | None:
    """The section, or None where no episode is a mission."""
    plain = [_of(r.mission, g.entrants[r.entrant]) for r in g.rows if r.mission is not None]
    if not plain:
        return None
    labels = {result.group["agent"] for result in plain}
    entrants = [e for e in g.entrants if e.label in labels]
    by_robot = _ordered(mission_table(plain, LAYOUTS["robot"]), entrants)
    by_scene = _ordered(mission_table(plain, LAYOUTS["scenes"]), entrants)
    styled = _styled(g)
    by_style = _ordered(mission_table(styled, LAYOUTS["style"]), entrants) if styled else []
    paused = [row for row in by_robot if row.windows]
    followed = any(row.done["follow_human"].n for row in by_robot)
    make = MissionTables(entrants)
    reacting = any(info.spec.get("people") == "reacting" for info in g.infos)
    return MissionSection(
        episodes=len({(r.key.episode_id, r.key.seed) for r in g.rows if r.mission}),
        robots=tuple(dict.fromkeys(row.group["robot"] for row in by_robot)),
        people="reacting" if reacting else "",
        clock=", ".join(sorted({clock_of(info) for info in g.infos} - {"wait"})),
        entrants=tuple(entrants),
        metrics=make.metrics(by_robot),
        released=make.released(by_robot),
        styles=make.styles(by_style) if by_style else None,
        style_figures=style_profiles(styled, entrants) if by_style else (),
        failures=make.failures(by_robot),
        radars=failure_radars(by_robot, entrants),
        scenes=make.scenes(by_scene),
        scene_figure=scene_rates(by_scene, entrants),
        pauses=make.pauses(by_robot) if followed else None,
        pause_figure=pause_bars(paused) if paused else None,
        behaviours=tuple((BEHAVIOUR_STYLES[name], name, BEHAVIOURS[name]) for name in BEHAVIOURS),
        kinds=make.kinds(by_robot),
    )


def _of(result: MissionResult, entrant: Entrant) -> MissionResult:
    """The result under the name that the report has for its agent."""
    return replace(result, group={**result.group, "agent": entrant.label})


def _styled(g: Gathered) -> list[MissionResult]:
    """The missions in other words than the original ones, after the same missions (agent, episode
    and seed) in these."""
    labels = {(e.run, e.agent): e for e in g.entrants if e.condition == CLEAN}
    others, told = [], set()
    for index, run in enumerate(g.runs):
        present = run.keys()
        for key in present:
            under = known(key.condition)
            if under is None or under.style == ORIGINAL or under.parts:
                continue
            if (index, key.agent) not in labels:
                continue
            result = mission_result(run.trace(key))
            if result is not None:
                entrant = labels[index, key.agent]
                others.append(_of(result, entrant))
                told.add((entrant.series, key.episode_id, key.seed))
    original = [
        _of(r.mission, g.entrants[r.entrant])
        for r in g.rows
        if r.mission is not None and (r.entrant, r.key.episode_id, r.key.seed) in told
    ]
    return original + others


def _ordered(rows: Iterable[MissionRow], entrants: Sequence[Entrant]) -> list[MissionRow]:
    """By agent as the report has them, then robot (Carter, Aliengo, H1, others) and the rest."""
    agents = [e.label for e in entrants]
    places = {
        "robot": ("carter", "aliengo", "h1"),
        "style": (ORIGINAL, *OTHER_STYLES),
        "scenes": ("home", "commercial"),
    }

    def place(row: MissionRow) -> tuple[object, ...]:
        found: list[object] = [agents.index(row.group["agent"])]
        for name, order in places.items():
            value = row.group.get(name, "")
            found += [order.index(value) if value in order else len(order), value]
        return tuple(found)

    return sorted(rows, key=place)

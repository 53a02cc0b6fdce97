"""Proof that an instruction is true of its path, from the stored clauses and the scene alone.

``check_instruction`` recomputes everything that the words claim: turns from the path, rooms and
doorways from the plan, landmarks from rendered images (in view where they are named, on the side
that is said, and alone in fitting their description among all that is in view there). It also
holds the words to the clauses: every clause is said, in order, and nothing else is claimed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from navproof.core.types import Instruction, Point, Pose, Scalar
from navproof.language.routes.check_clauses import check_clause
from navproof.language.routes.check_words import check_words
from navproof.language.routes.evidence import Walk, degrees_between, number
from navproof.sim.protocol import Simulator

__all__ = ["Violation", "check_instruction"]

_UNSAID_TURN_DEG = 65.0
_UNSAID_START_DEG = 48.0


@dataclass(frozen=True, slots=True)
class Violation:
    """``clause`` is its index in the instruction, or None for the instruction as a whole."""

    clause: int | None
    what: str

    def __str__(self) -> str:
        return self.what if self.clause is None else f"clause {self.clause}: {self.what}"


def check_instruction(
    sim: Simulator,
    instruction: Instruction,
    path: tuple[Point, ...],
    start: Pose,
    camera_m: float,
) -> list[Violation]:
    """Everything that is wrong with an instruction; empty when it is proved.

    The simulator must hold the scene and a robot that fits at the path's start, where it is left.
    """
    if len(path) < 2 or not instruction.clauses:
        return [Violation(None, "has no path or no clauses to check")]
    walk = Walk(sim, path, camera_m)
    found = [Violation(i, what) for i, what in check_words(sim.scene, instruction)]
    for index, clause in enumerate(instruction.clauses):
        found += [Violation(index, what) for what in check_clause(walk, clause, start.yaw)]
    found += [Violation(None, what) for what in _unsaid(walk, instruction, start.yaw)]
    return found


def _unsaid(walk: Walk, instruction: Instruction, yaw: float) -> list[str]:
    """What a listener had to be told and was not: doorways, sharp turns, where to face."""
    clauses = instruction.clauses
    problems: list[str] = []
    rooms = [room for room, _, _ in walk.rooms()]
    told = [(c.get("leaves"), c.get("enters")) for c in clauses if c.get("kind") == "transit"]
    walked = list(itertools.pairwise(rooms))
    if told != walked:
        problems.append(f"tells the rooms {told}, but the path goes {walked}")
    kinds = [c.get("kind") for c in clauses]
    if kinds.count("stop") != 1 or kinds[-1] != "stop":
        problems.append("does not end with one place to stop")
    places = [number(c, "at_m") for c in clauses]
    if places != sorted(places):
        problems.append("tells things in another order than the path meets them")
    first = degrees_between(walk.direction(0.0, 1.0), yaw)
    if abs(first) > _UNSAID_START_DEG and "orient" not in kinds:
        problems.append(f"does not say to turn {first:.0f}° at the start")
    steps = [0.9 + 0.1 * k for k in range(int(max(0.0, walk.length - 2.7) / 0.1) + 1)]
    for s in steps:
        turn = walk.change(s)
        if abs(turn) >= _UNSAID_TURN_DEG and not any(_tells(c, s, turn) for c in clauses):
            problems.append(f"does not tell the turn of {turn:.0f}° at {s:.1f} m")
            break
    return problems


def _tells(clause: Mapping[str, Scalar], s: float, turn: float) -> bool:
    """Whether the clause says a turn to that side near that place."""
    kind = clause.get("kind")
    side = clause.get("direction") if kind == "turn" else clause.get("side")
    if kind not in ("turn", "transit") or side is None:
        return False
    return side == ("left" if turn > 0 else "right") and abs(number(clause, "at_m") - s) <= 1.8

"""What to do about an error: one line for whoever builds the agent."""

from __future__ import annotations

from navproof.diagnosis.capabilities import ErrorType
from navproof.diagnosis.types import Evidence

__all__ = ["arriving", "searching", "suggestion"]

_SMALL_PX = 650.0  # of a box: about a hundredth of a picture of 256 × 256


def suggestion(kind: ErrorType, evidence: Evidence) -> str:
    """What usually helps against an error of this kind, as far as the evidence tells."""
    match kind:
        case ErrorType.MISSED:
            return _missed(evidence)
        case ErrorType.CONFUSED:
            return _confused(evidence)
        case ErrorType.FORGOTTEN:
            missing = _names([thing.label for thing in evidence.expected_remembered])
            return (
                f"Keep what was seen once{f' ({missing})' if missing else ''}: merge sightings"
                " instead of replacing them, and let them fade only when the place is seen empty."
            )
        case ErrorType.MISORDERED:
            return (
                "Keep the step and the place with each thing remembered, and bind them to the thing"
                " seen rather than to its label."
            )
        case ErrorType.DETOUR:
            return (
                "Plan again when the goal becomes known, over the free space seen so far; check the"
                " costs that keep the path from the short way."
            )
        case ErrorType.LOOP:
            return (
                "Count visits: leave out places that gave nothing new twice, and plan to the"
                " nearest that was never seen."
            )
        case ErrorType.CONSTRAINT:
            return (
                "Take what the instruction asks for on the way as sub-goals that must be reached"
                " in order, before the plan leads to the end."
            )
        case ErrorType.OFF_PLAN:
            return _off_plan(evidence)


def searching() -> str:
    """What helps an agent that looks for its goal in the wrong places."""
    return (
        "Search where the goal is likely: rank places by what is usually near such a thing, and see"
        " whole rooms before going back to known ones."
    )


def arriving() -> str:
    """What helps an agent that knows its goal and does not claim it where that counts."""
    return (
        "Plan to a place from which the goal counts as reached, near enough to it and with it in"
        " view, and claim it there instead of going on."
    )


def _missed(evidence: Evidence) -> str:
    names = _names([thing.label for thing in evidence.expected_seen])
    what = f"the {names}" if names else "the thing"
    if any(_area(thing.box) < _SMALL_PX for thing in evidence.expected_seen if thing.box):
        return f"Look at {what} from nearer or at a higher resolution: it is small in the picture."
    return (
        f"Train on views like this of {what}, or believe a lower score when several frames agree."
    )


def _confused(evidence: Evidence) -> str:
    right = _names([thing.label for thing in evidence.expected_seen])
    wrong = _names([thing.label for thing in evidence.believed_seen])
    if right and wrong and right != wrong:
        return (
            f"Train the eyes to tell {right} from {wrong}, and let a second view confirm a claim."
        )
    return "Let a second view confirm what is claimed before the robot goes there."


def _off_plan(evidence: Evidence) -> str:
    right = " or ".join(evidence.expected_actions[:2])
    if right and evidence.action:
        action = evidence.action
        return f"Let the controller follow the plan: it called for {right}, and {action} was done."
    return "Let the controller follow the plan, and plan again where it cannot."


def _names(labels: list[str]) -> str:
    return " and ".join(dict.fromkeys(label for label in labels if label))


def _area(box: tuple[float, float, float, float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])

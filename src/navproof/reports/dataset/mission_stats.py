"""What a set of missions holds: the numbers and pictures of OmniNavBench's Figures 2 and 8.

Sub-instructions are counted as the paper does: SocialNav and a question beside the sub-tasks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from navproof.core.types import Episode

__all__ = ["SKILLS", "MissionStats", "are_missions", "measure_missions"]

SKILLS: Mapping[str, str] = {
    "goto_room": "VLN",
    "goto_landmark": "VLN",
    "return_to": "VLN",
    "goto_object": "ObjectNav",
    "goto_point": "PointNav",
    "follow_human": "follow",
}
"""The skill that each kind of sub-task asks for."""
_BESIDE = ("SocialNav", "EQA")


@dataclass(frozen=True, slots=True)
class MissionStats:
    """Counts of one set of missions; mappings are ordered."""

    name: str
    scenes: int
    episodes: int
    by_skill: Mapping[str, int]  # sub-instructions
    by_kind: Mapping[str, int]  # sub-tasks
    by_length: Mapping[int, int]  # missions by number of sub-instructions
    by_step: Mapping[str, int]  # "VLN → ObjectNav": one sub-task after the other
    by_robot: Mapping[str, int]
    by_place: Mapping[str, int]  # homes, offices, …
    by_question: Mapping[str, int]
    by_people: Mapping[int, int]
    words: tuple[int, ...]  # of the original instruction, ascending
    words_by_style: Mapping[str, float]  # mean
    seconds: tuple[float, ...]  # of the expert, ascending
    metres: tuple[float, ...]

    @property
    def returns(self) -> float:
        """The share of VLN that is to return."""
        vln = self.by_skill.get("VLN", 0)
        return self.by_kind.get("return_to", 0) / vln if vln else 0.0

    def table(self) -> dict[str, int | float | None]:
        long = sum(n for length, n in self.by_length.items() if length >= 4)
        return {
            "scenes": self.scenes,
            "missions": self.episodes,
            "instructions": self.episodes * max(1, len(self.words_by_style)),
            "sub-instructions": sum(self.by_skill.values()),
            "% with 2 sub-instructions": _percent(self.by_length.get(2, 0), self.episodes),
            "% with 3": _percent(self.by_length.get(3, 0), self.episodes),
            "% with 4 or more": _percent(long, self.episodes),
            "% of VLN that is to return": round(100.0 * self.returns, 1),
            "words per instruction": _mean(self.words),
            "shortest": self.words[0] if self.words else None,
            "longest": self.words[-1] if self.words else None,
            "expert's seconds": _mean(self.seconds),
            "expert's metres": _mean(self.metres),
        }

    def plain(self) -> dict[str, object]:
        """Everything as JSON values."""
        counted = ("by_skill", "by_kind", "by_length", "by_step", "by_robot", "by_place")
        named = (*counted, "by_question", "by_people", "words_by_style")
        return {
            "name": self.name,
            "table": self.table(),
            **{name: {str(k): v for k, v in getattr(self, name).items()} for name in named},
            "words": list(self.words),
            "seconds": list(self.seconds),
            "metres": list(self.metres),
        }


def are_missions(episodes: Sequence[Episode]) -> bool:
    return bool(episodes) and all(e.subtasks for e in episodes)


def measure_missions(name: str, episodes: Sequence[Episode]) -> MissionStats:
    """Count a set of missions."""
    skills = [[SKILLS[s.kind] for s in e.subtasks] for e in episodes]
    beside = [(bool(e.tags.get("social")), e.question is not None) for e in episodes]
    count = Counter(skill for chain in skills for skill in chain)
    for social, asks in beside:
        count.update({"SocialNav": int(social), "EQA": int(asks)})
    order = [*dict.fromkeys(SKILLS.values()), *_BESIDE]
    styles: dict[str, list[int]] = {}
    for e in episodes:
        original = e.instruction.text if e.instruction else ""
        for style, text in {"original": original, **e.wordings}.items():
            styles.setdefault(style, []).append(len(text.split()))
    return MissionStats(
        name=name,
        scenes=len({e.scene for e in episodes}),
        episodes=len(episodes),
        by_skill={skill: count[skill] for skill in order if count[skill]},
        by_kind=_ordered(Counter(s.kind for e in episodes for s in e.subtasks)),
        by_length=_ascending(
            len(chain) + sum(more) for chain, more in zip(skills, beside, strict=True)
        ),
        by_step=_ordered(Counter(f"{a} → {b}" for chain in skills for a, b in pairwise(chain))),
        by_robot=_ordered(Counter(e.robot for e in episodes if e.robot)),
        by_place=_ordered(Counter(e.scene.partition("/")[0] for e in episodes)),
        by_question=_ordered(Counter(e.question.kind for e in episodes if e.question)),
        by_people=_ascending(len(e.people) for e in episodes),
        words=tuple(sorted(styles.get("original", []))),
        words_by_style={style: _mean(counts) or 0.0 for style, counts in styles.items()},
        seconds=_numbers(episodes, "expert_s"),
        metres=_numbers(episodes, "expert_m"),
    )


def _numbers(episodes: Sequence[Episode], tag: str) -> tuple[float, ...]:
    held = (e.tags.get(tag) for e in episodes)
    return tuple(sorted(float(v) for v in held if isinstance(v, int | float)))


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _ascending(numbers: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(numbers).items()))


def _percent(part: int, whole: int) -> float | None:
    return round(100.0 * part / whole, 1) if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None

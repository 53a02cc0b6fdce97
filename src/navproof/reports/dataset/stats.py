"""What a set of episodes holds: the numbers of LangNavBench's Table 2, and its Figures 4–6.

Counted from the episodes alone, so that any episode file can be measured. A *description* is a
goal with words; its *linguistic features* are its tags, as many as the tag ``attributes`` says (a
tag with two values, "brown, red", is two); a *feature value* is a feature with one value. Instances
are objects of a scene that some description fits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from navproof.core.types import Episode, Goal

__all__ = ["EXTENDED", "FEATURES", "DatasetStats", "measure"]

FEATURES = ("colour", "size", "texture", "state", "number", "material", "modifier", "support")
"""The paper's eight linguistic features."""
EXTENDED = ("negation", "anchor", "spatial", "coreference")
"""Those beyond the paper."""


@dataclass(frozen=True, slots=True)
class DatasetStats:
    """Counts of one set of episodes. Mappings are ordered: categories by how often they are
    goals, features as the paper names them, numbers ascending."""

    name: str
    scenes: int
    episodes: int
    instances: int
    descriptions: int
    texts: int  # different ones
    described: int  # with at least one feature
    features: int
    values: int  # different ones
    goals_by_category: Mapping[str, int]
    by_feature: Mapping[str, int]
    by_feature_count: Mapping[int, int]  # descriptions by number of features
    by_instances: Mapping[int, int]  # descriptions by number of objects that they fit
    first_legs_m: tuple[float, ...]  # start → first goal, ascending
    later_legs_m: tuple[float, ...]  # goal → next goal, ascending
    words: tuple[int, ...]  # per description, ascending

    @property
    def categories(self) -> int:
        return len(self.goals_by_category)

    def table(self) -> dict[str, int | float | None]:
        """The rows of the paper's Table 2, and some more."""
        return {
            "scenes": self.scenes,
            "episodes": self.episodes,
            "distinct object categories": self.categories,
            "distinct object instances": self.instances,
            "goal descriptions": self.descriptions,
            "descriptions with attributes/relationships": self.described,
            "total linguistic features": self.features,
            "unique linguistic feature values": self.values,
            "different texts": self.texts,
            "descriptions that one object fits": self.by_instances.get(1, 0),
            "words per description": _mean(self.words),
            "metres from start to first goal": _mean(self.first_legs_m),
            "metres from goal to next goal": _mean(self.later_legs_m),
        }

    def plain(self) -> dict[str, object]:
        """Everything as JSON values."""
        return {
            "name": self.name,
            "table": self.table(),
            "goals_by_category": dict(self.goals_by_category),
            "by_feature": dict(self.by_feature),
            "by_feature_count": {str(k): v for k, v in self.by_feature_count.items()},
            "by_instances": {str(k): v for k, v in self.by_instances.items()},
            "first_legs_m": list(self.first_legs_m),
            "later_legs_m": list(self.later_legs_m),
            "words": list(self.words),
        }


def measure(name: str, episodes: Sequence[Episode]) -> DatasetStats:
    """Count a set of episodes. Those of other tasks than LangNav have no linguistic features, and
    their description is the episode's instruction."""
    goals = [(episode, goal) for episode in episodes for goal in episode.goals]
    texts = [text for episode, goal in goals if (text := _text(episode, goal))]
    told = [_features(goal) for episode, goal in goals if _text(episode, goal)]
    used = Counter(feature for features in told for feature in features)
    values = [(name, one) for features in told for name, many in features.items() for one in many]
    return DatasetStats(
        name=name,
        scenes=len({e.scene for e in episodes}),
        episodes=len(episodes),
        instances=len({(e.scene, i) for e, goal in goals for i in goal.object_ids}),
        descriptions=len(texts),
        texts=len(set(texts)),
        described=sum(bool(features) for features in told),
        features=len(values),
        values=len(set(values)),
        goals_by_category=_by_count(g.category for _, g in goals if g.category),
        by_feature={n: used[n] for n in (*FEATURES, *EXTENDED) if n in FEATURES or used[n]},
        by_feature_count=_by_key(sum(map(len, features.values())) for features in told),
        by_instances=_by_key(len(g.object_ids) for e, g in goals if g.object_ids and _text(e, g)),
        first_legs_m=tuple(sorted(e.geodesic_m for e in episodes)),
        later_legs_m=tuple(sorted(leg for e in episodes for leg in _later_legs(e))),
        words=tuple(sorted(len(text.split()) for text in texts)),
    )


def _text(episode: Episode, goal: Goal) -> str:
    if goal.text or len(episode.goals) > 1 or episode.instruction is None:
        return goal.text
    return episode.instruction.text


def _features(goal: Goal) -> dict[str, list[str]]:
    """The values of each feature."""
    known = (*FEATURES, *EXTENDED)
    return {name: str(told).split(", ") for name, told in goal.tags.items() if name in known}


def _later_legs(episode: Episode) -> Iterable[float]:
    for index in range(1, len(episode.goals)):
        leg = episode.tags.get(f"leg_{index}_m")
        if isinstance(leg, int | float) and not isinstance(leg, bool):
            yield float(leg)


def _by_count(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))


def _by_key(numbers: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(numbers).items()))


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None

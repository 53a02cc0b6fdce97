"""What eyes other than the model's see: a detector's, which puts things into words for models that
take no pictures, and perfect ones, while perception is corrected."""

from __future__ import annotations

from typing import final

import numpy as np
from numpy.typing import NDArray

from navproof.agents.chat.kit import ChatKit, Choice
from navproof.agents.chat.views import View
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.sightings import place
from navproof.agents.search.truth import true_detections
from navproof.perception.protocol import Detections, TruthFrame

__all__ = ["Sight"]

_LEAST = 0.35  # score from which on what a detector found is told


@final
class Sight:
    """Puts detections among what is remembered."""

    def __init__(self, kit: ChatKit, eyes: Eyes) -> None:
        self._kit, self._eyes = kit, eyes
        lines = kit.prompts.text("things").splitlines()
        self._things = tuple(line.strip() for line in lines if line.strip())
        self._asks = bool(kit.options.eyes)

    def look(self, view: View, step: int) -> None:
        """Have the detector look for the goal and for common things, where there is one."""
        if not self._asks:
            return
        queries = self._queries(self._things)
        found = self._eyes.detect(view.rgb, queries)
        if found is not None:
            self._remember(found, queries, view, step)

    def corrected(self, view: View, sight: TruthFrame | None, step: int) -> Choice | None:
        """See what is truly there of what is looked for and of what the model has named so far;
        the goal, if it is known now."""
        kit = self._kit
        if sight is not None:
            queries = self._queries([s.label for s in kit.survey.sightings.all()])
            if queries:
                found = true_detections(sight, view.rgb, queries)
                self._remember(found, queries, view, step)
        known = kit.survey.sightings.of(kit.goal_label) if kit.goal_label else []
        if not known:
            return None
        x, y, _ = known[0].position
        return Choice.walking_up(kit.goal_label, x, y, known[0].spots)

    def _queries(self, names: list[str] | tuple[str, ...]) -> tuple[str, ...]:
        goal = self._kit.goal_label
        return tuple(dict.fromkeys(filter(None, (goal, *names))))

    def _remember(self, found: Detections, queries: tuple[str, ...], view: View, step: int) -> None:
        clear: NDArray[np.intp] = np.flatnonzero(found.scores >= _LEAST)
        clear_ones = Detections(
            found.boxes[clear], found.scores[clear], found.queries[clear], found.masks[clear]
        )
        _, sightings = place(clear_ones, queries, view.depth, view.depth_camera, view.pose, step)
        for sighting in sightings:
            self._kit.survey.sightings.add(sighting)

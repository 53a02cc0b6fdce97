"""What a search agent sees with: an encoder and a detector, loaded once and shared by copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.search.truth import true_detections
from navproof.core.errors import AgentError
from navproof.core.types import Observation, TaskBrief
from navproof.perception.load import load_detector, load_encoder
from navproof.perception.protocol import (
    Detections,
    ImageTextEncoder,
    OpenVocabularyDetector,
    SeesTruth,
    TruthFrame,
)

__all__ = ["Eyes", "ImageRater", "sensors_for"]

_PLAIN = ("rgb", "depth", "pose", "pointgoal")


def sensors_for(*eyes: str) -> tuple[str, ...]:
    """The sensors of an agent with these encoders and detectors. Ground truth is asked for by
    eyes of that name alone."""
    truth = any(name.partition(":")[0] == "truth" for name in eyes)
    return (*_PLAIN, "semantic") if truth else _PLAIN


@runtime_checkable
class ImageRater(Protocol):
    """An encoder whose whole images have log-odds of their own (``scale``, ``bias`` are for
    patches)."""

    @property
    def image_scale(self) -> float: ...
    @property
    def image_bias(self) -> float: ...


class Eyes:
    """An encoder, a detector, or both, by name. Neither changes while it is used, so copies of an
    agent share them; ``sight`` is the truth that they are corrected with, for as long as it is."""

    def __init__(self, encoder: str | None, detector: str | None) -> None:
        self.sight: TruthFrame | None = None
        self._encoder: ImageTextEncoder | None = load_encoder(encoder) if encoder else None
        self._detector: OpenVocabularyDetector | None = (
            load_detector(detector) if detector else None
        )

    def __deepcopy__(self, memo: object) -> Eyes:
        return self

    @property
    def encoder(self) -> ImageTextEncoder:
        if self._encoder is None:
            raise AgentError("this agent has no encoder to make a map with")
        return self._encoder

    @property
    def image_odds(self) -> tuple[float, float]:
        """(scale, bias) for the cosine of a whole image."""
        encoder = self.encoder
        if isinstance(encoder, ImageRater):
            return encoder.image_scale, encoder.image_bias
        return encoder.scale, encoder.bias

    @contextmanager
    def corrected(self, sight: TruthFrame | None) -> Iterator[None]:
        """For a while they answer as the truth of this frame does; None leaves them as they are."""
        self.sight = sight
        try:
            yield
        finally:
            self.sight = None

    def open(self, obs: Observation, brief: TaskBrief) -> None:
        """Show the ground truth of this step to eyes that stand in for perfect ones."""
        for eye in (self._encoder, self._detector):
            if not isinstance(eye, SeesTruth):
                continue
            if self.sight is not None:
                eye.see(self.sight)
                continue
            if obs.semantic is None or obs.rgb is None or brief.facts is None:
                raise AgentError(
                    f"'{eye.name}' sees ground truth, which only eyes called 'truth' are given"
                )
            height, width = obs.rgb.shape[:2]
            instances = obs.semantic
            if instances.shape != (height, width):
                size = (width, height)
                instances = cv2.resize(instances, size, interpolation=cv2.INTER_NEAREST_EXACT)
            truth = np.asarray(instances, dtype=np.int32)
            eye.see(TruthFrame(truth, brief.facts, brief.seed, obs.step))

    def detect(self, rgb: NDArray[np.uint8], queries: Sequence[str]) -> Detections | None:
        """What the detector finds; None where there is no detector."""
        if self._detector is None:
            return None
        if self.sight is not None:
            return true_detections(self.sight, rgb, queries)
        return self._detector.detect(rgb, queries)

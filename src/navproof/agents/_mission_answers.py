"""Answers out of what was seen: colours, states and attributes by asking the eyes which words fit
best, numbers by counting what was detected, yes or no by whether it was detected at all."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from navproof.agents._search_eyes import Eyes
from navproof.agents._search_survey import Survey
from navproof.world.palette import COLOURS

__all__ = ["Witness"]

_COUNTED = re.compile(r"^how many (?P<what>.+?) (?:are|can|do|is|stand|hang)\b", re.I)
_COLOUR = re.compile(
    r"^(?:what|which) colou?r (?:is|are|does|has) (?:the )?(?P<what>.+?)\??$", re.I
)
_EXISTS = re.compile(r"^(?:is|are) there (?:an? |any )?(?P<what>.+?)\??$", re.I)
_EITHER = re.compile(r"^is (?:the )?(?P<what>.+?) (?P<a>[\w-]+) or (?P<b>[\w-]+)\??$", re.I)
_PLACE = re.compile(r"\s+(?:in|on|at|inside|near)\s+the\s+.*$", re.I)
_SEEN = 0.3


class Witness:
    """Watches for what a question is about; ``image`` is what the encoder makes of the last
    picture. The answer is given once, at the end."""

    def __init__(self, question: str | None, eyes: Eyes) -> None:
        self._question = question or ""
        self._eyes = eyes
        self._given = question is None
        self.image: NDArray[np.float32] | None = None
        self._crop: NDArray[np.float32] | None = None
        self._best = 0.0
        self._survey: Survey | None = None
        self._what = self._about()

    def queries(self) -> tuple[str, ...]:
        return (self._what,) if self._what else ()

    def watch(self, rgb: NDArray[np.uint8] | None, survey: Survey) -> None:
        """Take in one picture."""
        self._survey = survey
        if rgb is None:
            return
        self.image = self._eyes.encoder.encode_image(rgb)
        for seen in survey.perceived:
            if seen.label == self._what and seen.score > self._best and seen.box is not None:
                self._best = seen.score
                self._crop = self._feature(rgb, seen.box)

    def answer(self) -> str | None:
        """What is answered; None where there is nothing (more) to answer."""
        if self._given:
            return None
        self._given = True
        text = self._question
        if _COUNTED.match(text):
            return str(self._count())
        if _COLOUR.match(text):
            return self._fitting(sorted(COLOURS))
        if either := _EITHER.match(text):
            return self._fitting([either["a"], either["b"]])
        if _EXISTS.match(text):
            return "yes" if self._count() else "no"
        return "yes"

    def _about(self) -> str:
        for form in (_COUNTED, _COLOUR, _EITHER, _EXISTS):
            found = form.match(self._question)
            if found is not None:
                return _PLACE.sub("", found["what"]).strip()
        return ""

    def _count(self) -> int:
        if self._survey is None or not self._what:
            return 0
        return sum(s.steady >= _SEEN for s in self._survey.sightings.of(self._what))

    def _fitting(self, words: list[str]) -> str:
        """The word that fits what was seen best."""
        if self._crop is None:
            return words[0]
        texts = [f"{word} {self._what}" for word in words]
        return words[int(np.argmax(self._eyes.encoder.encode_text(texts) @ self._crop))]

    def _feature(
        self, rgb: NDArray[np.uint8], box: tuple[float, float, float, float]
    ) -> NDArray[np.float32]:
        """The mean feature of the patches in the middle of a box."""
        patches = self._eyes.encoder.encode_patches(rgb)
        high, wide = patches.shape[0] / rgb.shape[0], patches.shape[1] / rgb.shape[1]
        u0, v0, u1, v1 = box
        rows = slice(int((0.75 * v0 + 0.25 * v1) * high), int((0.25 * v0 + 0.75 * v1) * high) + 1)
        cols = slice(int((0.75 * u0 + 0.25 * u1) * wide), int((0.25 * u0 + 0.75 * u1) * wide) + 1)
        mean: NDArray[np.float32] = patches[rows, cols].reshape(-1, patches.shape[-1]).mean(axis=0)
        return mean

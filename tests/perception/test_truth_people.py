"""Perfect eyes know people by all that is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.core.types import FIRST_PERSON_ID, Scalar
from navproof.perception.protocol import TruthFrame
from navproof.perception.truth import TruthDetector
from navproof.world.people.people import APPEARANCES


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("person", {0, 1}),
        ("woman in the red jacket", {0}),
        ("the tall man", {1}),
        ("man in the red jacket", set()),
        ("red jacket", set()),
        ("chair", {9}),
    ],
)
def test_people_in_words(words: str, found: set[int]) -> None:
    facts: dict[int, dict[str, Scalar]] = {
        FIRST_PERSON_ID + k: {"category": "person"}
        | {f"attr.{name}": value for name, value in APPEARANCES[look].attributes.items()}
        for k, look in enumerate(("red_jacket", "blue_jumper"))
    }
    facts[19] = {"category": "chair", "attr.colour": "red"}
    instances = np.zeros((30, 30), dtype=np.int32)
    instances[:, :10], instances[:, 10:20] = FIRST_PERSON_ID, FIRST_PERSON_ID + 1
    instances[:, 20:] = 19
    detector = TruthDetector()
    detector.see(TruthFrame(instances, facts, 0, 0))
    seen = detector.detect(np.zeros((30, 30, 3), dtype=np.uint8), [words])
    columns = {int(box[0]) // 10 for box in seen.boxes}
    assert columns == {2 if k == 9 else k for k in found}

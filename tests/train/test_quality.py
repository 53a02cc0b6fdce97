"""The measures of seeing, on cases small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.train.quality import _judge, attribute_text, average_precision


def test_average_precision_by_hand() -> None:
    # right, wrong, right of three objects: 1/3·1 + 1/3·(2/3)
    judged = [(0.9, True), (0.8, False), (0.7, True)]
    assert average_precision(judged, 3) == pytest.approx(1 / 3 + 2 / 9)
    assert average_precision(judged[::-1], 3) == pytest.approx(1 / 3 + 2 / 9)
    assert average_precision([], 3) == 0.0
    assert average_precision([(0.5, True)], 1) == 1.0
    assert average_precision([(0.5, False)], 1) == 0.0
    # precision is made monotone: a wrong box before two right ones
    assert average_precision([(0.9, False), (0.8, True), (0.7, True)], 2) == pytest.approx(2 / 3)


def test_a_second_box_on_one_object_is_wrong_and_uncounted_objects_cost_nothing() -> None:
    truth = np.array([[0, 0, 10, 10], [20, 20, 24, 24]], np.float32)
    boxes = np.array([[0, 0, 10, 10], [0, 0, 10, 9], [20, 20, 24, 24]], np.float32)
    scores = np.array([0.9, 0.8, 0.7], np.float32)
    judged = _judge(boxes, scores, truth, [0, 1], {0})
    assert [hit for _, hit in judged] == [True, False]


@pytest.mark.parametrize(
    ("category", "column", "value", "text"),
    [
        ("chair", "colour", "red", "red chair"),
        ("chair", "material", "wood", "wooden chair"),
        ("cabinet", "doors", 2, "cabinet with two doors"),
        ("nightstand", "drawers", 1, "nightstand with one drawer"),
    ],
)
def test_attributes_are_asked_for_as_people_do(
    category: str, column: str, value: str | int, text: str
) -> None:
    assert attribute_text(category, column, value) == text

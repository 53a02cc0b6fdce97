"""Polygons against closed forms and OpenCV."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from navproof.world.polygon import inside, signed_area

L_SHAPE = ((0, 0), (4, 0), (4, 2), (2, 2), (2, 3), (0, 3))


def test_area_is_signed() -> None:
    assert signed_area(((0, 0), (2, 0), (2, 3), (0, 3))) == 6.0
    assert signed_area(((0, 0), (0, 3), (2, 3), (2, 0))) == -6.0
    assert signed_area(L_SHAPE) == 10.0


@given(st.integers(-40, 200), st.integers(-40, 200))
def test_inside_agrees_with_opencv(i: int, j: int) -> None:
    x, y = 0.025 * i + 0.0125, 0.025 * j + 0.0125  # never on an edge
    ring = np.array(L_SHAPE, dtype=np.float32)
    assert inside(L_SHAPE, x, y) == (cv2.pointPolygonTest(ring, (x, y), False) > 0)

"""Draw the six people, standing and walking, for docs/tasks/people.md.

python scripts/draw_people.py docs/images/people.jpg
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.types import FIRST_PERSON_ID, Camera, Pose
from navproof.sim.render.render import Renderer
from navproof.world.library import load_scene
from navproof.world.people.bodies import LightField, body_of
from navproof.world.people.people import APPEARANCES

SCENE, HERE, AWAY_M = "home/val/3", (4.125, 1.625), 2.3
CAMERA = Camera(220, 320, 44.0, height_m=1.0)
POSES = ((0.0, 0.0, 0.0), (-1.2, 0.03, 1.0))
"""(turned by, phase, fullness of the stride)"""


def draw() -> NDArray[np.uint8]:
    scene = load_scene(SCENE)
    renderer, light = Renderer(scene), LightField(scene)
    (x, y), half = HERE, AWAY_M / 2
    eye, cube = Pose(x - half, y, 0.0, 0.0), light.at(x + half, y, 0.0)
    rows = []
    for turned, phase, stride in POSES:
        stands = Pose(x + half, y, 0.0, math.pi + turned)
        bodies = [
            body_of(name).posed(stands, phase, stride, FIRST_PERSON_ID, cube)
            for name in APPEARANCES
        ]
        rows.append(
            np.concatenate([renderer.render(CAMERA, eye, extra=[b]).rgb for b in bodies], axis=1)
        )
    return np.concatenate(rows, axis=0)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    cv2.imwrite(str(target), draw()[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])
    print(f"{target}: {', '.join(APPEARANCES)}")

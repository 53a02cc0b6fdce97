"""A sensor of one's own: a ring of sonars, as robot vacuum cleaners have. Each tells how far the
nearest thing in its cone is.

Check it:  navproof check sensor examples/my_sensor.py:SonarRing
Use it:    navproof run --agent frontier --sensors examples/my_sensors.toml -o runs/sonar
An agent finds the readings in obs.readings["sonar"].
"""

from dataclasses import dataclass

import numpy as np

from navproof import Camera, Mount, ReadingSpec, register_sensor


@register_sensor("sonar-ring", sees="depth", noise=("range",))
class SonarRing:
    @dataclass(frozen=True)
    class Options:  # further fields of its table in a sensor file
        beams: int = 8
        cone_deg: float = 25.0

    def __init__(self, spec, options):
        mount = spec.mount or Mount(height_m=0.3)
        self.spec = spec
        self.cameras = tuple(  # what is rendered for it: a small view along each cone
            Camera(
                width=16,
                height=16,
                hfov_deg=options.cone_deg,
                height_m=mount.height_m,
                forward_m=mount.forward_m,
                yaw_deg=mount.yaw_deg + beam * 360.0 / options.beams,
            )
            for beam in range(options.beams)
        )
        # Metres, counter-clockwise from straight ahead. Out of range reads the greatest range.
        self.reading = ReadingSpec((options.beams,), "float32", 0.0, spec.max_range_m)

    def read(self, view):
        nearest = np.array([self.range_m(view, camera) for camera in self.cameras])
        noise = self.spec.noise
        if noise is not None:  # the same numbers for the same step of the same episode
            random = view.fresh(self.spec.name, "range")
            nearest = nearest + random.normal(0.0, noise.range_sigma_m, len(nearest))
        return np.clip(nearest, 0.0, self.spec.max_range_m).astype(np.float32)

    def range_m(self, view, camera):
        depth = view.frame(camera).depth  # 0 where nothing is
        return depth.min(where=depth > 0.0, initial=self.spec.max_range_m)

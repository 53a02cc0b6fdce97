"""A robot of your own, to start from:

    navproof check robot examples/my_robot.py:ROBOT
    navproof run --agent oracle --robot examples/my_robot.py:ROBOT --suite mini -o runs/mine

It takes the place of the robot of every task; episodes that leave it no room are left out, and you
are told how many. A .toml file with the same fields does as well (``my_robot.toml``).
"""

from __future__ import annotations

from navproof.core.types import Robot

ROBOT = Robot(
    name="mybot",
    radius_m=0.22,  # of the cylinder that it fills
    height_m=0.55,
    forward_m=0.25,  # of one discrete step
    turn_deg=15.0,
    max_speed_m_s=0.6,
    max_turn_rad_s=1.0,
    acceleration_m_s2=1.0,
    turn_acceleration_rad_s2=3.0,
    camera_m=0.45,  # above the floor
)

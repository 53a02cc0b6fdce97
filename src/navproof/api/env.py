"""``nv.make_env``: a task as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from navproof.core.types import Episode

if TYPE_CHECKING:
    from navproof.api.plain import RobotLike
    from navproof.gym import NavEnv
    from navproof.tasks.suites.registry import Suite

__all__ = ["make_env"]


def make_env(
    task: str,
    suite: str | Suite | None = None,
    *,
    episodes: Sequence[Episode] | None = None,
    sensors: Sequence[str] | None = None,
    image_size: tuple[int, int] | None = None,
    condition: str = "clean",
    condition_seed: int = 0,
    robot: RobotLike | None = None,
    success_bonus: float = 2.5,
    render_mode: str | None = None,
) -> NavEnv:
    """A Gymnasium environment of a task (``"objectnav"``, ``"pointnav-v1"``); for the arguments
    see ``navproof.gym.NavEnv``. ``MissingExtraError`` where gymnasium is not installed."""
    from navproof.api import plain
    from navproof.core.errors import SpecError
    from navproof.gym import NavEnv
    from navproof.tasks.registry import task_id
    from navproof.tasks.suites.registry import Suite

    if not isinstance(task, str):
        raise SpecError(f"a task is a name, got {task!r}")
    if not isinstance(suite, str | Suite | None):
        raise SpecError(f"suite: {suite!r} is neither a name nor a Suite")
    if episodes is not None:
        episodes = plain.episodes_of(episodes, "episodes")
    if sensors is not None:
        sensors = plain.plain_names("sensors", sensors)
    bodies = plain.robot_names(() if robot is None else robot)
    if len(bodies) > 1:
        raise SpecError(f"an environment has one robot, got {', '.join(bodies)}")
    return NavEnv(
        task_id(task),
        suite,
        episodes,
        sensors,
        plain.image_size(image_size, "image_size"),
        success_bonus,
        render_mode,
        condition,
        plain.whole_number("condition_seed", condition_seed) or 0,
        *bodies,
    )

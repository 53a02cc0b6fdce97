"""``nv.make_env``: a task as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from navproof.core.types import Episode

if TYPE_CHECKING:
    from navproof.gym import NavEnv

__all__ = ["make_env"]


def make_env(
    task: str,
    suite: str | None = None,
    *,
    episodes: Sequence[Episode] | None = None,
    sensors: Sequence[str] | None = None,
    image_size: tuple[int, int] | None = None,
    condition: str = "clean",
    condition_seed: int = 0,
    robot: str | None = None,
    success_bonus: float = 2.5,
    render_mode: str | None = None,
) -> NavEnv:
    """A Gymnasium environment of a task (``"objectnav"``, ``"pointnav-v1"``); for the arguments
    see ``navproof.gym.NavEnv``. ``MissingExtraError`` where gymnasium is not installed."""
    from navproof.api import plain
    from navproof.gym import NavEnv
    from navproof.tasks.registry import task_id

    return NavEnv(
        task_id(task),
        suite,
        episodes,
        sensors,
        plain.image_size(image_size, "image_size"),
        success_bonus,
        render_mode,
        condition,
        condition_seed,
        robot,
    )

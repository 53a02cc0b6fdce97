"""The names under which Gymnasium knows the tasks, kept apart so that telling it costs little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from navproof.tasks.registry import TASKS

__all__ = ["env_ids", "register_envs"]


def env_ids() -> Mapping[str, str]:
    """``{"navproof/ObjectNav-v1": "objectnav-v1", …}`` of every task that comes with navproof."""
    built_in = (TASKS.get(name) for name in TASKS.built_in())
    return {f"navproof/{kind.title}-v{kind.id.rpartition('-v')[2]}": kind.id for kind in built_in}


def register_envs(gymnasium: Any) -> None:
    """Tell Gymnasium (the imported package) of them; a second call changes nothing."""
    for env_id, task in env_ids().items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                id=env_id,
                entry_point="navproof.gym:NavEnv",
                kwargs={"task": task},
                disable_env_checker=True,
                order_enforce=True,
            )

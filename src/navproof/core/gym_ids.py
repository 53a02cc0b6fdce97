"""The names under which Gymnasium knows the tasks, kept apart so that telling it costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ENV_IDS", "register_envs"]

ENV_IDS: Mapping[str, str] = {
    "navproof/PointNav-v1": "pointnav-v1",
    "navproof/ObjectNav-v1": "objectnav-v1",
    "navproof/VLN-v1": "vln-v1",
    "navproof/LangNav-v1": "langnav-v1",
    "navproof/Mission-v1": "mission-v1",
}


def register_envs(gymnasium: Any) -> None:
    """Tell Gymnasium (the imported package) of them; a second call changes nothing."""
    for env_id, task in ENV_IDS.items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                id=env_id,
                entry_point="navproof.gym:NavEnv",
                kwargs={"task": task},
                disable_env_checker=True,
                order_enforce=True,
            )

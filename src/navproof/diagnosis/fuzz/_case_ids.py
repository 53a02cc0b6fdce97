"""Names of cases: the same case has the same name, whoever made it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from navproof.core.plain import as_plain
from navproof.diagnosis.fuzz.types import Case
from navproof.tasks.kind import short_name

__all__ = ["named"]


def named(case: Case) -> Case:
    """The case with an id and a seed that follow from all that is played: "objectnav_home-val-3_"
    and twelve hex digits."""
    episode = replace(case.episode, episode_id="", seed=0)
    content = [as_plain(episode), case.condition, case.seed]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    scene = "".join(c if c.isalnum() or c in "-." else "-" for c in episode.scene)
    name = f"{short_name(episode.task)}_{scene}_{digest[:12]}"
    return replace(case, episode=replace(episode, episode_id=name, seed=int(digest[:7], 16)))

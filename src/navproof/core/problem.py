"""When two episodes of the same id are the same problem."""

from __future__ import annotations

import hashlib

from navproof.core.types import Episode

__all__ = ["PROBLEM_TAG", "problem_digest"]

PROBLEM_TAG = "problem"
"""The tag of an episode whose goals were cut to where its robot can stand: the digest of the
problem as it was made."""


def problem_digest(episode: Episode) -> str:
    """Tells whether two episodes of the same id are the same problem: scene, start and goals, as
    they were made."""
    made_as = episode.tags.get(PROBLEM_TAG)
    if isinstance(made_as, str):
        return made_as
    what = repr((episode.scene, episode.start, episode.goals))
    return hashlib.blake2b(what.encode(), digest_size=8).hexdigest()

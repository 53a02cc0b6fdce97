"""Asking a language model for every instruction of a run, before the run.

The answers are then on disk, so that workers never ask, each text has one answer whoever needs it,
and an endpoint that does not answer is one line and not an error in every episode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from navproof.core.seeding import rng
from navproof.corruptions.condition import parse_condition
from navproof.play.jobs import Job
from navproof.tasks import make_task

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["rewrite"]


def rewrite(rewriter: Rewriter, jobs: Sequence[Job], announce: Callable[[str], None]) -> None:
    """Have the rewriter restyle all that the jobs need; says how often it was refused."""
    from navproof.corruptions.rewriter import STYLES, restyle_with

    texts = dict.fromkeys(
        (part.corruption.name, words)
        for job in jobs
        for part in parse_condition(job.key.condition).parts
        if part.corruption.name in STYLES
        for words in _words(job)
    )
    if not texts:
        return
    count = f"{len(texts)} rewriting{'s' * (len(texts) > 1)}"
    announce(f"asking {rewriter.identity} for {count} (kept for the next run)")
    refused = 0
    for style, words in texts:
        everything = 1.0  # whatever intensity an episode has, it needs this answer or none
        rewritten = restyle_with(rewriter, words, style, everything, rng(0, "", "rewriter"))
        refused += rewritten.source == "built-in"
    if refused:
        announce(f"{refused} of them lost part of the route; the built-in style stands in")


def _words(job: Job) -> list[str]:
    """What the task says at first, and of each further goal."""
    episode = job.episode
    first = make_task(job.spec.task, job.spec).brief(episode, ()).instruction
    return [first, *(goal.text for goal in episode.goals[1:] if goal.text)]

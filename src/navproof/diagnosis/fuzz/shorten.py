"""Shorter and plainer words for a case, true ones: what a minimiser tries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from navproof.diagnosis.fuzz.types import Case
from navproof.tasks.retarget import Site, changes_of

__all__ = ["shorter"]


def shorter(case: Case, site: Site) -> Iterator[Case]:
    """Cases that say less, the shortest first: none where the case's task has no fewer words. The
    name stays, and with it all that is drawn."""
    shorten = changes_of(case.episode.task).shorter
    if shorten is not None:
        yield from (replace(case, episode=episode) for episode in shorten(site, case.episode))

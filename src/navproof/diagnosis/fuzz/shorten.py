"""Shorter and plainer words for a case, true ones: what a minimiser tries.

VLN loses one clause at a time, as long as what is left is still proved true of the route and
complete (``language.routes.check``). LangNav asks for the thing by its kind alone. ObjectNav has no
more words than that, and missions keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from navproof.core.seeding import rng
from navproof.core.types import Episode, Instruction, Scalar
from navproof.diagnosis.fuzz.types import Case
from navproof.language.routes.check import check_instruction
from navproof.language.routes.plan import Clause
from navproof.language.routes.realise import realise
from navproof.sim.protocol import Simulator
from navproof.tasks.retarget import Workshop, goal_object, retarget
from navproof.tasks.specs import spec_for

__all__ = ["shorter"]

_ESSENTIAL = ("stop", "orient")


def shorter(case: Case, shop: Workshop) -> Iterator[Case]:
    """Cases that say less, the shortest first. The name stays, and with it all that is drawn."""
    episode = case.episode
    if episode.task == "vln-v1" and episode.instruction is not None:
        found = list(_with_fewer_clauses(episode, episode.instruction, shop))
        found.sort(key=lambda e: len(e.instruction.text.split()) if e.instruction else 0)
        yield from (replace(case, episode=e) for e in found)
    elif episode.task == "langnav-v1":
        plain = _by_kind(episode, shop)
        if plain is not None:
            yield replace(case, episode=plain)


def _with_fewer_clauses(episode: Episode, told: Instruction, shop: Workshop) -> Iterator[Episode]:
    sim = shop.body(episode.task)
    words = len(told.text.split())
    for k, gone in enumerate(told.clauses):
        if gone["kind"] in _ESSENTIAL:
            continue
        left = [_clause(c) for c in told.clauses[:k] + told.clauses[k + 1 :]]
        draw = rng(episode.seed, episode.episode_id, "fuzz.shorten", len(left) * 100 + k)
        said = realise(left, shop.scene, draw)
        if said is not None and len(said.text.split()) < words and _is_true(sim, episode, said):
            yield replace(episode, instruction=said)


def _is_true(sim: Simulator, episode: Episode, said: Instruction) -> bool:
    camera = next(s.camera for s in spec_for(episode.task).sensors if s.camera is not None)
    path, start = episode.reference_path, episode.start
    return not check_instruction(sim, said, path, start, camera.height_m)


def _clause(stored: Mapping[str, Scalar]) -> Clause:
    """A clause as it was before it had words."""
    facts = {name: fact for name, fact in stored.items() if name not in ("kind", "at_m", "words")}
    return Clause(stored["kind"], float(str(stored["at_m"])), facts)  # type: ignore[arg-type]


def _by_kind(episode: Episode, shop: Workshop) -> Episode | None:
    """The goal asked for as "a mug" and no more; any instance counts then."""
    thing = goal_object(shop.scene, episode)
    if thing is None:
        return None
    draw = rng(episode.seed, episode.episode_id, "fuzz.shorten")
    made = retarget(shop, episode, thing.id, draw, plain=True)
    if made is None or len(made.goals[0].text.split()) >= len(episode.goals[0].text.split()):
        return None
    return replace(made, episode_id=episode.episode_id, seed=episode.seed, people=episode.people)

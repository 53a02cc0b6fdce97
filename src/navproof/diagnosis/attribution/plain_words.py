"""An episode with its goal said plainly: the thing, its colour and its room, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from navproof.core.types import Episode, Goal, SubTask
from navproof.language.lexicon.nouns import noun
from navproof.tasks.registry import TASKS
from navproof.world.scene import Scene

__all__ = ["said_plainly"]


def said_plainly(episode: Episode, scene: Scene) -> Episode | None:
    """The episode as somebody would say it who wants it to be found; None in tasks where words
    decide nothing (a point, a category), or where the goal has no name."""
    if TASKS.get(episode.task).words != "only":
        return None
    if all(goal.text for goal in episode.goals) and not episode.subtasks:
        plain = [(goal, _plainly(goal, scene)) for goal in episode.goals]
        if not all(words for _, words in plain):
            return None
        return replace(
            episode, goals=tuple(replace(g, text=f"Find the {words}.") for g, words in plain)
        )
    if episode.instruction is None:
        return None
    if episode.subtasks:
        sentence = ", then ".join(_part(subtask, scene) for subtask in episode.subtasks)
        sentence = f"{sentence[:1].upper()}{sentence[1:]}."
        sentence += "" if episode.question is None else f" {episode.question.text}"
    else:
        words = _plainly(episode.goals[-1], scene)
        if not words:
            return None
        sentence = f"Go to the {words} and stop there."
    instruction = replace(episode.instruction, text=sentence, clauses=())
    return replace(episode, instruction=instruction, wordings={})


def _part(subtask: SubTask, scene: Scene) -> str:
    """A sub-task's own words, unless they are about a thing."""
    words = _plainly(subtask.goal, scene) if subtask.goal.object_ids else ""
    return f"go to the {words}" if words else subtask.text.rstrip(".")


def _plainly(goal: Goal, scene: Scene) -> str:
    thing = next((thing for thing in scene.objects if thing.id in goal.object_ids), None)
    category = goal.category if thing is None else thing.category
    if not category:
        return ""
    colour = "" if thing is None else str(thing.attributes.get("colour") or "")
    phrase = f"{colour} {noun(category)}".strip()
    rooms = [room.name for room in scene.rooms if thing is not None and room.id == thing.room]
    return f"{phrase} in the {rooms[0]}" if rooms else phrase

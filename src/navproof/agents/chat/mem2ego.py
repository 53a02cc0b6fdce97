"""Mem2Ego (Zhang et al. 2025, "Mem2Ego: Empowering Vision-Language Models with Global-to-Ego Memory
for Long-Horizon Embodied Navigation", arXiv 2502.14254) as a program of the chat agent.

Three memories of the whole episode: a map of frontiers, landmarks with words and places, and where
the robot has been. At each stop the model recalls which landmarks tell where to look (the
retrieval); these, the frontiers and the visited places are brought into the views as marks where
they lie, and the model chooses a mark to go to, or points at the goal. What landmarks it sees goes
into memory.

Differences from the paper: landmarks are described in the same answer as the decision, not by a
question for each view; frontiers are those of navproof's map; which mark has which colour, how many
there are, and all words are ours; no model is fine-tuned. What the paper says of its prompts and
thresholds was not at hand beyond its summary, so these are ours as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from navproof.agents.chat.body import ChatBody
from navproof.agents.chat.directions import bearing_words
from navproof.agents.chat.drawing import Colour, draw_markers
from navproof.agents.chat.kit import Around, ChatKit, Choice
from navproof.agents.chat.memory import Thing, things_in_words
from navproof.agents.chat.options import ChatOptions
from navproof.agents.chat.replies import BadReplyError, point, schema_of, text
from navproof.agents.correction import Correction
from navproof.agents.mapping.navigate import XY
from navproof.agents.registry import register_agent
from navproof.core.errors import AgentError
from navproof.core.types import Decision, Observation, Pose, TaskBrief

__all__ = ["Mem2Ego", "Mem2EgoOptions"]

_BLUE: Colour = (30, 90, 230)
_GREEN: Colour = (20, 150, 60)
_GREY: Colour = (120, 120, 120)
_MOST_FRONTIERS, _MOST_LANDMARKS, _MOST_VISITED = 8, 5, 5
_APART_M, _TRIED_M = 1.0, 0.5
_WORDS: Mapping[str, Any] = {"type": "string"}
_PLACE = {name: {"type": "integer"} for name in ("view", "x", "y")}
_RECALL = schema_of({"why": _WORDS, "letters": {"type": "array", "items": _WORDS}})
_DECIDE = schema_of(
    {
        "seen": {
            "type": "array",
            "items": schema_of({"what": _WORDS, **_PLACE}),
            "maxItems": 12,
        },
        "room": _WORDS,
        "why": _WORDS,
        "mark": _WORDS,
        "point": {"anyOf": [schema_of(_PLACE), {"type": "null"}]},
    }
)


@dataclass(frozen=True)
class Mem2EgoOptions(ChatOptions):
    """Those of ``chat``; it needs pictures of all around."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.images or self.look != "around":
            raise AgentError("mem2ego needs pictures of all around: images=yes, look=around")


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of one of the memories, as it is drawn and told."""

    name: str
    at: XY
    colour: Colour
    about: str
    thing: Thing | None = None

    def words(self, pose: Pose) -> str:
        away = math.dist((pose.x, pose.y), self.at)
        bearing = math.atan2(self.at[1] - pose.y, self.at[0] - pose.x) - pose.yaw
        return f"{self.name}: {self.about}, {away:.1f} m away, {bearing_words(bearing)}"


@final
class BringBack:
    """The program: recall, mark, decide."""

    def begin(self, kit: ChatKit) -> None:
        self._kit = kit
        self.hear(kit.goal)

    def hear(self, words: str) -> None:
        self._tried: list[XY] = []  # frontiers that were gone to

    def choose(self, around: Around) -> Choice | None:
        kit = self._kit
        marks = self._marks(around)
        if not marks:
            return None
        drawn = []
        for view in around.views:
            picture = view.picture(kit.options.image_px)
            placed = [(*mark.at, mark.name, mark.colour) for mark in marks]
            draw_markers(picture, view, around.pose, placed)
            drawn.append(picture)
        values = kit.values(around)
        values["marks"] = "\n".join(mark.words(around.pose) for mark in marks)
        return kit.asker.ask(
            "decide",
            kit.prompts.filled("mem2ego-decide", values),
            kit.packed(drawn),
            _DECIDE,
            lambda reply: self._read(reply, around, marks),
        )

    def _marks(self, around: Around) -> list[Mark]:
        """Frontiers, recalled landmarks and visited places."""
        kit, pose = self._kit, around.pose
        marks: list[Mark] = []
        gone = [*self._tried, *kit.blocked]
        for place, _, way_m in kit.survey.nav.frontiers(pose, gone, _TRIED_M):
            if len(marks) == _MOST_FRONTIERS:
                break
            if way_m >= _TRIED_M and all(math.dist(place, mark.at) >= _APART_M for mark in marks):
                marks.append(Mark(f"F{len(marks) + 1}", place, _BLUE, "not explored yet"))
        for n, thing in enumerate(self._recalled(around), start=1):
            x, y, _ = thing.sighting.position
            marks.append(Mark(f"L{n}", (x, y), _GREEN, thing.label, thing))
        visited: list[XY] = []
        for spot in reversed(kit.diary.trail):
            is_here = math.dist(spot, (pose.x, pose.y)) < _APART_M
            if not is_here and all(math.dist(spot, one) >= _APART_M for one in visited):
                visited.append(spot)
        marks += [
            Mark(f"V{n}", spot, _GREY, "you have been there")
            for n, spot in enumerate(visited[:_MOST_VISITED], start=1)
        ]
        return marks

    def _recalled(self, around: Around) -> list[Thing]:
        """The landmarks that the model takes for telling."""
        kit = self._kit
        things = [thing for thing in around.things if thing.label != kit.goal_label]
        if not things:
            return []
        told = {
            "task": kit.task_words(),
            "things": things_in_words(things, around.pose),
            "most": str(_MOST_LANDMARKS),
        }
        letters = kit.asker.ask(
            "recall", kit.prompts.filled("mem2ego-recall", told), (), _RECALL, _letters
        )
        by_letter = {thing.letter: thing for thing in things}
        return [by_letter[one] for one in letters or () if one in by_letter][:_MOST_LANDMARKS]

    def _read(self, reply: Mapping[str, Any], around: Around, marks: list[Mark]) -> Choice:
        kit = self._kit
        choice: Choice | None = None
        if point(reply.get("point"), len(around.views)) is not None:
            spot = kit.pointed_at(reply, "point", around)
            if spot is not None:
                kit.remember(kit.goal_label, spot, around.pose, around.step)
                choice = Choice.walking_up(kit.goal_label, *spot.position[:2], spot.outline)
        if choice is None:
            name = text(reply, "mark").upper().split(":")[0].strip()
            mark = next((one for one in marks if one.name == name), None)
            if mark is None:
                known = ", ".join(one.name for one in marks)
                raise BadReplyError(f"there is no mark {name or '(none)'}; there are {known}")
            choice = Choice("go", f"went to {mark.name} ({mark.about})", *mark.at)
            self._tried.append(mark.at)
            if mark.thing is not None:  # up to it: one cannot stand where it is
                outline = np.asarray(mark.thing.sighting.spots)
                choice = replace(choice, kind="up", outline=outline, is_goal=False)
        labels = kit.take_in(reply, around)
        kit.diary.add(around.step, around.pose, text(reply, "room")[:60], labels, choice.said)
        return choice


def _letters(reply: Mapping[str, Any]) -> list[str]:
    given = reply.get("letters")
    if not isinstance(given, list):
        raise BadReplyError("'letters' must be a list")
    return [str(one).strip().upper()[:1] for one in given]


@register_agent("mem2ego")
@final
class Mem2Ego:
    """Brings frontiers, landmarks and visited places of its memory into the views that a language
    model chooses in (Zhang et al. 2025). It needs an endpoint."""

    Options = Mem2EgoOptions
    sensors = ("rgb", "depth", "pose", "pointgoal")
    tasks = ("objectnav-v1", "langnav-v1")
    feels = frozenset({"rgb", "depth", "words", "prompt"})

    def __init__(self, options: Mem2EgoOptions | None = None) -> None:
        self._body = ChatBody("mem2ego", options or Mem2EgoOptions(), BringBack())

    def reset(self, brief: TaskBrief) -> None:
        self._body.reset(brief)

    def act(self, obs: Observation) -> Decision:
        return self._body.act(obs)

    def correct(self, correction: Correction) -> None:
        self._body.correct(correction)

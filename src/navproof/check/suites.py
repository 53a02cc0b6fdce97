"""The conformance checks of suites: names that lead somewhere, episodes that are sound and the same
again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from navproof.check.result import Check, NotChecked, Wrong, checked, other_global_seed
from navproof.core.errors import NavproofError
from navproof.core.types import Episode
from navproof.corruptions.condition import parse_condition
from navproof.runner.conditions import GROUPS
from navproof.tasks import TASKS
from navproof.tasks.episodes import episode_from_json, episode_to_json
from navproof.tasks.suites import SUITES, Suite, episodes_in, load_suite
from navproof.tasks.validate import validate_episodes
from navproof.world.library import load_scene

__all__ = ["check_suite"]

_MOST = 24
"""Episodes that are checked in their scenes, where a function returns more."""


def check_suite(name: str, *, make: bool = True) -> tuple[Check, ...]:
    """All checks of a suite by its name or reference; those of its episodes where these are to be
    made. Of a suite with parts one episode of each task in its first scene is made; of one with a
    function all are, and some are checked."""
    try:
        suite = SUITES.get(name)
    except NavproofError as error:
        mend = "a suite is a Suite, or a function without arguments that returns episodes"
        return (Check("loads", False, str(error), mend),)
    size = "" if suite.size is None else f"{suite.size} episodes: "
    checks = [
        Check("loads", True, f"{size}{suite.description or suite.name}"),
        checked("tasks", "name tasks by id: pointnav-v1", lambda: _tasks(suite)),
        checked(
            "conditions", "write conditions as for run --condition", lambda: _conditions(suite)
        ),
    ]
    if not make:
        return tuple(checks)
    made: list[Episode] = []

    def makes() -> str:
        made.extend(_episodes(suite, name))
        scenes = dict.fromkeys(episode.scene for episode in made)
        return f"{len(made)} made, in {', '.join(list(scenes)[:3])}"

    def repeats() -> str:
        with other_global_seed():
            again = _episodes(suite, name)
        if list(again) != made:
            raise Wrong("made a second time, they are others")
        return "made a second time, they are the same"

    mend = "give each part tasks that make episodes, and scenes that there are (navproof scene)"
    checks.append(checked("episodes", mend, makes))
    if checks[-1].ok:
        checks += [
            checked(
                "same episodes again",
                "draw random numbers from seeds of its own alone",
                repeats,
            ),
            checked("ids are unique", "give every episode its own episode_id", lambda: _ids(made)),
            checked(
                "episodes are sound",
                "see navproof episodes validate",
                lambda: _sound(made),
            ),
        ]
    return tuple(checks)


def _tasks(suite: Suite) -> str:
    if suite.episodes is not None:
        raise NotChecked("its function says which")
    for task in suite.tasks:
        if TASKS.get(task).make is None:
            raise Wrong(f"{task} makes no episodes")
    return ", ".join(suite.tasks)


def _conditions(suite: Suite) -> str:
    for text in suite.conditions:
        if text not in GROUPS:
            parse_condition(text)
    return ", ".join(suite.conditions) or "none of its own"


def _episodes(suite: Suite, name: str) -> Sequence[Episode]:
    """All episodes of a function; of parts one of each task in the first scene."""
    if suite.episodes is not None:
        return load_suite(name)
    found: list[Episode] = []
    for part in suite.parts:
        first = replace(part, scenes=part.scenes[:1], per_scene=1)
        few = replace(suite, parts=(first,))
        found += episodes_in(few, first.scenes[0])
    unique = {episode.episode_id: episode for episode in found}
    return tuple(unique.values())


def _ids(made: Sequence[Episode]) -> str:
    seen: set[str] = set()
    for episode in made:
        if episode.episode_id in seen:
            raise Wrong(f"'{episode.episode_id}' occurs twice")
        seen.add(episode.episode_id)
    return f"{len(made)} different ones"


def _sound(made: Sequence[Episode]) -> str:
    stride = max(1, len(made) // _MOST)
    some = made[::stride][:_MOST]
    for episode in some:
        if episode_from_json(episode_to_json(episode), episode.episode_id) != episode:
            raise Wrong(f"{episode.episode_id} is another one when it is read back from a file")
    faults = validate_episodes(some, load_scene)
    if faults:
        raise Wrong(f"{faults[0].episode_id}: field '{faults[0].field}': {faults[0].what}")
    return f"{len(some)} checked in their scenes"

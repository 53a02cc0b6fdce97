"""Which episode of a run is meant: by its id or the beginning of one, agent and condition."""

from __future__ import annotations

from navproof.core.errors import RunError
from navproof.core.registry import suggest
from navproof.log import RunFolder, TraceKey
from navproof.runner.conditions import condition_name

__all__ = ["find_key", "find_keys"]


def find_keys(
    run: RunFolder,
    agent: str | None = None,
    condition: str | None = None,
    seed: int | None = None,
) -> list[TraceKey]:
    """The keys of a run's finished episodes: of one agent, under one condition, of one seed, where
    they are named. Raises ``RunError`` with a suggestion where there is no such one."""
    run.info  # noqa: B018 - raises the one-line error where this is not a run folder
    keys = run.keys()
    agents = sorted({k.agent for k in keys})
    if agent is not None:
        meant = run.agent_named(agent, agents)
        keys = [k for k in keys if k.agent == meant]
    if condition is not None:
        name = condition_name(condition)
        there = list(dict.fromkeys(k.condition for k in keys))
        if name not in there:
            raise RunError(f"{run.path} has no condition '{name}'{suggest(name, there)}")
        keys = [k for k in keys if k.condition == name]
    if seed is not None:
        seeds = sorted({k.seed for k in keys})
        if seed not in seeds:
            known = ", ".join(map(str, seeds)) or "none"
            raise RunError(f"{run.path} has no episodes of seed {seed}; it has {known}")
        keys = [k for k in keys if k.seed == seed]
    return keys


def find_key(
    run: RunFolder,
    episode: str,
    agent: str | None = None,
    condition: str | None = None,
    seed: int | None = None,
) -> TraceKey:
    """The key of an episode by its id or a unique prefix (its first condition and its first
    seed, unless they are given).

    Raises ``RunError`` with a suggestion where nothing or too much fits. ``agent`` may be left
    out: the first agent of the run that has the episode is taken.
    """
    keys = find_keys(run, agent, condition, seed)
    exact = [k for k in keys if k.episode_id == episode]
    if exact:
        return exact[0]
    ids = sorted({k.episode_id for k in keys})
    fitting = [i for i in ids if i.startswith(episode)]
    if len(fitting) > 1:
        shown = ", ".join(fitting[:4]) + (", …" if len(fitting) > 4 else "")
        raise RunError(
            f"'{episode}' fits {len(fitting)} episodes of {run.path} ({shown}); say more"
        )
    if not fitting:
        hint = suggest(episode, ids) if len(ids) <= 8 else _near(episode, ids)
        raise RunError(f"{run.path} has no episode '{episode}'{hint}")
    return next(k for k in keys if k.episode_id == fitting[0])


def _near(episode: str, ids: list[str]) -> str:
    hint = suggest(episode, ids)
    return hint if hint.startswith("; did") else f"; it has {len(ids)}, such as '{ids[0]}'"

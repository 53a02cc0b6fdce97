"""Damaged episodes: where two ways part, what is shown of them, and pictures that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from trust_samples import spoiled_trace, trust_run

from navproof.core.errors import RunError
from navproof.core.types import Observation
from navproof.log import RunFolder, Trace
from navproof.reports.gather import Gathered, gather
from navproof.reports.sections.trust.choose import choose_pairs, pairs_of
from navproof.reports.sections.trust.pictures import kinds_shown, views
from navproof.reports.sections.trust.stories import (
    DamageStory,
    matching_steps,
    parting,
    tell_damage,
)
from navproof.reports.sections.trust.wordings import told
from navproof.testing import tiny_scene
from navproof.world.scene import Scene

CONDITIONS = ("spatter", "depth_missing", "mask_100", "white_box", "motion_blur+depth_missing")


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Gathered:
    losses = {"a": {"clean": 0, **dict.fromkeys(CONDITIONS, 2)}}
    path = trust_run(tmp_path_factory.mktemp("stories") / "run", losses, count=3)
    return gather([RunFolder(path)])


def grey(trace: Trace, steps: Sequence[int], scene: Scene) -> list[Observation]:
    """Readings whose pictures say step and condition."""
    level = 200 if trace.key.condition == "clean" else 40
    depth = np.full((24, 24), 2.0, np.float32)
    depth[:4] = 0.0
    return [
        Observation(
            step, {"rgb": np.full((24, 24, 3), level + step % 50, np.uint8), "depth": depth}
        )
        for step in steps
    ]


def stories(g: Gathered, room: int = 10**6) -> dict[str, DamageStory]:
    chosen = choose_pairs(pairs_of(g), 5)
    told_of = tell_damage(g, chosen, lambda _: tiny_scene(), grey, room)
    return {s.condition: s for s in told_of}


def test_ways_part_where_actions_differ() -> None:
    clean = spoiled_trace("a", "vln-v1", 0, "clean")
    failed = spoiled_trace("a", "vln-v1", 0, "spatter", fails=True)
    half = failed.actions.index("left")
    assert parting(clean, failed) == half
    assert parting(clean, clean) is None
    steps = matching_steps(clean, failed)
    assert steps[0] == 0
    assert half in steps
    assert steps[-1] == min(len(clean.poses), len(failed.poses)) - 1
    assert len(steps) <= 4


def test_stories_show_both_sides_at_the_same_steps(gathered: Gathered) -> None:
    found = stories(gathered)
    assert set(found) == {
        *("spatter", "depth missing", "mask 100", "motion blur + depth missing"),
        *({*found} & {"white box"}),
    }
    story = found["spatter"]
    clean, spoiled = story.sides
    assert (clean.success, spoiled.success) == (True, False)
    assert clean.label == "clean"
    assert spoiled.bumps > clean.bumps
    assert story.happened.startswith("Clean: success (")
    assert "actions are the same; then it chose “left” instead of “forward”" in story.happened
    assert len(story.steps) == 4
    for step in story.steps:
        (before,), (after,) = step.clean, step.spoiled
        assert before.alt == f"colour picture given at step {step.step}, clean"
        assert after.alt == f"colour picture given at step {step.step}, spatter"
        assert before.uri != after.uri
    assert 'class="plan"' in story.plan
    assert story.plan.count('class="path"') == 2


def test_depth_and_mixed_conditions_show_what_they_spoil(gathered: Gathered) -> None:
    found = stories(gathered)
    depth, mixed = found["depth missing"], found["motion blur + depth missing"]
    assert depth.depth
    assert "depth picture" in depth.steps[0].clean[0].alt
    assert [len(s.spoiled) for s in mixed.steps] == [2, 2, 2, 2]
    assert not found["spatter"].depth


def test_words_are_compared(gathered: Gathered) -> None:
    story = stories(gathered)["mask 100"]
    assert any(c.kind == "new" and "[MASK]" in c.words for c in story.changes)
    trace = spoiled_trace("a", "vln-v1", 0, "white_box")
    assert told(trace)[2] == "Keep close to the walls."
    assert told(trace)[0] == told(trace)[1]


def test_words_of_a_task_that_no_episode_carries_are_known() -> None:
    trace = spoiled_trace("a", "pointnav-v1", 0, "mask_100")
    silent = tuple(replace(goal, text="") for goal in trace.episode.goals)
    said, heard, _ = told(
        replace(trace, episode=replace(trace.episode, goals=silent, instruction=None))
    )
    assert said == "Go to the goal point."
    assert heard != said


def test_pictures_give_way_and_then_go(gathered: Gathered) -> None:
    assert all(s.steps == () for s in stories(gathered, room=10).values())


def test_what_cannot_be_seen_again_costs_its_pictures(gathered: Gathered) -> None:
    def unseen(trace: Trace, steps: Sequence[int], scene: Scene) -> list[Observation]:
        raise RunError("the simulator is gone")

    chosen = choose_pairs(pairs_of(gathered), 1)
    (story,) = tell_damage(gathered, chosen, lambda _: tiny_scene(), unseen)
    assert story.steps == ()
    assert story.note == "No frames: the simulator is gone"
    assert "class=" in story.plan


def test_holes_in_depth_are_white() -> None:
    trace = spoiled_trace("a", "vln-v1", 0, "depth_missing")
    (given,) = grey(trace, [0], tiny_scene())
    ((kind, picture),) = views(given, trace, kinds_shown("depth_missing", trace))
    assert kind == "depth"
    assert (picture[:4] == 255).all()
    assert not (picture[4:] == 255).all(axis=-1).any()
    blind = Observation(0, {"depth": given.readings["depth"]})
    assert [kind for kind, _ in views(blind, trace, ("rgb",))] == ["depth"]
    assert kinds_shown("wheel_slip", trace) == ("rgb",)
    assert kinds_shown("nobody knows", trace) == ("rgb",)


def test_what_was_given_is_seen_again(tmp_path: Path, tiny_library: Scene) -> None:
    """With the real sensors: the clean frames differ from the corrupted ones."""
    from navproof.play.seen import seen

    pair = [spoiled_trace("a", "vln-v1", 0, name) for name in ("clean", "low_light")]
    frames = [seen(trace, [0, 3], tiny_library)[1].rgb for trace in pair]
    assert frames[0] is not None
    assert frames[1] is not None
    assert frames[1].mean() < frames[0].mean()

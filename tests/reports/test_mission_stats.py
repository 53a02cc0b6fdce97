"""What a set of missions holds, counted by hand."""

from __future__ import annotations

from pathlib import Path

from navproof.core.types import (
    Episode,
    Goal,
    Instruction,
    Pose,
    Question,
    SubTask,
    SubTaskKind,
    Walk,
)
from navproof.reports.dataset.mission_stats import are_missions, measure_missions
from navproof.reports.dataset.page import write_stats


def mission(
    name: str, kinds: list[SubTaskKind], *, social: bool = False, ask: bool = False
) -> Episode:
    goal = Goal("point", ((0.0, 0.0, 0.0),))
    return Episode(
        name,
        "mission-v1",
        "home/train/1" if name < "m2" else "office/train/2",
        Pose(0.0, 0.0),
        (goal,),
        5.0,
        (),
        10,
        0,
        Instruction("go there and then go somewhere else please now"),
        {"social": social, "expert_s": 20.0, "expert_m": 8.0},
        people=(Walk("p1", "a", ((0.0, 0.0, 0.0),)),) if social else (),
        subtasks=tuple(SubTask(kind, "", goal, 1.0) for kind in kinds),
        question=Question("how many?", "count", "2") if ask else None,
        wordings={"concise": "go go"},
        robot="carter",
    )


EPISODES = [
    mission("m1", ["goto_room", "goto_object"]),
    mission("m2", ["goto_object", "goto_landmark", "return_to"], social=True),
    mission("m3", ["follow_human", "goto_point"], ask=True),
]


def test_counts_by_hand() -> None:
    stats = measure_missions("three", EPISODES)
    assert stats.by_skill == {
        "VLN": 3,
        "ObjectNav": 2,
        "PointNav": 1,
        "follow": 1,
        "SocialNav": 1,
        "EQA": 1,
    }
    assert stats.by_length == {2: 1, 3: 1, 4: 1}
    assert stats.by_step == {
        "ObjectNav → VLN": 1,
        "VLN → ObjectNav": 1,
        "VLN → VLN": 1,
        "follow → PointNav": 1,
    }
    assert stats.returns == 1 / 3
    assert stats.by_place == {"office": 2, "home": 1}
    assert stats.by_people == {0: 2, 1: 1}
    assert stats.words_by_style == {"original": 9.0, "concise": 2.0}
    assert stats.table()["% with 4 or more"] == 33.3
    assert stats.table()["instructions"] == 6


def test_the_page_has_every_figure(tmp_path: Path) -> None:
    written = write_stats([measure_missions("three", EPISODES)], tmp_path)
    names = {path.name for path in written}
    assert {"index.html", "stats.json", "three-skills.svg", "three-steps.svg"} <= names
    page = (tmp_path / "index.html").read_text()
    assert "Which skill follows which" in page
    assert "VLN → ObjectNav: 1" in page


def test_other_episodes_are_no_missions() -> None:
    assert are_missions(EPISODES)
    assert not are_missions([])
    assert not are_missions([*EPISODES, mission("m4", [])])

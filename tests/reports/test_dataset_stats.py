"""Statistics of a hand-made set of episodes, counted by hand; and the page about them."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from navproof.core.errors import EpisodeError
from navproof.core.types import Episode, Goal, Instruction, Pose
from navproof.language.goals import tags
from navproof.metrics.goals.failures import VIEWPOINT_M
from navproof.metrics.goals.table import NO_TAG, TAGS
from navproof.reports.dataset.page import bars, figures, write_stats
from navproof.reports.dataset.stats import EXTENDED, FEATURES, measure
from navproof.reports.sections.langnav.section import _TAG_HELP
from navproof.tasks.langnav import rules as langnav


def goal(category, ids, text, **tags) -> Goal:
    many = sum(len(str(v).split(", ")) for v in tags.values())
    return Goal("object", ((0, 0, 0),), category, ids, text, {}, {**tags, "attributes": many})


def episode(name, scene, goals, first_m, **legs) -> Episode:
    return Episode(name, "langnav-v1", scene, Pose(0, 0), goals, first_m, (), 1500, 1, tags=legs)


def made() -> list[Episode]:
    mug = goal("mug", (3,), "Find the red mug.", colour="red")
    chair = goal("chair", (4, 5), "Go to a chair.")
    lamp = goal("lamp", (6,), "Find the lamp on the desk.", support="desk", modifier="tall")
    other = goal("mug", (3,), "Find the mug between the red box and the blue box.",
                 anchor="between", colour="blue, red")  # fmt: skip
    return [
        episode("a", "home/val/0", (mug, chair, lamp), 3.0, leg_1_m=2.0, leg_2_m=0),
        episode("b", "home/val/1", (chair, mug, other), 5.0, leg_1_m=7.0, leg_2_m=1.0),
    ]


def test_counts_by_hand():
    stats = measure("mine", made())
    assert stats.table() == {
        "scenes": 2,
        "episodes": 2,
        "distinct object categories": 3,
        "distinct object instances": 4 + 3,  # a: 3, 4, 5, 6; b: 3, 4, 5
        "goal descriptions": 6,
        "descriptions with attributes/relationships": 4,
        "total linguistic features": 1 + 2 + 1 + 3,
        "unique linguistic feature values": 5,  # red, desk, tall, between, blue
        "different texts": 4,
        "descriptions that one object fits": 4,
        "words per description": pytest.approx((4 + 4 + 6 + 4 + 4 + 11) / 6),
        "metres from start to first goal": 4.0,
        "metres from goal to next goal": 2.5,
    }
    assert list(stats.goals_by_category.items()) == [("mug", 3), ("chair", 2), ("lamp", 1)]
    assert stats.by_feature["colour"] == 3
    assert (stats.by_feature["support"], stats.by_feature["texture"]) == (1, 0)
    assert stats.by_feature["anchor"] == 1
    assert "coreference" not in stats.by_feature
    assert stats.by_feature_count == {0: 2, 1: 2, 2: 1, 3: 1}
    assert stats.by_instances == {1: 4, 2: 2}


def test_other_tasks_have_no_features_but_words_and_lengths():
    vln = Episode("v", "vln-v1", "home/val/0", Pose(0, 0), (Goal("point", ((1, 0, 0),)),), 4.0, (),
                  500, 1, Instruction("Walk on and stop."))  # fmt: skip
    stats = measure("vln", [vln])
    assert (stats.descriptions, stats.features, stats.words) == (1, 0, (4,))
    assert set(figures(stats)) == {"first-legs", "words"}


def test_a_bar_is_as_long_as_its_number():
    drawing = bars({"one": 1.0, "four": 4.0, "none": 0.0}, "things")
    widths = [float(w) for w in re.findall(r'<rect[^>]* width="([\d.]+)"', drawing)]
    assert widths[1] == pytest.approx(4 * widths[0], abs=0.1)
    assert widths[2] <= 0.5
    assert "things. one: 1; four: 4; none: 0" in drawing


def test_shares_are_of_all_descriptions():
    drawn = figures(measure("mine", made()))
    heading, features = drawn["features"]
    assert "linguistic feature" in heading
    assert "no feature: 33.3" in features
    assert "colour: 50;" in features
    assert "1 object: 66.7; 2 objects: 33.3" in drawn["instances"][1]
    assert "2.5–5 m: 1; 5–7.5 m: 1" in drawn["first-legs"][1]


def test_the_page_and_its_figures(tmp_path):
    sets = [measure("val <1>", made()), measure("test", made()[:1])]
    written = write_stats(sets, tmp_path / "new" / "folder")
    assert [p.name for p in written][:2] == ["index.html", "stats.json"]
    page = written[0].read_text()
    assert "val &lt;1&gt;" in page
    assert "<script" not in page
    assert "http" not in re.sub(r"http://www.w3.org\S*", "", page)
    assert json.loads(written[1].read_text())[0]["table"]["goal descriptions"] == 6
    pictures = [p for p in written if p.suffix == ".svg"]
    assert len({p.name for p in pictures}) == len(pictures) == 14
    for path in pictures:
        root = ElementTree.parse(path).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}style") is not None
    again = write_stats(sets, tmp_path / "again")
    assert [p.read_bytes() for p in again] == [p.read_bytes() for p in written]


def test_a_folder_that_cannot_be_is_said_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EpisodeError, match="cannot be written"):
        write_stats([measure("mine", made())], tmp_path / "file")


def test_language_scores_and_statistics_speak_of_the_same_things():
    """They are written down apart, since scores and reports must not need the world."""
    assert (*FEATURES, *EXTENDED) == tags.FEATURES
    assert set(TAGS) == {*tags.FEATURES, NO_TAG} == set(_TAG_HELP)
    assert VIEWPOINT_M == langnav.VIEWPOINT_M

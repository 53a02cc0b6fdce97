"""Goals in words: the section's numbers, its ablations and examples, and stories of three goals."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from test_report import Page

from langnav_samples import GOALS, Leg, langnav_run, langnav_trace
from navproof.log import RunFolder
from navproof.reports import render_replay, write_report
from navproof.reports.gather import Gathered, gather
from navproof.reports.sections.langnav.examples import examples
from navproof.reports.sections.langnav.section import goal_sections, percent
from navproof.reports.sections.langnav.variants import (
    AS_IT_IS,
    Ablation,
    ablations,
    options_of,
    without_variants,
)
from navproof.reports.sections.stories import pick, tell
from navproof.world.scene import Scene

AGENTS = {
    "mlfm": ["www", "wdt", "wmw", "ddw", "wwe", "nww"],
    "mlfm@layers=1": ["wdd", "wdt", "wmw", "tdw", "dwe", "nwd"],
    "mlfm@layers=10": ["wdd", "wdd", "ddw", "tdw", "dwe", "nwd"],
    "onemap": ["ddd", "ttt", "wmm", "eee", "nnn", "dmt"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    broken = langnav_trace(
        "onemap",
        [Leg((-2.0, 2.5), won=True), Leg((1.0, 1.0))],
        "langnav-006",
        reason="step 12: ValueError: no such layer",
    )
    return langnav_run(tmp_path_factory.mktemp("langnav") / "run", AGENTS, [broken])


@pytest.fixture(scope="module")
def gathered(folder: Path) -> Gathered:
    return gather([RunFolder(folder)])


@pytest.fixture
def page(folder: Path, tiny_library: Scene, tmp_path: Path) -> tuple[str, Page]:
    out = write_report([folder], tmp_path / "report.html", episodes=3)
    source = out.read_text(encoding="utf-8")
    return source, Page(source)


def won(agent: str, place: int) -> int:
    return sum(word[place] == "w" for word in AGENTS[agent])


def test_entrants_are_ordered_by_goals_found(gathered: Gathered) -> None:
    assert [e.agent for e in gathered.entrants] == [
        *("mlfm", "mlfm@layers=1", "mlfm@layers=10", "onemap")
    ]


def test_the_table_has_the_papers_columns_and_counts_by_hand(gathered: Gathered) -> None:
    """The first goal says colour and material, the second nothing, the third size and support."""
    (section,) = goal_sections(gathered)
    names = [c.name for c in section.columns]
    assert names == [
        *("SR", "SPL", "no", "colour", "size", "texture", "number", "material", "state"),
        *("modifier", "support", "SR′", "SPL′"),
    ]
    (line,) = [x for x in section.lines if x.entrant.agent == "mlfm"]
    cells = dict(zip(names, line.cells, strict=True))
    total = sum(word.count("w") for word in AGENTS["mlfm"])
    assert (line.goals, line.episodes, line.failed) == (18, 6, 18 - total)
    assert cells["SR"].mean == percent(total / 18)
    assert cells["colour"].mean == cells["material"].mean == percent(won("mlfm", 0) / 6)
    assert cells["no"].mean == percent(won("mlfm", 1) / 6)
    assert cells["support"].mean == cells["size"].mean == percent(won("mlfm", 2) / 6)
    assert cells["texture"].mean is None
    assert cells["colour"].best
    low, high = map(float, cells["SR"].interval.split("–"))
    assert low < 100 * total / 18 < high


def test_failure_shares_are_of_the_lost_goals(gathered: Gathered) -> None:
    (section,) = goal_sections(gathered)
    names = [name for _, name, _ in section.classes]
    (line,) = [x for x in section.lines if x.entrant.agent == "onemap"]
    shares = dict(zip(names, line.failures, strict=True))
    letters = "".join(AGENTS["onemap"])
    lost = 19  # 17 of the 18 above, two of the broken episode
    assert line.failed == lost
    for name, letter in (
        ("wrong detection", "d"),
        ("wrong goal on map", "m"),
        ("out of time", "t"),
        ("all explored", "e"),
        ("found but not reached", "n"),
    ):
        assert shares[name] == percent(letters.count(letter) / lost)
    assert shares["agent failure"] == percent(2 / lost)


def test_variants_stand_in_a_table_of_their_own(gathered: Gathered) -> None:
    (section,) = goal_sections(gathered)
    assert [x.entrant.agent for x in section.lines] == ["mlfm", "onemap"]
    (table,) = section.ablations
    assert (table.agent, table.options) == ("mlfm", ("layers",))
    assert [values for values, _ in table.lines] == [("1",), ("10",), (AS_IT_IS,)]
    best = [line.cells[0].best for _, line in table.lines]
    assert best == [False, False, True]


def test_variants_compare_on_the_episodes_that_all_ran(tmp_path: Path) -> None:
    """The agent as it is ran four episodes, its variant the last two of them."""
    main = langnav_run(tmp_path / "main", {"m": ["ddd", "ddd", "www", "wdd"]})
    legs = [Leg((-2.0, 2.5), won=True), Leg((2.0, 2.6)), Leg((2.6, 0.6))]
    variants = [langnav_trace("m@a=1", legs, f"langnav-00{i}") for i in (2, 3)]
    other = langnav_run(tmp_path / "other", {}, variants)
    (section,) = goal_sections(gather([RunFolder(main), RunFolder(other)]))
    (table,) = section.ablations
    assert table.episodes == 2
    shown = {values[0]: (line.goals, line.cells[0].mean) for values, line in table.lines}
    assert shown == {"1": (6, percent(2 / 6)), AS_IT_IS: (6, percent(4 / 6))}
    (line,) = section.lines
    assert (line.goals, line.cells[0].mean) == (12, percent(4 / 12))


def grouped(*names: str) -> list[Ablation]:
    from navproof.reports.gather import Entrant

    return ablations([Entrant(n, i, n, "clean", 0, "") for i, n in enumerate(names)])


def test_options_are_read_from_names() -> None:
    assert options_of("mlfm@layers=1@kernel=on") == ("mlfm", {"layers": "1", "kernel": "on"})
    assert options_of("mlfm@layers=") == ("mlfm@layers=", {})
    assert options_of("my_agent.py:MyAgent") == ("my_agent.py:MyAgent", {})


def test_which_agents_make_an_ablation() -> None:
    assert grouped("mlfm", "onemap", "onemap-v2") == []
    assert grouped("mlfm@layers=1", "onemap") == []
    by_layers, by_cell = grouped("m", "m@layers=2", "m@cell=0.1", "m@layers=1", "x")
    assert [v for v, _ in by_layers.rows] == [("1",), ("2",), (AS_IT_IS,)]
    assert [v for v, _ in by_cell.rows] == [("0.1",), (AS_IT_IS,)]
    (same,) = grouped("m@encoder=truth", "m@encoder=truth@layers=1")
    assert (same.agent, same.options) == ("m@encoder=truth", ("layers",))
    (both,) = grouped("m@a=1@b=x", "m@b=y@a=1", "m@a=2@b=x")
    assert both.options == ("a", "b")
    assert [v for v, _ in both.rows] == [("1", "x"), ("1", "y"), ("2", "x")]


def test_a_table_by_two_options_shows_the_agent_with_one_of_them() -> None:
    names = ("m", "m@sources=map", "m@sources=detector", "m@layers=1@sources=map")
    by_sources, by_both = grouped(*names)
    assert [v for v, _ in by_sources.rows] == [("detector",), ("map",), (AS_IT_IS,)]
    assert by_both.options == ("layers", "sources")
    assert [v for v, _ in by_both.rows] == [("1", "map"), (AS_IT_IS, "map"), (AS_IT_IS, AS_IT_IS)]


def test_nothing_but_variants_is_shown_in_full() -> None:
    from navproof.reports.gather import Entrant

    entrants = [Entrant(n, i, n, "clean", 0, "") for i, n in enumerate(("m@a=1", "m@a=2"))]
    assert without_variants(entrants, ablations(entrants)) == entrants


def test_the_page_says_it_all(page: tuple[str, Page]) -> None:
    source, parsed = page
    words = " ".join(" ".join(parsed.words).split())
    assert not parsed.open
    assert parsed.unnamed == []
    assert len(parsed.ids) == len(set(parsed.ids))
    assert set(parsed.targets) <= set(parsed.ids)
    total = sum(word.count("w") for word in AGENTS["mlfm"])
    assert f"mlfm found {total} of 18 goals" in words
    assert "LangNav v1: success by linguistic feature" in words
    assert "mlfm by layers" in words
    assert "A goal found by mlfm" in words
    assert "A goal lost by mlfm" in words
    assert "Look for the small box on the floor." in words
    assert "wrong goal on map" in words
    used = set(re.findall(r'"part f-([\w-]+)"', source))
    styles = set(re.findall(r"--f-([\w-]+):", source))
    assert used <= styles
    assert "navproof run --agent mlfm,mlfm@layers=1" in words


def test_reports_of_other_tasks_have_no_such_section(
    run_path: Path, tiny_library: Scene, tmp_path: Path
) -> None:
    source = write_report([run_path], tmp_path / "r.html", episodes=0).read_text(encoding="utf-8")
    assert 'id="goals"' not in source
    assert "goal SR" not in source  # a column without any value is not shown


def test_mixed_runs_show_both(
    folder: Path, run_path: Path, tiny_library: Scene, tmp_path: Path
) -> None:
    source = write_report([folder, run_path], tmp_path / "r.html", episodes=4).read_text("utf-8")
    words = " ".join(" ".join(Page(source).words).split())
    assert "direct reached the goal in 36 of 36 episodes" in words
    assert "LangNav v1, per goal" in source


# ------------------------------------------------------------------------------- words and ways
def test_examples_are_the_richest_and_the_most_frequent(
    gathered: Gathered, tiny_library: Scene
) -> None:
    good, bad = examples(gathered, "langnav-v1", lambda ref: tiny_library)
    assert good.heading == "A goal found"
    assert len(good.tags) == 2
    assert good.what.startswith("Found after")
    assert bad.what.startswith("Wrong detection: ")  # the most frequent of mlfm's failures
    assert good.uri.startswith("data:image/jpeg")
    root = ET.fromstring(good.plan)
    believed = [e for e in root.iter() if e.get("class") == "believed"]
    assert good.believed
    assert len(believed) == 1


def test_an_example_without_its_scene_keeps_words_and_way(gathered: Gathered) -> None:
    from navproof.core.errors import SceneError

    def lost(ref: str) -> Scene:
        raise SceneError("gone")

    for example in examples(gathered, "langnav-v1", lost):
        assert example.uri == ""
        assert "polyline" in example.plan


def test_stories_tell_every_goal(gathered: Gathered, tiny_library: Scene) -> None:
    stories = {s.episode_id: s for s in tell(gathered, pick(gathered, 9), lambda r: tiny_library)}
    story = stories["langnav-001"]
    assert [g.text for g in story.goals][1] == "Go to a chair."
    by_agent = {line.entrant.agent: line for line in story.lines}
    ended = [(good, what) for good, what, _ in by_agent["mlfm"].goals]
    assert ended == [(True, "found"), (False, "wrong detection"), (False, "out of time")]
    assert [shot.number for shot in by_agent["mlfm"].shots] == [0, 1, 2, 3]
    root = ET.fromstring(story.plan)
    walks = [e for e in root.iter() if "walk" in e.get("class", "").split()]
    first = walks[0]
    legs = [e for e in first if e.get("data-goal")]
    assert [e.get("data-goal") for e in legs] == ["1", "2", "3"]
    ends = [e.get("class") for leg in legs for e in leg if "leg-end" in e.get("class", "")]
    assert ends == ["leg-end", "leg-end hollow", "leg-end hollow"]
    # the page joins the legs again: each begins where the one before ended, in as many points
    # as there are headings
    paths = [e.get("points", "").split() for e in first.iter() if e.get("class") == "path"]
    assert all(a[-1] == b[0] for a, b in pairwise(paths))
    pointer = next(e for e in first.iter() if e.get("class") == "pointer")
    joined = paths[0] + [p for path in paths[1:] for p in path[1:]]
    assert len(joined) == len(pointer.get("data-yaw", "").split())
    badges = [e for e in root.iter() if e.get("class") == "badge"]
    assert len(badges) == 3


def test_a_goal_never_tried_is_said_so(gathered: Gathered, tiny_library: Scene) -> None:
    stories = tell(gathered, pick(gathered, 9), lambda r: tiny_library)
    (story,) = [s for s in stories if s.episode_id == "langnav-006"]
    (line,) = story.lines
    assert [what for _, what, _ in line.goals] == ["found", "agent failure", "agent failure"]
    assert line.goals[2][2] == "never tried"
    assert [shot.number for shot in line.shots] == [0, 1, 2]


def test_agents_that_never_got_anywhere_are_reported(tiny_library: Scene, tmp_path: Path) -> None:
    """Every episode broke off in reset: one pose, no action, no event."""
    whole = langnav_trace("mute", [Leg((-2.0, 2.5), won=True)], reason="reset raised KeyError: 'x'")
    nothing = replace(whole, poses=whole.poses[:1], actions=(), collisions=(), events=())
    trace = replace(nothing, distances_m=whole.distances_m[:1])
    folder = langnav_run(tmp_path / "run", {}, [trace])
    source = write_report([folder], tmp_path / "r.html").read_text(encoding="utf-8")
    words = " ".join(" ".join(Page(source).words).split())
    assert "mute found 0 of 3 goals (0 %)" in words
    assert "Agent failure: the agent raised, hung or returned nonsense." in words
    assert render_replay(trace, tmp_path / "r.png", scene=tiny_library).is_file()


def test_words_and_names_are_escaped(tiny_library: Scene, tmp_path: Path) -> None:
    evil = '<script>alert("1")</script>'
    goals = tuple(replace(g, text=evil, tags={evil: 1, "attributes": 1}) for g in GOALS)
    legs = [Leg((-2.0, 2.5), won=True), Leg((2.0, 2.6)), Leg((2.6, 0.6), won=True)]
    traces = [langnav_trace(f"m@a={name}", legs, goals=goals) for name in (evil, "2")]
    folder = langnav_run(tmp_path / "run", {}, traces)
    source = write_report([folder], tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script>alert" not in source
    parsed = Page(source)
    assert parsed.unnamed == []
    assert evil in " ".join(parsed.words)

"""``nv.run`` takes plain Python, and its result is an object with tables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import navproof as nv
from navproof.api.plain import agent_names, condition_texts, image_size, seed_numbers
from navproof.core.errors import SpecError
from navproof.runner.conditions import GROUPS
from runner_fakes import SIMULATOR, Seer, Walker, tiny_episodes

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> nv.Run:
    return nv.run(
        [Walker, "runner_fakes:Seer"],
        tiny_episodes(3),
        conditions=[nv.parse_condition("spatter@0.5"), "motion_blur"],
        seeds=[4],
        simulator=SIMULATOR,
        workers=1,
        out=tmp_path_factory.mktemp("front") / "run",
        progress=False,
    )


def test_the_run_is_a_table_of_episodes(ran: nv.Run) -> None:
    walker, seer = "runner_fakes:Walker", "runner_fakes:Seer"
    assert ran.info.agents == (walker, seer)
    assert ran.info.conditions == ("clean", "spatter@0.5", "motion_blur")
    assert {row["agent"] for row in ran if row["condition"] == "spatter@0.5"} == {seer}
    assert len(ran) == 3 + 9
    frame = ran.to_arrow()
    assert frame.num_rows == 12
    assert str(frame.schema.field("seed").type) == "int64"
    assert next(t.key.agent for t in ran.traces()) == walker
    assert repr(ran).startswith("Run(")
    assert nv.Run(ran.path).rows == ran.rows


def test_scores_are_a_table_of_means(ran: nv.Run) -> None:
    scores = nv.score(ran)
    row = next(r for r in scores if r["metric"] == "steps" and r["agent"].endswith("Seer"))
    episodes = [r for r in ran if r["agent"].endswith("Seer") and r["condition"] == "clean"]
    assert row["n"] == 3
    assert row["mean"] == pytest.approx(sum(r["steps"] for r in episodes) / 3)
    assert row["low"] <= row["mean"] <= row["high"]
    assert scores.mean("steps", agent="runner_fakes:Seer") == pytest.approx(row["mean"])
    with pytest.raises(nv.NavproofError, match="name one agent"):
        scores.mean("steps")
    assert "means over clean episodes" in scores.table()
    assert ran.scores().rows == scores.rows
    assert scores.retention.corrupted


def test_tables_show_in_notebooks(ran: nv.Run) -> None:
    page = ran._repr_html_()
    assert page.startswith("<pre")
    assert "runner_fakes:Seer" in page
    assert "\x1b" not in page + ran.table()
    assert max(map(len, ran.scores().table(width=70).splitlines()[:8])) <= 70


def test_frames_without_pandas_say_what_to_install(
    ran: nv.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(nv.NavproofError, match=r"pip install 'navproof\[pandas\]'"):
        ran.to_pandas()


def test_every_result_is_a_data_frame(ran: nv.Run) -> None:
    results = {
        "episodes": ran,
        "means": nv.score(ran),
        "differences": ran.compare("Walker", "Seer", metrics=["steps", "success"]),
        "verdicts": nv.verify(ran, workers=1, progress=False),
        "causes": nv.diagnose(ran, agents="runner_fakes:Walker", limit=1, trials=1, probes=False),
    }
    for what, result in results.items():
        frame = result.to_pandas()
        assert len(frame) == len(result) > 0, what
        assert list(frame.columns) == list(result.to_arrow().column_names), what
        for name, column in frame.items():
            for value, row in zip(column, result.rows, strict=True):
                assert value == row[name] or (value != value or value is None), (what, name)
    frame = ran.to_pandas()
    assert frame["seed"].dtype == "int64"
    clean = frame[(frame.condition == "clean") & (frame.agent == "runner_fakes:Seer")]
    scores = results["means"]
    assert isinstance(scores, nv.Scores)
    assert clean["steps"].mean() == scores.mean("steps", agent="runner_fakes:Seer")


def test_two_agents_are_compared(ran: nv.Run) -> None:
    found = ran.compare("Walker", "Seer", metrics=["steps", "success"])
    assert [row["metric"] for row in found] == ["steps", "success"]
    assert found.pairs == 3
    assert "A − B" in found.table()
    assert found.document()["comparisons"] == found.rows
    same = nv.compare((ran, "Walker"), f"{ran.path}:Walker", metrics="steps")
    assert same.rows[0]["difference"] == 0.0


def test_sizes_of_images_are_numbers_or_text() -> None:
    assert image_size("256X128") == image_size((256, np.int64(128))) == (256, 128)
    assert image_size(None) is None
    with pytest.raises(SpecError, match=r"^--camera must read WIDTHxHEIGHT, such as 256x256, got"):
        image_size("256", "--camera")


def test_results_are_one_line_in_a_shell(ran: nv.Run) -> None:
    found = ran.compare("Walker", "Seer", metrics=["steps"])
    assert repr(found) == f"Comparison({f'{ran.path}:Walker'!r}, {f'{ran.path}:Seer'!r}, 3 pairs)"


def test_the_same_call_resumes(ran: nv.Run) -> None:
    before = {p: p.stat().st_mtime_ns for p in ran.path.glob("traces/*/*")}
    nv.run(
        [Walker, Seer], tiny_episodes(3), conditions=("spatter@0.5", "motion_blur"), seeds=[4],
        simulator=SIMULATOR, workers=1, out=ran.path, progress=False,
    )  # fmt: skip
    assert {p: p.stat().st_mtime_ns for p in ran.path.glob("traces/*/*")} == before


def test_without_out_a_new_folder_is_made_in_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made = [
        nv.run(Walker, tiny_episodes(1), simulator=SIMULATOR, workers=1, limit=1) for _ in range(2)
    ]
    assert len({run.path for run in made}) == 2
    assert all(run.path.parent == Path("runs") and len(run) == 1 for run in made)
    assert "episodes: 1 of 1" in capsys.readouterr().err


def test_what_agents_conditions_and_seeds_become() -> None:
    assert agent_names("oracle,mlfm@layers=1")[:2] == ("oracle", "mlfm@layers=1")
    assert agent_names(["langnav"])[-1] == "mlfm"
    assert condition_texts(["trust-mini", "spatter@0.5"]) == [*GROUPS["trust-mini"], "spatter@0.5"]
    assert seed_numbers(3) == (0, 1, 2)
    assert seed_numbers(range(5, 7)) == (5, 6)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"agents": 3}, "agents: 3 is neither a name nor a class"),
        ({"agents": Walker()}, "is neither a name nor a class"),
        ({"agents": "orakel"}, "did you mean 'oracle'"),
        ({"conditions": "spater"}, "did you mean 'spatter'"),
        ({"seeds": 0}, "the number of seeds must be from 1"),
        ({"seeds": [1, 1]}, "seed 1 is given twice"),
        ({"suite": [3]}, "suite: 3 is not an episode"),
        ({"workers": 0}, "at least one worker"),
    ],
)
def test_what_makes_no_sense_is_one_line(tmp_path: Path, given: dict, said: str) -> None:
    call = {"agents": "random", "suite": tiny_episodes(1), "simulator": SIMULATOR, **given}
    with pytest.raises(nv.NavproofError, match=said) as told:
        nv.run(**call, out=tmp_path / "out", progress=False)
    assert "\n" not in str(told.value)
    assert not (tmp_path / "out" / "run.json").exists()


SCRIPT = """
import navproof as nv
from runner_fakes import SIMULATOR, tiny_episodes

class Mine:
    def reset(self, brief): ...
    def act(self, obs):
        return nv.Move.STOP

def pitch_dark(image, intensity, rng):
    return image * 0

if __name__ == "__main__":
    run = nv.run(Mine, tiny_episodes(1), conditions=[pitch_dark], simulator=SIMULATOR,
                 workers=1, out="out", progress=False)
    print(run.info.agents, run.info.conditions, [row["status"] for row in run])
"""


def script(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_a_class_of_a_script_is_imported_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SCRIPT)
    done = script(tmp_path, "mine.py")
    assert done.returncode == 0, done.stderr
    wanted = "('mine.py:Mine',) ('clean', 'mine.py:pitch_dark') ['ok', 'ok']"
    assert done.stdout.strip() == wanted


def test_a_class_of_a_notebook_is_refused_in_one_line(tmp_path: Path) -> None:
    done = script(tmp_path, "-c", SCRIPT)
    last = done.stderr.strip().splitlines()[-1]
    assert "agent 'Mine' is defined in a notebook or on the command line" in last
    assert "put it in a file" in last
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"camera": "64"}, "WIDTHxHEIGHT"),
        ({"camera": 64}, "camera must read WIDTHxHEIGHT"),
        ({"camera": (64, 4.5)}, r"camera must read WIDTHxHEIGHT, .*, got \(64, 4.5\)"),
        ({"camera": "6_4x4"}, "got '6_4x4'"),
        ({"camera": True}, "got True"),
        ({"camera": (True, True)}, "WIDTHxHEIGHT"),
        ({"camera": ("64", "48")}, "WIDTHxHEIGHT"),
        ({"camera": (64, 48, 3)}, "WIDTHxHEIGHT"),
        ({"skip": "x"}, "skip must be a whole number, got 'x'"),
        ({"skip": 1.5}, "skip must be a whole number, got 1.5"),
        ({"limit": "2"}, "limit must be a whole number, got '2'"),
        ({"seeds": 2.5}, "seeds must be how many, or which ones, got 2.5"),
        ({"seeds": ["a"]}, "a seed must be a whole number, got 'a'"),
        ({"workers": "all"}, "workers must be a whole number, got 'all'"),
    ],
)
def test_what_is_no_number_is_one_line(tmp_path: Path, wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(SpecError, match=says):
        nv.run("random", "mini", out=tmp_path / "run", progress=False, **wrong)

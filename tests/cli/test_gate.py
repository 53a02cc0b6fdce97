"""``navproof gate``: every check shown, and an exit code to build on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal
from trust_run_samples import called, trust_run

from navproof.log import RunFolder, Skipped, TraceKey

NO_DEPTH = Skipped("blind", "pointnav-v1", "depth_gaussian", "it has no depth camera")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    agents = {
        "good": {"clean": 16, "motion_blur": 12, "spatter": 8, "depth_gaussian": 16},
        "blind": {"clean": 0, "motion_blur": 0, "spatter": 0},
    }
    return str(trust_run(tmp_path_factory.mktemp("gate") / "run", agents, (NO_DEPTH,)).path)


def test_all_pass_is_exit_code_0(run: str) -> None:
    done = called(
        *("gate", run, "--agent", "good", "--min", "sr.clean=0.8", "--min", "prs_sr.rgb=0.625"),
        *("--min", "retention_sr.motion_blur@0.6=0.75", "--min", "prs_sr=0.75"),
        *("--min", "worst_sr=0.5", "--min", "spl.clean=0.8"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("pass ") == 6
    for text in ("prs_sr.rgb", "0.625", "retention_sr.motion_blur", "6 checks passed"):
        assert text in done.stdout


def test_one_failure_is_exit_code_1_and_is_named(run: str) -> None:
    words = ("gate", run, "--agent", "good", "--min", "sr.clean=0.5", "--min", "prs_sr.rgb=0.85")
    done = navproof(*words)  # in a process of its own: this is the exit code that CI sees
    assert done.returncode == 1
    assert "FAIL" in done.stdout
    assert "1 of 2 checks failed" in done.stdout
    assert done.stderr == ""
    document = json.loads(called(*words, "--json").stdout)
    assert document["passed"] is False
    clean, prs = document["checks"]
    assert clean["passed"]
    assert not prs["passed"]
    assert prs["value"] == pytest.approx(0.625)
    assert prs["low"] < 0.625 < prs["high"]


def test_the_lower_limit_is_stricter_than_the_value(run: str) -> None:
    words = ("gate", run, "--agent", "good", "--min", "retention_sr.motion_blur=0.7")
    assert called(*words).returncode == 0
    low = called(*words, "--on", "low")
    assert low.returncode == 1
    assert "on the lower limit" in low.stdout


def test_luck_in_one_episode_does_not_pass_the_lower_limit(tmp_path: Path) -> None:
    path = trust_run(tmp_path / "one", {"good": {"clean": 1, "motion_blur": 1}}, episodes=1).path
    words = ("gate", str(path), "--min", "prs_sr.rgb=0.9")
    assert called(*words).returncode == 0
    assert "1 check passed" in called(*words).stdout
    assert called(*words, "--on", "low").returncode == 1


def test_an_undefined_score_fails_and_says_why(run: str) -> None:
    done = called("gate", run, "--agent", "blind", "--min", "prs_sr.rgb=0")
    assert done.returncode == 1
    assert "undefined: the clean SR is 0 over the 20 paired" in done.stdout
    for key in ("retention_sr.depth_gaussian", "prs_spl.depth", "sr.depth_gaussian"):
        skipped = called("gate", run, "--agent", "blind", "--min", f"{key}=0")
        assert skipped.returncode == 1
        assert "not run: it has no depth camera" in skipped.stdout


def test_every_agent_must_pass(run: str) -> None:
    document = json.loads(called("gate", run, "--min", "sr.clean=0.5", "--json").stdout)
    assert [(c["agent"], c["passed"]) for c in document["checks"]] == [
        ("good", True),
        ("blind", False),
    ]


def test_bad_input_is_exit_code_2(run: str, tmp_path: Path) -> None:
    assert "did you mean 'prs_sr.rgb'" in refusal("gate", run, "--min", "prs_sr.rbg=0.8")
    assert "did you mean 'sr.clean'" in refusal("gate", run, "--min", "sr.clear=0.8")
    assert "did you mean" in refusal("gate", run, "--min", "retention_sr.spattr=0.8")
    for wrong in ("sr.clean", "sr.clean=high", "=0.5", "sr.clean=nan"):
        assert "write one as prs_sr.rgb=0.85" in refusal("gate", run, "--min", wrong)
    assert "no agent 'god'; did you mean 'good'" in refusal(
        *("gate", run, "--agent", "god", "--min", "sr.clean=0")
    )
    assert "has no task 'vln'" in refusal("gate", run, "--task", "vln", "--min", "sr.clean=0")
    assert "no task 'pontnav'; did you mean" in refusal(
        *("gate", run, "--task", "pontnav", "--min", "sr.clean=0")
    )
    assert "does not exist" in refusal("gate", str(tmp_path / "no"), "--min", "sr.clean=0")
    assert "--min" in refusal("gate", run)


def test_an_unfinished_run_is_not_judged(tmp_path: Path) -> None:
    folder: RunFolder = trust_run(tmp_path / "run", {"a": {"clean": 3, "flare": 3}}, episodes=4)
    folder.trace_path(folder.keys()[-1]).unlink()
    text = refusal("gate", str(folder.path), "--min", "sr.clean=0")
    assert "traces of 7 of 8 episodes" in text


def test_a_gate_believes_traces_and_no_table(tmp_path: Path) -> None:
    folder: RunFolder = trust_run(tmp_path / "run", {"a": {"clean": 3, "flare": 3}}, episodes=4)
    folder.write_results([row | {"success": 1.0} for row in folder.results()])
    assert called("gate", str(folder.path), "--min", "sr.clean=0.9").returncode == 1
    folder.manifest.path.unlink()  # without digests nothing is believed either
    assert "was not written by the run" in refusal("gate", str(folder.path), "--min", "sr.clean=0")


def test_a_task_is_named_with_or_without_its_version(run: str) -> None:
    for task in ("pointnav", "pointnav-v1"):
        done = called("gate", run, "--agent", "good", "--task", task, "--min", "sr.clean=0.8")
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("minimum", "says"),
    [
        ("sr.clean=50", "SR is a share from 0 to 1; for 50 % write sr.clean=0.5"),
        ("spl.flare=1.5", "SPL is a share from 0 to 1; for 1.5 % write spl.flare=0.015"),
        ("sr.clean=-0.1", "'sr.clean=-0.1': SR is a share from 0 to 1"),
        ("retention_sr.flare=-0.3", "to lose at most 0.3 write retention_sr.flare=0.7"),
        ("prs_spl=-2", "'prs_spl=-2': what is retained is never below 0"),
        ("worst_sr=-0.1", "to lose at most 0.1 write worst_sr=0.9"),
    ],
)
def test_a_minimum_on_another_scale_is_refused(run: str, minimum: str, says: str) -> None:
    assert refusal("gate", run, "--min", minimum).endswith(says)


def test_nothing_is_retained_of_clean(tmp_path: Path) -> None:
    skipped = (Skipped("a", "vln-v1", "clean", "it reads no words"),)
    folder = trust_run(tmp_path / "run", {"a": {"clean": 3, "flare": 3}}, skipped, episodes=4)
    for key in ("prs_sr.clean", "retention_sr.clean"):
        text = refusal("gate", str(folder.path), "--min", f"{key}=0")
        assert f"no score '{key}'" in text
        assert f"mean '{key}'" not in text


def test_a_run_without_one_of_its_traces_is_not_finished(tmp_path: Path) -> None:
    folder: RunFolder = trust_run(tmp_path / "run", {"a": {"clean": 3, "flare": 3}}, episodes=4)
    words = ("gate", str(folder.path), "--min", "sr.clean=0")
    assert called(*words).returncode == 0
    folder.trace_path(folder.keys()[2]).unlink()
    assert "is not finished: traces of 7 of 8 episodes" in refusal(*words)


def test_one_pair_is_told_in_the_singular(tmp_path: Path) -> None:
    path = trust_run(tmp_path / "one", {"a": {"clean": 0, "flare": 0}}, episodes=1).path
    done = called("gate", str(path), "--min", "retention_sr.flare=0.5")
    assert "the clean SR is 0 over the one paired episode\n" in done.stdout


def test_score_shows_what_is_retained(run: str) -> None:
    done = called("score", run)
    assert done.returncode == 0, done.stderr
    for text in (
        "good on pointnav-v1: clean SR 0.80",
        "motion_blur",
        "0.75 (",
        "PRS-SR",
        "worst by SR: spatter, 0.50 (",
        "undefined: the clean SR is 0 over the 20 paired episodes × seeds (motion_blur, spatter)",
        "blind skips depth_gaussian in pointnav-v1: it has no depth camera",
        "means over clean episodes",
        "3.00",  # milliseconds per step
        "hard: spatter",
    ):
        assert text in done.stdout, text
    document = json.loads(called("score", run, "--json").stdout)
    trust = document["trust"]
    assert [p["family"] for p in trust["prs"] if p["agent"] == "good"] == ["rgb", "depth", "all"]
    assert trust["prs"][0]["sr"]["value"] == pytest.approx(0.625)
    assert trust["skipped"][0]["why"] == "it has no depth camera"
    blurred = [s for s in document["scores"] if s["condition"] == "motion_blur"]
    assert [s["metrics"]["success"]["mean"] for s in blurred] == [0.6, 0.0]


def test_score_shows_thresholds_of_a_sweep(tmp_path: Path) -> None:
    won = {"clean": 20, "flare@0.25": 18, "flare@0.5": 12, "flare@0.75": 8, "flare": 2}
    won |= {"spatter@0.5": 20, "spatter@1": 19}
    folder = trust_run(tmp_path / "run", {"a": won})
    done = called("score", str(folder.path))
    assert "half of the clean score is lost at" in done.stdout
    assert "0.62 (" in done.stdout
    assert "never within [0, 1]" in done.stdout
    assert "rgb @0.25" in done.stdout


def test_what_was_skipped_for_the_same_reason_is_one_line(tmp_path: Path) -> None:
    why = "no rgb reaches it"
    skipped = tuple(
        Skipped("a", task, name, why)
        for task in ("pointnav-v1", "vln-v1")
        for name in ("flare", "spatter")
    )
    skipped += (Skipped("a", "vln-v1", "friendly", "it reads no words"),)
    folder = trust_run(tmp_path / "run", {"a": {"clean": 3}}, skipped, episodes=4)
    text = called("score", str(folder.path)).stdout
    assert text.count("a skips ") == 2
    assert f"a skips flare, spatter in pointnav-v1, vln-v1: {why}" in text
    assert "a skips friendly in vln-v1: it reads no words" in text


def test_a_clean_run_has_no_trust_table(tmp_path: Path) -> None:
    folder = trust_run(tmp_path / "run", {"a": {"clean": 3}}, episodes=4)
    assert "retain" not in called("score", str(folder.path)).stdout
    assert json.loads(called("score", str(folder.path), "--json").stdout)["trust"] is None


def test_compare_does_not_mix_conditions(run: str) -> None:
    def success(*words: str) -> dict[str, float]:
        words = ("compare", f"{run}:good", f"{run}:blind", "-m", "success", *words)
        document = json.loads(called(*words, "--json").stdout)
        return dict(document["comparisons"][0])

    assert (success()["a"], success()["n"]) == (0.8, 20)
    assert success("--condition", "motion_blur@0.6")["a"] == 0.6
    told = called("compare", f"{run}:good", f"{run}:blind").stdout
    assert "clean episodes only" in told
    assert "no episodes under 'flare'" in refusal(
        "compare", f"{run}:good", f"{run}:blind", "--condition", "flare"
    )


# ----------------------------------------------------------------------- not played, not verified
def test_an_episode_that_was_not_played_fails_every_gate_and_is_in_no_mean(tmp_path: Path) -> None:
    agents = {"good": {"clean": 4, "motion_blur": 4}, "other": {"clean": 4, "motion_blur": 4}}
    folder = trust_run(tmp_path / "run", agents, episodes=4)
    words = ("gate", str(folder.path), "--agent", "good", "--min", "sr.clean=1")
    assert called(*words).returncode == 0
    key = TraceKey("good", "pointnav-v1-0")
    folder.write(replace(folder.trace(key), status="infrastructure", reason="no memory"))
    done = called(*words)
    assert done.returncode == 1
    assert "1.000" in done.stdout  # of the three that were played
    assert "FAIL: 1 episode was not played (infrastructure)" in done.stdout
    assert json.loads(called(*words, "--json").stdout)["not_played"] == 1
    assert called(*words[:2], "--agent", "other", *words[4:]).returncode == 0

    scored = json.loads(called("score", str(folder.path), "--json").stdout)
    (clean,) = (s for s in scored["scores"] if (s["agent"], s["condition"]) == ("good", "clean"))
    assert (clean["n"], clean["metrics"]["success"]["mean"]) == (3, 1.0)
    assert scored["notes"][0].startswith("1 episode was not played (infrastructure)")
    compared = called("compare", f"{folder.path}:good", f"{folder.path}:other").stdout
    assert " 3  0 : 0 " in compared
    assert "1 episode was not played" in " ".join(compared.split())
    page = folder.path / "report.html"
    assert called("report", str(folder.path)).returncode == 0
    assert "1 of its episodes were not played (infrastructure)" in page.read_text()


def test_a_gate_can_ask_for_what_is_verified(run: str) -> None:
    """A run that was written by hand follows from no actions."""
    words = ("gate", run, "--agent", "good", "--min", "sr.clean=0.5")
    assert called(*words).returncode == 0
    done = called(*words, "--verified")
    assert done.returncode == 1
    assert "1 check passed" in done.stdout
    assert "not verifiable" in done.stdout or "REFUTED" in done.stdout
    document = json.loads(called(*words, "--verified", "--json").stdout)
    assert (document["passed"], document["checks"][0]["passed"]) == (False, True)
    assert document["verification"]["verdict"] != "verified"

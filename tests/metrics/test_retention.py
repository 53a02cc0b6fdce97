"""Retention, PRS and what is built on them, against numbers worked out by hand."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from retention_samples import row, rows_of, wins

from navproof.core.errors import SpecError
from navproof.corruptions.navtrust import PAPER
from navproof.log import Skipped
from navproof.metrics.retention.retention import OVERALL, Prs, trust_scores


def prs_of(found: tuple[Prs, ...]) -> dict[str, Prs]:
    return {prs.family: prs for prs in found}


def test_prs_is_the_mean_of_the_ratios_to_the_clean_score() -> None:
    rows = rows_of({"clean": wins(16), "motion_blur": wins(12), "spatter": wins(8)})
    scores = trust_scores(rows)
    blur, spatter = scores.conditions
    assert (blur.condition, blur.n, blur.episodes, blur.clean_sr) == ("motion_blur", 20, 20, 0.8)
    assert blur.sr.mean == 0.6
    assert blur.retention_sr.value == pytest.approx(0.75)
    assert spatter.retention_sr.value == pytest.approx(0.5)
    found = prs_of(scores.prs)
    assert list(found) == ["rgb", OVERALL]
    assert found["rgb"].sr.value == pytest.approx(0.625)
    assert found["rgb"].conditions == ("motion_blur", "spatter")
    assert found["rgb"].k == 2
    low, high = found["rgb"].sr.low, found["rgb"].sr.high
    assert low is not None
    assert high is not None
    assert 0.3 < low < 0.625 < high < 0.9


def test_other_words_are_conditions_of_the_instruction() -> None:
    """Concise keeps half, the published words three quarters; with noise on top it is a mix."""
    outcomes = {
        "clean": wins(16),
        "concise+depth_gaussian": wins(4),
        "concise": wins(8),
        "friendly": wins(12),
    }
    scores = trust_scores(rows_of(outcomes))
    assert [c.condition for c in scores.conditions] == [
        "friendly",
        "concise",
        "concise+depth_gaussian",
    ]
    found = prs_of(scores.prs)
    assert list(found) == ["instruction", "mixed", OVERALL]
    assert found["instruction"].sr.value == pytest.approx((0.75 + 0.5) / 2)
    assert found["mixed"].sr.value == pytest.approx(0.25)


def test_families_are_apart_and_spl_has_its_own_ratio() -> None:
    clean = [row("clean", e, 1, spl=0.8) for e in range(10)]
    blur = [row("motion_blur", e, e < 8, spl=0.4 * (e < 8)) for e in range(10)]
    depth = [row("depth_gaussian", e, e < 5, spl=0.8 * (e < 5)) for e in range(10)]
    both = [row("motion_blur+depth_missing", e, e < 2, spl=0.2 * (e < 2)) for e in range(10)]
    slip = [row("wheel_slip", e, 1, spl=0.6) for e in range(10)]
    scores = trust_scores([*clean, *both, *slip, *depth, *blur])
    found = prs_of(scores.prs)
    assert list(found) == ["rgb", "depth", "mixed", "body", OVERALL]
    values = {name: (prs.sr.value, prs.spl.value) for name, prs in found.items()}
    assert values["rgb"] == (pytest.approx(0.8), pytest.approx(0.4))
    assert values["depth"] == (pytest.approx(0.5), pytest.approx(0.5))
    assert values["mixed"] == (pytest.approx(0.2), pytest.approx(0.05))
    assert values["body"] == (pytest.approx(1.0), pytest.approx(0.75))
    assert values[OVERALL] == (pytest.approx(2.5 / 4), pytest.approx(1.7 / 4))
    worst = {w.measure: w for w in scores.worst}
    assert worst["sr"].condition == worst["spl"].condition == "motion_blur+depth_missing"
    assert worst["sr"].retention == scores.conditions[2].retention_sr


def test_without_clean_success_nothing_is_defined() -> None:
    scores = trust_scores(rows_of({"clean": wins(0, 5), "spatter": wins(3, 5)}))
    (spatter,) = scores.conditions
    assert spatter.sr.mean == 0.6
    assert spatter.retention_sr.value is None
    assert "the clean SR is 0 over the 5 paired" in spatter.retention_sr.reason
    for prs in scores.prs:
        assert prs.sr.value is prs.sr.low is prs.sr.high is None
        assert "the clean SR is 0" in prs.sr.reason
        assert "the clean SPL is 0" in prs.spl.reason
    assert scores.worst == ()
    assert scores.clean[0].retention_sr.value is None
    (difficulty,) = scores.difficulty
    assert (difficulty.grade, difficulty.retention) == (None, None)
    assert difficulty.reason


def test_only_episodes_and_seeds_of_both_sides_enter_a_ratio() -> None:
    clean = [row("clean", e, e % 2, seed=s) for e in range(10) for s in range(2)]
    blur = [row("motion_blur", e, 1, seed=0) for e in range(5)]  # clean: 2 of these 5
    blur += [row("motion_blur", 3, 0, seed=1), row("motion_blur", 99, 1), row("motion_blur", 0, 1)]
    blur[-1]["problem"] = "another"
    (score,) = trust_scores([*clean, *blur]).conditions
    assert (score.n, score.episodes, score.unpaired) == (6, 5, 2)
    assert score.clean_sr == pytest.approx(3 / 6)
    assert score.sr.mean == pytest.approx(5 / 6)
    assert score.retention_sr.value == pytest.approx(5 / 3)


def test_a_condition_without_a_clean_twin_is_told_and_not_counted() -> None:
    scores = trust_scores(rows_of({"motion_blur": wins(5, 5)}))
    (blur,) = scores.conditions
    assert (blur.n, blur.unpaired, blur.clean_sr) == (0, 5, None)
    assert blur.retention_sr.reason == "no episode was run both clean and under it"
    assert scores.prs == ()
    assert scores.clean[0].retention_sr.reason == "no clean episode"


def test_an_episode_that_broke_is_a_failure() -> None:
    rows = rows_of({"clean": wins(10, 10), "flare": wins(9, 10)})
    rows[-1] |= {"status": "agent_error", "success": 0.0}
    (flare,) = trust_scores(rows).conditions
    assert (flare.not_ok, flare.n) == (1, 10)
    assert flare.retention_sr.value == pytest.approx(0.9)


def test_other_intensities_make_curves_and_stay_out_of_prs() -> None:
    rows = rows_of(
        {
            "clean": wins(10, 10),
            "spatter@0.25": wins(9, 10),
            "spatter@1": wins(1, 10),
            "spatter": wins(6, 10),
            "spatter@0.25:frame": wins(2, 10),
            "defocus": wins(10, 10),
        }
    )
    scores = trust_scores(rows)
    assert prs_of(scores.prs)["rgb"].conditions == ("spatter", "defocus")
    assert prs_of(scores.prs)["rgb"].sr.value == pytest.approx(0.8)
    (curve,) = scores.curves
    assert curve.corruption == "spatter"
    assert [p.intensity for p in curve.points] == [0.0, 0.25, 0.6, 1.0]
    assert [p.sr.mean for p in curve.points] == [1.0, 0.9, 0.6, 0.1]
    assert curve.half_sr.value == pytest.approx(0.6 + 0.4 * (0.1 / 0.5))
    at = {(p.family, p.intensity): p.sr.value for p in scores.prs_by_intensity}
    assert at["rgb", 0.25] == pytest.approx(0.9)
    assert at[OVERALL, 1.0] == pytest.approx(0.1)
    assert at["rgb", 0.6] == pytest.approx(0.6)  # defocus was not swept


def test_mixed_conditions_are_swept_at_a_common_intensity() -> None:
    mixed = "low_light_noise@{0}+depth_gaussian@{0}"
    levels = {mixed.format(i): wins(w, 10) for i, w in ((0.25, 8), (0.5, 6), (1, 0))}
    odd = {"low_light_noise@0.25+depth_gaussian@0.5": wins(9, 10)}
    scores = trust_scores(rows_of({"clean": wins(10, 10), **levels, **odd}))
    (curve,) = scores.curves
    assert (curve.corruption, curve.family) == ("low_light_noise+depth_gaussian", "mixed")
    assert [p.intensity for p in curve.points] == [0.0, 0.25, 0.5, 1.0]
    assert curve.half_sr.value == pytest.approx(0.5 + 0.5 * (0.1 / 0.6))


def test_a_suite_without_a_sweep_has_neither_curves_nor_other_intensities() -> None:
    scores = trust_scores(rows_of({"clean": wins(9, 10), "flare": wins(6, 10)}))
    assert scores.curves == scores.prs_by_intensity == ()


def test_difficulty_is_over_agents() -> None:
    """r = mean SR / mean clean SR, so a weak agent weighs by what it had to lose."""
    strong = {"clean": wins(20), "flare": wins(20), "spatter": wins(14), "defocus": wins(12)}
    weak = {"clean": wins(10), "flare": wins(7), "spatter": wins(8), "defocus": wins(8)}
    scores = trust_scores([*rows_of(strong), *rows_of(weak, agent="b")])
    found = {d.condition: (d.retention, d.grade, d.agents) for d in scores.difficulty}
    assert found["flare"] == (pytest.approx(0.9), "easy", 2)
    assert found["spatter"] == (pytest.approx(22 / 30), "medium", 2)
    assert found["defocus"] == (pytest.approx(20 / 30), "hard", 2)


def test_conditions_stand_in_the_order_of_the_catalogue() -> None:
    rows = rows_of({name: wins(3, 4) for name in ("clean", *reversed(PAPER))})
    assert [c.condition for c in trust_scores(rows).conditions if c.family != "mixed"] == [
        name for name in PAPER if "+" not in name
    ]


def test_a_corruption_from_a_file_stands_behind_the_catalogue(tmp_path: Path) -> None:
    file = tmp_path / "fog.py"
    file.write_text("def fog(image, intensity, rng):\n    return image\n", encoding="utf-8")
    fog = f"{file}:fog"
    scores = trust_scores(rows_of({name: wins(2, 4) for name in ("clean", fog, "flare")}))
    assert [c.condition for c in scores.conditions] == ["flare", fog]


def test_a_condition_of_the_users_own_counts_as_it_is() -> None:
    scores = trust_scores(rows_of({"clean": wins(10, 10), "fog, home-made": wins(5, 10)}))
    assert list(prs_of(scores.prs)) == ["own", OVERALL]
    assert scores.conditions[0].intensity is None


def test_overhead_is_time_per_step_beyond_the_clean_twins() -> None:
    clean = rows_of({"clean": wins(2, 2)}, time_env_s=0.2, time_act_s=1.0, time_reset_s=0.1)
    times = {"time_env_s": 0.5, "time_act_s": 1.0, "time_reset_s": 0.1, "time_corrupt_s": 0.2}
    (cost,) = trust_scores([*clean, *rows_of({"flare": wins(2, 2)}, **times)]).overhead
    assert cost.corrupt_s == pytest.approx(0.02)
    assert cost.env_extra_s == pytest.approx(0.03)
    assert (cost.episode_s, cost.clean_episode_s) == (pytest.approx(1.6), pytest.approx(1.3))
    (untimed,) = trust_scores(rows_of({"clean": wins(2, 2), "flare": wins(2, 2)})).overhead
    assert untimed.corrupt_s is untimed.env_extra_s is untimed.episode_s is None


def test_skipped_conditions_are_kept_with_why() -> None:
    skipped = (Skipped("a", "t", "depth_gaussian", "it has no depth camera"),)
    scores = trust_scores(rows_of({"clean": wins(2, 2)}), skipped)
    assert scores.skipped == skipped
    assert scores.corrupted
    assert not trust_scores(rows_of({"clean": wins(2, 2)})).corrupted


def test_two_rows_of_the_same_trial_are_refused() -> None:
    rows = rows_of({"clean": wins(2, 2)})
    with pytest.raises(SpecError, match="two rows of episode 'e0'"):
        trust_scores([*rows, rows[0]])


def test_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    rows = rows_of({c: rng.integers(0, 2, 12).tolist() for c in ("clean", "flare", "spatter")})
    again = [rows[i] for i in rng.permutation(len(rows))]
    first, second = trust_scores(rows), trust_scores(again)
    assert [c.retention_sr.value for c in first.conditions] == [
        c.retention_sr.value for c in second.conditions
    ]
    assert first == trust_scores(rows)


def test_a_whole_suite_is_scored_within_a_second() -> None:
    rng = np.random.default_rng(0)
    rows = [
        row(condition, e, rng.random() < 0.7, seed=s)
        for condition in ("clean", *PAPER)
        for e in range(60)
        for s in range(3)
    ]
    began = time.process_time()
    trust_scores(rows)
    assert time.process_time() - began < 2.0  # measured: 0.25 s; a slow machine is not a failure

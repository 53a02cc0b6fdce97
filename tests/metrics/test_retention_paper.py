"""PRS against the tables of NavTrust: their success rates and SPL give their PRS."""

from __future__ import annotations

import pytest
from retention_samples import row

from navproof.metrics.retention.retention import OVERALL, TrustScores, trust_scores

STYLES = ("friendly", "novice", "formal", "professional", "capitalise", "mask_50", "mask_100")
# Tables 8 to 10: clean, then the styles in the order above, black box, white box: SR % / SPL
NAVID = "46/.41 28/.24 33/.26 24/.22 20/.20 48/.43 34/.29 20/.19 27/.25 30/.27"
UNINAVID = "57/.50 30/.26 33/.28 26/.23 21/.20 58/.51 36/.31 21/.18 46/.38 28/.24"
ETPNAV = "57/.46 24/.18 31/.21 20/.15 17/.14 56/.45 29/.22 19/.15 25/.18"
IMAGES = (
    *("motion_blur", "low_light", "low_light_noise", "spatter", "flare", "defocus"),
    *("foreign_object", "black_out"),
)
# Table 6, ETPNav (RGB), clean SR 56 %: SR % of the images above at each intensity
SWEEP = {
    0.25: "55 54 54 51 54 53 52 52",
    0.5: "54 49 51 51 52 51 51 41",
    0.75: "53 52 47 50 49 53 51 33",
    1.0: "39 47 34 39 38 26 24 20",
}


def scored(cells: dict[str, tuple[int, float]]) -> TrustScores:
    """A hundred episodes per condition with that SR (%) and that mean SPL."""
    rows = [
        row(condition, episode, episode < sr, spl=spl)
        for condition, (sr, spl) in cells.items()
        for episode in range(100)
    ]
    return trust_scores(rows, resamples=20)


@pytest.mark.parametrize(
    ("table", "prs_sr", "prs_spl"),
    [(NAVID, 0.64, 0.64), (UNINAVID, 0.58, 0.58), (ETPNAV, 0.48, 0.46)],
)
def test_instructions(table: str, prs_sr: float, prs_spl: float) -> None:
    values = [(int(sr), float(spl)) for sr, _, spl in (c.partition("/") for c in table.split())]
    names = ("clean", *STYLES, "black_box", "white_box")
    found = {p.family: p for p in scored(dict(zip(names, values, strict=False))).prs}
    prs = found["instruction"]
    assert prs.k == len(values) - 1
    assert prs.sr.value == pytest.approx(prs_sr, abs=0.005)
    assert prs.spl.value == pytest.approx(prs_spl, abs=0.005)


def test_a_sweep_of_images() -> None:
    cells = {"clean": (56, 0.45)} | {
        f"{name}@{intensity}": (int(sr), 0.4)
        for intensity, line in SWEEP.items()
        for name, sr in zip(IMAGES, line.split(), strict=True)
    }
    scores = scored(cells)
    found = {p.intensity: p.sr.value for p in scores.prs_by_intensity if p.family == "rgb"}
    published = {0.25: 0.95, 0.5: 0.89, 0.75: 0.87, 1.0: 0.60}
    assert found == pytest.approx(published, abs=0.005)
    curves = {c.corruption: c.half_sr.value for c in scores.curves}
    assert curves["black_out"] == pytest.approx(0.75 + 0.25 * (33 - 28) / (33 - 20))
    assert curves["motion_blur"] is None  # 39 of 56 are left at the end
    protocol = {p.family: p.conditions for p in scores.prs}
    assert protocol[OVERALL] == ("low_light", "flare")  # whose default intensity is 1

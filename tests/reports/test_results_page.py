"""``scripts/results_langnav.py``: tables from traces, prose kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from langnav_samples import langnav_run

Main = Callable[[Sequence[str]], None]


@pytest.fixture
def main(script: Callable[[str], Main]) -> Main:
    return script("results_langnav")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    agents = {"mlfm": ["www", "wdt"], "mlfm@layers=1": ["wwt", "ddd"], "onemap": ["wmm", "ttt"]}
    return langnav_run(tmp_path_factory.mktemp("page") / "run", agents)


def cells(text: str, heading: str, row: str) -> list[str]:
    """A row of the first table below a heading."""
    below = text[text.index(heading) :]
    (line, *_) = [x for x in below.splitlines() if x.startswith(f"| {row} ")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_page_holds_the_numbers_and_the_command(main: Main, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "results" / "langnav.md"
    main([str(run), "-o", str(out)])
    text = out.read_text(encoding="utf-8")
    row = cells(text, "success by linguistic feature", "mlfm")
    assert row[1].startswith("**66.7**<br>")  # four of six goals
    assert row[3].startswith("**50.0**<br>")  # "no": the second goal of each episode
    assert row[6] == "–"  # texture
    shares = cells(text, "Why goals were lost", "onemap")
    assert shares[1:] == ["5", "0.0", "40.0", "60.0"]  # five lost: two on the map, three timeouts
    variant = cells(text, "mlfm by layers", "1")
    assert variant[1] == "6"
    assert variant[2].startswith("33.3<br>")
    assert "mlfm@layers=1" not in text[: text.index("How to repeat this")]
    assert "navproof run --agent mlfm,mlfm@layers=1,onemap --suite langnav-sample" in text
    assert "langnav-v1 `" in text
    assert "navproof 0.2.0" in text


def test_what_a_person_wrote_stays(main: Main, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "langnav.md"
    main([str(run), "-o", str(out)])
    written = "MLFM is first.\n\nAnd | this, too.\n"
    empty = "<!-- prose: discussion -->\n<!-- /prose -->"
    text = out.read_text(encoding="utf-8")
    assert empty in text
    full = text.replace(empty, f"<!-- prose: discussion -->\n{written}<!-- /prose -->")
    out.write_text(full, encoding="utf-8")
    main([str(run), "-o", str(out)])
    assert out.read_text(encoding="utf-8") == full


def test_bad_runs_end_in_one_line(main: Main, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="does not exist"):
        main([str(tmp_path / "no"), "-o", str(tmp_path / "x.md")])
    assert not (tmp_path / "x.md").exists()

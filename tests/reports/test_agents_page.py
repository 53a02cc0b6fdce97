"""``scripts/results_agents.py``: the worst first, and what one option changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from langnav_samples import langnav_run

Main = Callable[[Sequence[str]], None]


@pytest.fixture
def main(script: Callable[[str], Main]) -> Main:
    return script("results_agents")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    agents = {
        "l3mvn@lm=stats": ["www", "wdt"],
        "l3mvn@lm=none": ["wwt", "ddt"],
        "apexnav@lm=stats": ["wmm", "www"],
        "apexnav@lm=stats@mode=geometric": ["wmm", "wwt"],
    }
    return langnav_run(tmp_path_factory.mktemp("page") / "run", agents)


def rows(text: str, heading: str) -> list[list[str]]:
    """The first table below a heading, without its head."""
    below = text[text.index(f"\n## {heading}\n") :].splitlines()
    first = next(i for i, line in enumerate(below) if line.startswith("| ---"))
    lines = []
    for line in below[first + 1 :]:
        if not line.startswith("|"):
            break
        lines.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return lines


def test_the_worst_come_first(main: Main, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "agents.md"
    main([str(run), "-o", str(out)])
    text = out.read_text(encoding="utf-8")
    scores = rows(text, "LangNav v1")
    assert scores[0][0] == "l3mvn@lm=none"
    assert scores[0][1:3] == ["2", "6"]
    shares = [float(line[3].split("<br>")[0]) for line in scores]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(2 / 6, abs=1e-3)
    assert "| agent | wrong detection |" in text
    assert "navproof run --agent" in text
    assert f"python scripts/results_agents.py {run} -o {out}" in text


def test_pairs_differ_in_one_option(main: Main, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "agents.md"
    main([str(run), "-o", str(out)])
    text = out.read_text(encoding="utf-8")
    (prior,) = rows(text, "What language priors change")
    assert prior[1:3] == ["l3mvn@lm=stats − l3mvn@lm=none", "2"]
    assert prior[3].lstrip("*").startswith("+0.333")
    (ablation,) = rows(text, "With other options")
    assert ablation[1] == "apexnav@lm=stats − apexnav@lm=stats@mode=geometric"
    assert ablation[3].lstrip("*").startswith("+0.167")


def test_what_a_person_wrote_stays(main: Main, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "agents.md"
    main([str(run), "-o", str(out)])
    empty = "<!-- prose: discussion -->\n"
    full = out.read_text(encoding="utf-8").replace(empty, f"{empty}Priors help.\n")
    out.write_text(full, encoding="utf-8")
    main([str(run), "-o", str(out)])
    assert out.read_text(encoding="utf-8") == full

"""``scripts/results_trust.py``: tables from traces, prose kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from trust_samples import COUNT, spoiled_trace, trust_run

from navproof.log import RunFolder

Main = Callable[[Sequence[str]], None]


@pytest.fixture
def main(script: Callable[[str], Main]) -> Main:
    return script("results_trust")


def test_tables_command_and_prose(main: Main, tmp_path: Path) -> None:
    losses = {"mlfm": {"clean": 1, "spatter": 4, "depth_missing": 2, "formal": 1}}
    run, out = trust_run(tmp_path / "run", losses), tmp_path / "trust.md"
    main([str(run), "-o", str(out)])
    page = out.read_text(encoding="utf-8")
    for heading in ("Clean", "Retained, by family", "Every condition", "Difficulty"):
        assert f"\n## {heading}\n" in page
    line, *_ = [x for x in page.splitlines() if x.startswith("| spatter ")]
    assert line.split(" | ")[1:3] == ["hard", f"{1 - 4 / COUNT:.2f}"]
    assert f"python scripts/results_trust.py {run} -o {out}" in page
    empty = "<!-- prose: discussion -->\n"
    full = page.replace(empty, f"{empty}Light matters.\n")
    out.write_text(full, encoding="utf-8")
    main([str(run), "-o", str(out)])
    assert out.read_text(encoding="utf-8") == full


def test_seeds_are_told_apart(main: Main, tmp_path: Path) -> None:
    losses = {"mlfm": {"clean": 2, "spatter": 3, "formal": 2}}
    run = RunFolder(trust_run(tmp_path / "run", losses, seeds=(0, 1), results=False))
    for index in range(COUNT):  # in the second seed spatter costs three more
        trace = spoiled_trace("mlfm", "vln-v1", index, "spatter", 1, index < 6)
        run.write(trace)
    out = tmp_path / "trust.md"
    main([str(run.path), "-o", str(out)])
    page = out.read_text(encoding="utf-8")
    told = page[page.index("## Between seeds") : page.index("## Every condition")]
    first, second = ((1.0 + (COUNT - lost) / (COUNT - 2)) / 2 for lost in (3, 6))
    spread = 3 / COUNT
    numbers = (first, second, spread / 2, spread)
    assert f"| mlfm | {' | '.join(f'{number:.2f}' for number in numbers)} |" in told


@pytest.mark.parametrize(
    ("agents", "title", "over"),
    [
        (("mlfm",), "What one agent retains", "SR retained:"),
        (("mlfm", "route"), "What two agents retain", "SR retained over both agents:"),
        (("mlfm", "route", "vlfm"), "What three agents retain", "SR retained over all agents:"),
    ],
)
def test_the_title_tells_how_many_agents_there_are(
    main: Main, tmp_path: Path, agents: tuple[str, ...], title: str, over: str
) -> None:
    losses = {agent: {"clean": 1, "spatter": 4} for agent in agents}
    run, out = trust_run(tmp_path / "run", losses), tmp_path / "trust.md"
    main([str(run), "-o", str(out)])
    page = out.read_text(encoding="utf-8")
    assert page.startswith(f"# {title}\n")
    assert f"\nBy the {over}\n" in page


def test_a_sweep_gives_curves_and_nothing_else(main: Main, tmp_path: Path) -> None:
    run = trust_run(tmp_path / "run", {"mlfm": {"clean": 1, "spatter": 4}})
    swept = {"clean": 2, "flare@0.25": 2, "flare@0.5": 3, "flare@0.75": 5}
    sweep = trust_run(tmp_path / "sweep", {"mlfm": swept})
    out = tmp_path / "results" / "trust.md"
    main([str(run), str(sweep), "-o", str(out)])
    page = out.read_text(encoding="utf-8")
    clean = page[page.index("## Clean") : page.index("## Retained")]
    assert len([line for line in clean.splitlines() if line.startswith("| mlfm")]) == 1
    (curve,) = [line for line in page.splitlines() if line.startswith("| flare |")]
    kept = [f"{(COUNT - lost) / (COUNT - 2):.2f}" for lost in (2, 3, 5)]
    assert curve.split(" | ")[2:5] == kept
    assert f"-o {sweep}" in page
    assert "](../images/trust-curves.svg)" in page
    assert ">flare</text>" in (tmp_path / "images" / "trust-curves.svg").read_text("utf-8")
    main([str(sweep), "-o", str(out)])
    assert out.read_text(encoding="utf-8").count("| flare | ") == 1  # alone, told once


def test_clean_runs_are_refused(main: Main, run_path: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no corrupted episode"):
        main([str(run_path), "-o", str(tmp_path / "x.md")])
    assert not (tmp_path / "x.md").exists()

"""Write docs/tasks/missions-dataset.md: what a folder of missions holds, beside OmniNavBench.

    navproof episodes generate missions --all -o FOLDER --demonstrations --workers 8
    python scripts/missions_dataset.py FOLDER

The numbers are those of ``FOLDER/stats/stats.json``; the paper's are from its section III-C,
Table I and Figure 2.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "docs" / "missions-dataset.md"
PAPER: Mapping[str, str] = {
    "scenes": "170 (58 / 112)",
    "missions": "1,779 (592 / 1,187)",
    "instructions": "7,116",
    "% with 2 sub-instructions": "39",
    "% with 3": "32",
    "% with 4 or more": "29",
    "% of VLN that is to return": "28.6",
    "words per instruction": "42",
    "shortest": "9",
    "longest": "over 130",
    "expert's seconds": "48.9",
    "expert's metres": "16.7",
}
SHARES = {"VLN": 42, "ObjectNav": 22, "SocialNav": 12, "follow": 10, "PointNav": 8, "EQA": 6}


def main() -> None:
    folder = Path(sys.argv[1])
    sets: list[dict[str, Any]] = json.loads((folder / "stats" / "stats.json").read_text())
    TARGET.write_text(_page(sets))
    print(f"written: {TARGET}")


def _page(sets: list[dict[str, Any]]) -> str:
    whole = sets[-1]
    names = " | ".join(f"`{s['name']}`" for s in sets)
    lines = [
        "# The missions as a dataset",
        "",
        "Made by `navproof episodes generate missions --all -o FOLDER --demonstrations` "
        "([files](demonstrations.md)); this page by `python scripts/missions_dataset.py FOLDER`.",
        "",
        f"| | OmniNavBench | {names} |",
        "|---|---|" + "---|" * len(sets),
    ]
    for row, value in PAPER.items():
        cells = " | ".join(_said(s["table"][row]) for s in sets)
        lines.append(f"| {row} | {value} | {cells} |")
    for skill, share in SHARES.items():
        cells = " | ".join(_said(_share(s["by_skill"], skill)) for s in sets)
        lines.append(f"| % of sub-instructions: {skill} | {share} | {cells} |")
    styles = ", ".join(f"{name} {mean:.1f}" for name, mean in whole["words_by_style"].items())
    robots = ", ".join(f"{name} {count}" for name, count in whole["by_robot"].items())
    asked = ", ".join(f"{name} {count}" for name, count in whole["by_question"].items())
    lines += [
        "",
        f"Over all: mean words by style: {styles}. Missions by robot: {robots}. "
        f"Questions: {asked}.",
        "",
        "The paper's scenes are 85 synthetic ones and 85 scans, its demonstrations are people's; "
        "ours are generated and algorithmic. Its skills and its word counts are those of its "
        "section III-C, Table I and Figure 2.",
        "",
    ]
    return "\n".join(lines)


def _share(counts: Mapping[str, int], skill: str) -> float:
    return 100.0 * counts.get(skill, 0) / max(1, sum(counts.values()))


def _said(value: float | int | None) -> str:
    if value is None:
        return ""
    return f"{value:.1f}" if isinstance(value, float) else f"{value:,}"


if __name__ == "__main__":
    main()

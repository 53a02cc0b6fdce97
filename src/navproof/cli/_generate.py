"""``navproof episodes generate``: whole suites of missions as files, with what they hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import Progress

from navproof.cli.terminal.output import console

if TYPE_CHECKING:
    from navproof.tasks.mission.dataset import SuiteResult

__all__ = ["generate_suites"]


def generate_suites(
    names: list[str], output: Path, demonstrations: bool, workers: int, bar: Progress
) -> list[SuiteResult]:
    """Make each suite, then count all of them; prints what came of it."""
    from navproof.cli.terminal.episode_stats import show_stats
    from navproof.tasks.mission.dataset import make_missions
    from navproof.tasks.suites import SUITES

    made: list[SuiteResult] = []
    for name in names:
        scenes = SUITES.get(name).scenes if name in SUITES else ()
        row = bar.add_task(f"making {name}", total=len(scenes))

        def scene_done(scene: str, why: str, row: int = row) -> None:  # of this suite's row
            bar.advance(row)  # type: ignore[arg-type]
            if why:
                bar.console.print(f"{scene}: {why}", highlight=False, markup=False)

        made.append(make_missions(name, output, workers, scene_done))
    bar.stop()
    held = {one.suite: one.episodes for one in made if one.episodes}
    if held:
        show_stats(list(held), lambda name: held[name], output / "stats", json=False)
    for one in made:
        shown = output / f"{one.suite}.demonstrations.jsonl.gz"
        if not demonstrations:
            shown.unlink(missing_ok=True)
        more = f" and {shown.name}" if demonstrations else ""
        console.print(
            f"{one.suite}: {len(one.episodes)} of {one.wanted} missions → "
            f"{output / one.suite}.jsonl.gz{more}",
            highlight=False,
        )
    return made

"""``navproof episodes``: make, generate, show, validate, count."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from navproof.cli.terminal.output import JsonFlag, console, print_json, print_table

if TYPE_CHECKING:
    from navproof.core.types import Episode
    from navproof.tasks.mission.dataset import SuiteResult

__all__ = ["app"]


app = typer.Typer(no_args_is_help=True, help="Make, show and validate episodes.")


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=_stderr(),
        transient=True,
    )


def _stderr() -> Any:
    from rich.console import Console

    return Console(stderr=True, emoji=False)


@app.command()
def make(
    output: Annotated[Path, typer.Option("--output", "-o", help="A .jsonl or .jsonl.gz file.")],
    task: Annotated[
        str, typer.Option(help="pointnav, objectnav, vln, langnav, mission, or my_task.py:TASK.")
    ] = "vln",
    scene: Annotated[
        list[str] | None, typer.Option(help="A scene id or file; may be given again.")
    ] = None,
    scenes: Annotated[
        str | None, typer.Option(help="Several, as kind/split/first-last: home/val/0-9.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Episodes a task in each scene.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other episodes.")] = 1,
    aligned: Annotated[
        bool, typer.Option("--aligned", help="VLN and ObjectNav with the same start and goal.")
    ] = False,
    extended: Annotated[
        bool, typer.Option("--extended", help="LangNav with negation, anchors, sides, “it”.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes; the file is the same.")] = 1,
) -> None:
    """Generate episodes and write them to a file."""
    from functools import partial

    from navproof.api.outputs import EPISODES, check_output
    from navproof.core.errors import EpisodeError
    from navproof.core.processes import in_processes
    from navproof.tasks.episodes import write_episodes
    from navproof.tasks.generate import ALIGNED, episodes_of_scene
    from navproof.tasks.kind import short_name
    from navproof.tasks.registry import task_id

    if not output.name.endswith((".jsonl", ".jsonl.gz")):
        raise EpisodeError(f"{output}: the name must end in .jsonl or .jsonl.gz")
    tasks = ALIGNED if aligned else (task_id(task),)
    names = _scene_names(scene or [], scenes)
    check_output(output, EPISODES, names, makes_folder=True)
    call = partial(episodes_of_scene, tasks, count, seed, aligned, extended)
    made: dict[int, tuple[Episode, ...]] = {}
    with _bar() as bar:
        row = bar.add_task("making episodes", total=len(names))
        for index, result in in_processes(call, names, workers):
            made[index] = result()
            bar.advance(row)
    episodes = [episode for index in sorted(made) for episode in made[index]]
    write_episodes(output, episodes)
    what = " and ".join(short_name(t) for t in tasks)
    console.print(f"{len(episodes)} {what} episodes in {len(names)} scene(s) → {output}")


@app.command()
def generate(
    suite: Annotated[str, typer.Argument(help="missions, missions-train or missions-mini.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A folder.")],
    every: Annotated[
        bool, typer.Option("--all", help="Both splits, as many missions as OmniNavBench has.")
    ] = False,
    demonstrations: Annotated[
        bool, typer.Option("--demonstrations", help="An expert's waypoints (x, y, θ, t), too.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes; the files are the same.")] = 1,
) -> None:
    """Make a whole suite of missions as files, count them and draw the figures. What is already in
    the folder is kept: run it again to go on; exit code 1 where a scene could not be made."""
    from navproof.api.outputs import EPISODES, check_output, check_output_folder
    from navproof.tasks.mission.dataset import MISSION_SUITES

    names = list(dict.fromkeys([suite, *(MISSION_SUITES if every else ())]))
    check_output_folder(output, option="--output")
    for name in names:
        check_output(output / f"{name}.jsonl.gz", EPISODES, makes_folder=True)
    with _bar() as bar:
        made = _generate_suites(names, output, demonstrations, workers, bar)
    if any(one.failed for one in made):
        raise typer.Exit(1)


def _generate_suites(
    names: list[str], output: Path, demonstrations: bool, workers: int, bar: Progress
) -> list[SuiteResult]:
    """Make each suite and count its episodes; prints how many there are and where they lie."""
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
    episodes = {one.suite: one.episodes for one in made if one.episodes}
    if episodes:
        show_stats(list(episodes), lambda name: episodes[name], output / "stats", json=False)
    for one in made:
        demonstration_file = output / f"{one.suite}.demonstrations.jsonl.gz"
        if not demonstrations:
            demonstration_file.unlink(missing_ok=True)
        more = f" and {demonstration_file.name}" if demonstrations else ""
        console.print(
            f"{one.suite}: {len(one.episodes)} of {one.wanted} missions → "
            f"{output / one.suite}.jsonl.gz{more}",
            highlight=False,
        )
    return made


def _scene_names(one_by_one: list[str], spread: str | None) -> list[str]:
    from navproof.cli.terminal.scene_names import scene_range
    from navproof.core.errors import SpecError

    names = [*one_by_one, *([] if spread is None else scene_range(spread, "--scenes"))]
    if not names:
        raise SpecError("no scene given: use --scene home/val/3 or --scenes home/val/0-9")
    return names


@app.command()
def show(
    what: Annotated[str, typer.Argument(help="An episode file, a suite or a packed suite.")],
    episode_id: Annotated[str | None, typer.Argument(help="One episode, in full.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Draw the path on the plan (PNG).")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List the episodes of a file or suite, or show one of them in full."""
    from navproof.api.outputs import PICTURE, check_output

    if output is not None:
        check_output(output, PICTURE, [what], makes_folder=True)
    episodes = _load(what)
    if episode_id is None and output is None:
        rows = [_row(e) for e in episodes]
        if json:
            print_json(rows)
        else:
            for row in rows:
                row["instruction"] = _short(row["instruction"])
            columns = ("episode", "length m", "goal", "instruction")
            print_table(f"{what}: {len(rows)} episodes", rows, columns)
        return
    chosen = _find(episodes, episode_id, what)
    if json:
        from json import loads

        from navproof.tasks.episodes import episode_to_json

        print_json(loads(episode_to_json(chosen)))
    else:
        _print_one(chosen)
    if output is not None:
        from navproof.tasks.picture import draw_episode

        draw_episode(chosen, output)
        _stderr().print(f"drawn → {output}")


def _load(what: str) -> tuple[Episode, ...]:
    from navproof.tasks.suites import load_suite

    with _bar() as bar:
        row = bar.add_task("", total=None, visible=False)

        def progress(done: int, total: int, scene: str) -> None:
            text = f"making {what}: {scene}"
            bar.update(row, completed=done, total=total, description=text, visible=True)

        return load_suite(what, progress)


def _row(episode: Episode) -> dict[str, Any]:
    text = episode.instruction.text if episode.instruction else ""
    return {
        "episode": episode.episode_id,
        "scene": episode.scene,
        "length m": round(episode.geodesic_m, 2),
        "goal": ", ".join(goal.category or goal.kind for goal in episode.goals),
        "instruction": text,
    }


def _short(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[: longest - 1].rsplit(" ", 1)[0] + " …"


def _find(episodes: tuple[Episode, ...], episode_id: str | None, what: str) -> Episode:
    from navproof.core.errors import EpisodeError
    from navproof.core.registry import suggest

    if episode_id is None:
        return episodes[0]
    for episode in episodes:
        if episode.episode_id == episode_id:
            return episode
    hint = suggest(episode_id, [e.episode_id for e in episodes][:50])
    raise EpisodeError(f"{what} has no episode '{episode_id}'{hint}")


def _print_one(episode: Episode) -> None:
    start = episode.start
    lines = [f"{episode.episode_id}  {episode.task} in {episode.scene}"]
    if episode.instruction is not None and len(episode.goals) == 1:
        lines.append(f"  “{episode.instruction.text}”")
    lines.append(f"  start ({start.x:.2f}, {start.y:.2f}), heading {start.yaw:.2f} rad")
    for index, goal in enumerate(episode.goals):
        leg = episode.tags.get(f"leg_{index}_m") if index else episode.geodesic_m
        away = f", the nearest {leg:.2f} m away" if isinstance(leg, int | float) else ""
        places = f"{len(goal.positions)} position(s)"
        if len(episode.goals) > 1:
            lines.append(f"  {index + 1}. “{goal.text}”")
        lines.append(f"  goal {goal.category or 'point'}: {places}{away}")
        if goal.tags:
            facts = ", ".join(f"{k}={v}" for k, v in sorted(goal.tags.items()))
            things = " ".join(str(i) for i in goal.object_ids)
            lines.append(f"     fits object {things}; {facts}")
    lines.append(f"  budget {episode.budget_steps} steps, seed {episode.seed}")
    if episode.tags:
        lines.append("  tags " + ", ".join(f"{k}={v}" for k, v in sorted(episode.tags.items())))
    for clause in episode.instruction.clauses if episode.instruction else ():
        rest = {k: v for k, v in clause.items() if k not in ("kind", "at_m", "words")}
        facts = ", ".join(f"{k}={v}" for k, v in rest.items())
        head = f"{clause.get('at_m', '?'):>6} m  {clause.get('kind', '?'):<8}"
        lines.append(f"  {head} “{clause.get('words', '')}”  {facts}")
    console.print("\n".join(lines), highlight=False, markup=False)
    if episode.reference_path:
        console.print(_sketch(episode), highlight=False, markup=False)


def _sketch(episode: Episode, width: int = 56) -> str:
    """The path from above in characters: S start, · way, G end."""
    xs = [p[0] for p in episode.reference_path]
    ys = [p[1] for p in episode.reference_path]
    scale = max(max(xs) - min(xs), max(ys) - min(ys), 1.0) / (width - 1)
    rows = int((max(ys) - min(ys)) / (2 * scale)) + 1
    grid = [[" "] * width for _ in range(rows)]

    def put(x: float, y: float, mark: str) -> None:
        column = min(width - 1, int((x - min(xs)) / scale))
        grid[min(rows - 1, int((max(ys) - y) / (2 * scale)))][column] = mark

    path = episode.reference_path
    for a, b in itertools.pairwise(path):
        for k in range(101):
            put(a[0] + (b[0] - a[0]) * k / 100, a[1] + (b[1] - a[1]) * k / 100, "·")
    put(path[0][0], path[0][1], "S")
    put(path[-1][0], path[-1][1], "G")
    return "\n".join("  " + "".join(row).rstrip() for row in grid)


@app.command()
def validate(
    file: Annotated[str, typer.Argument(help="An episode file, a suite or a packed suite.")],
    json: JsonFlag = False,
) -> None:
    """Check every episode against its scene; exit code 1 where something is wrong."""
    from navproof.tasks.suites import settings_of
    from navproof.tasks.validate import validate_episodes
    from navproof.world.library import load_scene

    episodes = _load(file)
    with _bar() as bar:
        row = bar.add_task(f"checking {file}", total=len(episodes))
        faults = validate_episodes(
            episodes,
            load_scene,
            lambda done: bar.update(row, completed=done),
            settings_of(file),
        )
    if json:
        names = ("line", "episode_id", "field", "what")
        rows = [{n: getattr(f, n) for n in names} for f in faults]
        print_json({"episodes": len(episodes), "faults": rows})
    else:
        for fault in faults:
            print(f"{file}, {fault}")
        good = len(episodes) - len({f.line for f in faults})
        console.print(f"{good} of {len(episodes)} episodes are sound")
    if faults:
        raise typer.Exit(1)


@app.command()
def stats(
    what: Annotated[list[str], typer.Argument(help="Episode files, suites or packed suites.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A folder for a page and its figures.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Count what episodes hold: scenes, categories, linguistic features, lengths."""
    from navproof.api.outputs import PAGE, check_output, check_output_folder
    from navproof.cli.terminal.episode_stats import show_stats

    if output is not None:
        check_output_folder(output, option="--output")
        check_output(output / "index.html", PAGE, what, makes_folder=True)
    show_stats(what, _load, output, json)

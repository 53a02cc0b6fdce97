"""``write_report``: run folders in, one self-contained HTML file out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from navproof import __version__
from navproof.core.errors import RunError
from navproof.core.types import Observation
from navproof.log import RunFolder, Trace
from navproof.log.clocks import clock_of
from navproof.log.unfollowed import unfollowed_notes
from navproof.metrics import FAILURES, MetricLike
from navproof.reports import tables
from navproof.reports.draw.charts import legend_mark
from navproof.reports.gather import OUTCOMES, Entrant, Gathered, commands, gather
from navproof.reports.sections.langnav.examples import Example, examples
from navproof.reports.sections.langnav.section import goal_sections, slug
from navproof.reports.sections.listing import Listing, listing
from navproof.reports.sections.missions.section import mission_section
from navproof.reports.sections.stories import Story, pick, tell
from navproof.reports.sections.trust.choose import choose_pairs, pairs_of
from navproof.reports.sections.trust.heat import scale_bar
from navproof.reports.sections.trust.methods import methods, protocol
from navproof.reports.sections.trust.section import TrustSection, trust_section
from navproof.reports.sections.trust.stories import DamageStory, tell_damage
from navproof.reports.sections.trust.wordings import wordings
from navproof.reports.sections.usage import usage_lines
from navproof.world.scene import Scene

if TYPE_CHECKING:
    from navproof.reports.sections.diagnosis.section import DiagnosisSection

__all__ = ["LARGEST", "compose", "templates", "write_page", "write_report"]

LARGEST = 5_000_000
"""Bytes below which a report stays: small enough to mail."""
_ROOMS = (3_200_000, 1_600_000, 600_000, 0)  # for pictures, tried in turn


def write_report(
    runs: Sequence[Path],
    out: Path,
    *,
    episodes: int = 6,
    metrics: MetricLike | Iterable[MetricLike] = (),
) -> Path:
    """Write one HTML file about ``runs`` (agents side by side) and return its path.

    The file needs no network and is under 5 MB; the same traces give the same bytes. ``episodes``
    is how many episodes are shown in full. Of runs under several conditions these are the most
    damaged ones beside their clean twins, and a third as many clean ones. ``metrics`` are
    more metrics to show, beside those that the runs remember.
    """
    from navproof.world.library import load_scene

    if episodes < 0:
        raise RunError(f"--episodes must be 0 or more, got {episodes}")
    gathered = gather([RunFolder(path) for path in _distinct(runs)], metrics)
    section, load = trust_section(gathered), _cached(load_scene)
    chosen = pick(gathered, episodes if section is None else episodes // 3)
    damaged = choose_pairs(pairs_of(gathered), episodes)
    shown = {t: examples(gathered, t, load) for t in gathered.tasks if gathered.in_sequence(t)}
    causes = _causes(gathered, load)
    page = ""
    for room in _ROOMS:
        pairs = tell_damage(gathered, damaged, load, _seen, room // 2)
        room -= room // 2 if damaged else 0
        told = tell(gathered, chosen, load, room)
        everything = listing(gathered, load, told)
        page = compose(gathered, told, shown, section, pairs, causes, everything)
        if len(page.encode()) < LARGEST:
            break
    return write_page(page, out)


def _causes(g: Gathered, load: Callable[[str], Scene]) -> DiagnosisSection | None:
    """The section about causes of failures, where runs have been diagnosed."""
    if not any((run.path / "diagnosis.json").is_file() for run in g.runs):
        return None
    from navproof.reports.sections.diagnosis.section import diagnosis_section

    return diagnosis_section(g, load)


def _seen(trace: Trace, steps: Sequence[int], scene: Scene) -> list[Observation]:
    from navproof.play.seen import seen

    return seen(trace, steps, scene)


def _distinct(runs: Sequence[Path]) -> list[Path]:
    """The folders without repetitions."""
    seen: dict[Path, Path] = {}
    for path in runs:
        seen.setdefault(Path(path).resolve(), Path(path))
    return list(seen.values())


def _cached(load: Callable[[str], Scene]) -> Callable[[str], Scene]:
    kept: dict[str, Scene] = {}

    def loaded(name: str) -> Scene:
        if name not in kept:
            kept.clear()
            kept[name] = load(name)
        return kept[name]

    return loaded


def templates() -> jinja2.Environment:
    """Where the templates of pages are, and what they may use."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("navproof.reports", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["svg"] = Markup
    environment.globals["key_of"] = lambda series: Markup(legend_mark(series))
    return environment


def write_page(page: str, out: Path) -> Path:
    """Write a page, with the folders above it, and return its path."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RunError(f"cannot write {out}: {error.strerror or error}") from None
    return out


def compose(
    g: Gathered,
    stories: Sequence[Story],
    shown: Mapping[str, Sequence[Example]],
    trust: TrustSection | None = None,
    damaged: Sequence[DamageStory] = (),
    diagnosis: DiagnosisSection | None = None,
    everything: Listing | None = None,
) -> str:
    """The page as text; ``shown`` are the examples of each task with several goals, ``trust`` and
    ``damaged`` what was run under other conditions than clean, ``diagnosis`` why runs failed,
    ``everything`` the list of all episodes."""
    bars, used = tables.failures(g)
    columns = tables.columns_of(g)
    return (
        templates()
        .get_template("report.html.j2")
        .render(
            title=_title(g),
            lead=_lead(g),
            facts=_facts(g),
            g=g,
            keys={e.series: Markup(legend_mark(e.series)) for e in g.entrants},
            summary=tables.summary(g),
            side=tables.side_by_side(g),
            differences=tables.differences(g),
            heat=tables.heat_tables(g),
            distributions=tables.distributions(g),
            failures=bars,
            used=used,
            reasons=tables.reasons(g),
            stories=stories,
            sections=goal_sections(g),
            missions=mission_section(g),
            usage=usage_lines(g),
            examples=shown,
            metrics=columns,
            outcomes=list(OUTCOMES.items()),
            failure_styles=["found", *map(slug, FAILURES)],
            commands=commands(g),
            specs=_spec_texts(g),
            unfollowed=[line for i in g.infos for line in unfollowed_notes(i, whole=True)],
            versions=sorted({f"{k} {v}" for i in g.infos for k, v in i.versions.items()}),
            version=__version__,
            task_title=tables.task_title,
            trust=trust,
            ramp=scale_bar(),
            damaged=damaged,
            diagnosis=diagnosis,
            listing=everything,
            doing={task: g.doing(task) for task in g.tasks},
            wordings=wordings(g),
            methods=methods(g, trust.scores) if trust else [],
            protocol=protocol(trust.scores) if trust else [],
        )
    )


def _names(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _suites(g: Gathered) -> list[str]:
    """The suites' names, where the run says them."""
    return sorted({str(i.spec["suite"]) for i in g.infos if i.spec.get("suite")})


def _title(g: Gathered) -> str:
    agents = [e.label for e in g.entrants]
    shown = _names(agents) if len(agents) <= 4 else f"{len(agents)} agents"
    suites = _suites(g)
    place = _names(suites) if suites else _names([tables.task_title(t) for t in g.tasks])
    return f"{shown} on {place}"


def _lead(g: Gathered) -> list[tuple[str, str]]:
    """One clause per agent: (label, what it did)."""
    return [(e.label, " and ".join(_did(g, e))) for e in g.entrants[:4]]


def _did(g: Gathered, entrant: Entrant) -> list[str]:
    """What an agent did with episodes of one goal, and with the goals of the others."""
    rows = [r for r in g.of(entrant) if not r.goals]
    goals = [goal for r in g.of(entrant) for goal in r.goals]
    done = []
    if rows:
        won = sum(r.outcome == "success" for r in rows)
        share = f"{100 * won / len(rows):.0f} %"
        done.append(f"reached the goal in {won} of {len(rows)} episodes ({share})")
    if goals:
        found = sum(goal.success for goal in goals)
        done.append(f"found {found} of {len(goals)} goals ({100 * found / len(goals):.0f} %)")
    return done


def _facts(g: Gathered) -> list[tuple[str, str, str]]:
    """(term, value, small print)."""
    episodes = {(r.task, r.key.episode_id) for r in g.rows}
    goals = {(r.task, r.key.episode_id): len(r.goals) for r in g.rows if r.goals}
    seeds = sorted({r.key.seed for r in g.rows})
    robots = sorted({r.mission.group["robot"] for r in g.rows if r.mission is not None})
    facts = [
        ("Agents", str(len(g.entrants)), ""),
        ("Tasks", ", ".join(tables.task_title(t) for t in g.tasks), ""),
        ("Episodes", str(len(episodes)), f"{len(g.rows)} runs" if len(g.entrants) > 1 else ""),
        *([("Goals", str(sum(goals.values())), "")] if goals else []),
        *([("Robots", ", ".join(robots), "")] if robots else []),
        ("Scenes", str(len(g.scenes)), ""),
        ("Seed" if len(seeds) == 1 else "Seeds", ", ".join(map(str, seeds)), ""),
    ]
    if disturbed := {t.key.condition for t in g.trials} - {"clean"}:
        facts.append(("Conditions", f"{len(disturbed) + 1}", "clean among them"))
    packs = {i.spec["pack"]["digest"]: i.spec["pack"]["name"] for i in g.infos if "pack" in i.spec}
    for digest, name in sorted(packs.items()):
        facts.append(("Packed suite", name, f"sha256 {digest[:12]}…"))
    clocks = sorted({clock_of(i) for i in g.infos})
    if clocks != ["wait"]:
        facts.append(("Clock" if len(clocks) == 1 else "Clocks", ", ".join(clocks), ""))
    hashes = sorted({i.spec_hash for i in g.infos})
    facts.append(("Run spec", ", ".join(h[:12] for h in hashes), ""))
    navproof = sorted({i.versions["navproof"] for i in g.infos if "navproof" in i.versions})
    facts.append(("navproof", ", ".join(navproof) or __version__, ""))
    return facts


def _spec_texts(g: Gathered) -> list[tuple[str, str]]:
    """The spec of each run as indented JSON, under the folder's name."""
    import json

    return [
        (
            f"{run.path.name or run.path} · {info.spec_hash[:12]}",
            json.dumps(info.spec, indent=2, sort_keys=True, default=str, ensure_ascii=False),
        )
        for run, info in zip(g.runs, g.infos, strict=True)
    ]

"""Charts of a diagnosis: the errors of one run over its steps, and failures found by testers."""

from __future__ import annotations

from collections.abc import Sequence

from navproof.diagnosis.capabilities import PIPELINE, Capability
from navproof.diagnosis.types import Diagnosis
from navproof.reports.draw.charts import WIDTH
from navproof.reports.draw.svg import Scale, dash, nice_ticks, number, picture, tag, text, title

__all__ = ["discovery", "series_of", "timeline"]

_LEFT, _RIGHT = 74.0, 10.0
_LANE, _GAP, _TOP = 34.0, 12.0, 18.0


def series_of(capability: Capability) -> int:
    """The colour of a capability."""
    return capability.rank


def timeline(diagnosis: Diagnosis) -> str:
    """Error values of every capability over the steps, one lane each: where it was not judged the
    line is broken; the dashed line is the threshold, bouts above it are shaded, the source is
    marked."""
    steps = max(1, len(diagnosis.errors) - 1)
    xs = Scale(0.0, float(steps), _LEFT, WIDTH - _RIGHT)
    bottom = _TOP + len(PIPELINE) * (_LANE + _GAP)
    parts: list[str] = []
    for tick in nice_ticks(0.0, float(steps), 5):
        if tick <= steps:
            x = xs(tick)
            parts.append(tag("line", class_="grid", x1=x, x2=x, y1=_TOP, y2=bottom - _GAP))
            parts.append(text(x, bottom + 4, f"{tick:g}", class_="tick", text_anchor="middle"))
    parts.append(text(xs.end, bottom + 19, "step", class_="caption", text_anchor="end"))
    spoken = []
    for lane, capability in enumerate(PIPELINE):
        top = _TOP + lane * (_LANE + _GAP)
        parts += _lane(diagnosis, capability, xs, top)
        peak = max((e.values.get(capability, 0.0) for e in diagnosis.errors), default=0.0)
        spoken.append(f"{capability}: greatest error {peak:.2f}")
    if diagnosis.attribution is not None:
        parts += _source(diagnosis, xs, bottom)
        found = diagnosis.attribution
        spoken.append(f"the source is {found.capability} at step {found.step}")
    label = "Error values over the steps. " + "; ".join(spoken)
    return picture(WIDTH, bottom + 24, label, *parts)


def _lane(diagnosis: Diagnosis, capability: Capability, xs: Scale, top: float) -> list[str]:
    ys = Scale(0.0, 1.0, top + _LANE, top)
    style = f"s{series_of(capability)}"
    parts = [text(0, top + _LANE / 2 + 4, capability, class_="row")]
    for bout in diagnosis.bouts:
        if bout.capability is capability:
            x0, x1 = xs(bout.first - 0.5), xs(bout.last + 0.5)
            words = f"{bout.kind.said} ({bout.kind}), steps {bout.first} to {bout.last}"
            shape = {"x": x0, "y": top, "width": max(1.5, x1 - x0), "height": _LANE}
            parts.append(tag("rect", title(words), class_=f"bout {style}", **shape))
    base = top + _LANE
    parts.append(tag("line", class_="grid", x1=xs.start, x2=xs.end, y1=base, y2=base))
    for stretch in _stretches(diagnosis, capability):
        points = " ".join(f"{number(xs(step))},{number(ys(value))}" for step, value in stretch)
        if len(stretch) == 1:
            step, value = stretch[0]
            parts.append(tag("circle", class_=f"speck {style}", cx=xs(step), cy=ys(value), r=1.4))
        else:
            parts.append(tag("polyline", class_=f"curve error {style}", points=points))
    if diagnosis.thresholds is not None:
        y = ys(diagnosis.thresholds.values.get(capability, 1.0))
        parts.append(tag("line", class_="reference", x1=xs.start, x2=xs.end, y1=y, y2=y))
    return parts


def _stretches(diagnosis: Diagnosis, capability: Capability) -> list[list[tuple[int, float]]]:
    """Runs of steps in which the capability was judged."""
    found: list[list[tuple[int, float]]] = []
    before = None
    for errors in diagnosis.errors:
        if capability not in errors.values:
            continue
        if before is None or errors.step != before + 1:
            found.append([])
        found[-1].append((errors.step, errors.values[capability]))
        before = errors.step
    return found


def _source(diagnosis: Diagnosis, xs: Scale, bottom: float) -> list[str]:
    found = diagnosis.attribution
    assert found is not None
    x = xs(found.step)
    beyond = x > (xs.start + xs.end) / 2
    anchor, shift = ("end", -4) if beyond else ("start", 4)
    words = f"source: {found.kind}, step {found.step}"
    return [
        tag("line", class_="source", x1=x, x2=x, y1=_TOP - 8, y2=bottom - _GAP),
        text(x + shift, _TOP - 6, words, class_="value", text_anchor=anchor),
    ]


def discovery(testers: Sequence[tuple[str, Sequence[Sequence[float]]]]) -> str:
    """Failures found over cases played: one line per tester, the mean of its repetitions, and a
    band from the least to the most of them."""
    cases = max((len(run) for _, runs in testers for run in runs), default=1)
    most = max((max(run, default=0.0) for _, runs in testers for run in runs), default=1.0)
    height = 190.0
    y_ticks = _whole(nice_ticks(0.0, max(most, 1.0), 4))
    xs = Scale(0.0, float(max(1, cases)), 34, WIDTH - _RIGHT)
    ys = Scale(0.0, y_ticks[-1], height - 4, 20)
    parts = [text(0, 10, "failures found", class_="caption")]
    for tick in y_ticks:
        y = ys(tick)
        parts.append(tag("line", class_="grid", x1=xs.start, x2=xs.end, y1=y, y2=y))
        parts.append(text(28, y + 4, f"{tick:g}", class_="tick", text_anchor="end"))
    for tick in _whole(nice_ticks(0.0, float(max(1, cases)), 5)):
        if tick <= cases:
            shown = {"class_": "tick", "text_anchor": "middle"}
            parts.append(text(xs(tick), height + 11, f"{tick:g}", **shown))
    parts.append(text(xs.end, height + 26, "cases played", class_="caption", text_anchor="end"))
    spoken = []
    for series, (name, runs) in enumerate(testers):
        if not any(runs):
            continue
        length = min(len(run) for run in runs)
        columns = [[run[i] for run in runs] for i in range(length)]
        style = f"s{series % 8}"
        if len(runs) > 1:
            edge = [(i + 1, max(c)) for i, c in enumerate(columns)]
            edge += [(i + 1, min(c)) for i, c in reversed(list(enumerate(columns)))]
            points = " ".join(f"{number(xs(x))},{number(ys(y))}" for x, y in edge)
            parts.append(tag("polygon", class_=f"band {style}", points=points))
        means = [sum(c) / len(c) for c in columns]
        line = " ".join(f"{number(xs(i + 1))},{number(ys(y))}" for i, y in enumerate(means))
        parts.append(
            tag("polyline", class_=f"curve {style}", points=line, stroke_dasharray=dash(series))
        )
        if length == 1:  # no line
            parts.append(tag("circle", class_=f"speck {style}", cx=xs(1), cy=ys(means[0]), r=2.4))
        spoken.append(f"{name}: {means[-1]:.1f} after {length}")
    label = "Failures found over cases played. " + "; ".join(spoken)
    return picture(WIDTH, height + 32, label, *parts)


def _whole(ticks: Sequence[float]) -> list[float]:
    """Those that can be counts."""
    return [tick for tick in ticks if float(tick).is_integer()]

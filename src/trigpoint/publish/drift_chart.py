"""The chart of a series as a small SVG: runs as dots, the noise band as a ribbon, the week's mean dashed (LOOK).

Two sizes are drawn, for a wide and a narrow page: the style sheet shows one, so that its text is never shrunk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from trigpoint.core.statistics.series import State
from trigpoint.publish.drift_series import JudgedRun, JudgedSeries
from trigpoint.publish.drift_text import safe
from trigpoint.publish.drift_words import STATE_WORDS

_WORD_WIDTH = 7.2  # of a character, about
_SHORT = {"usual range": "usual", "week's mean": "week"}
_STEPS = (1, 2, 5, 10, 20, 25)  # points between two lines of the scale
_MARKED = (State.FLAGGED, State.CONFIRMED, State.NOT_CONFIRMED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """Of one drawing, in its own units (pixels at full size)."""

    name: str
    width: int
    height: int
    left: int = 36
    right: int = 84  # room for the names at the ends of band and line
    top: int = 44  # room for the words of marks
    bottom: int = 26


WIDE = Size(name="wide", width=704, height=300)
NARROW = Size(name="narrow", width=358, height=280, right=66)


def chart(series: JudgedSeries) -> Markup:
    """Both drawings with the sentence that says what they show."""
    label = sentence(series)
    drawings = Markup("\n").join(_draw(series, size, label) for size in (WIDE, NARROW))
    caption = (
        "Each dot is a run; days without one stay empty. Ribbon: where an unchanged AI's runs lie, 19 in 20. "
        "Dashed: the mean of the seven days before."
    )
    return Markup('<figure class="series">\n{}\n<figcaption>{}</figcaption>\n</figure>').format(drawings, caption)


def sentence(series: JudgedSeries) -> str:
    """What the chart shows, for those who can't see it."""
    runs = list(series.latest)
    scores = [run.seed.score for run in runs]
    text = f"{len(runs)} runs from {runs[0].written} to {runs[-1].written}, scores from {min(scores)} to {max(scores)}."
    band = runs[-1].band
    if band is not None:
        text += f" At the end an unchanged AI's runs would lie from {band[0]:.1f} to {band[1]:.1f}."
    for run in _marks(series)[-3:]:
        text += f" {STATE_WORDS[run.verdict.state].capitalize()} on {run.written}."
    return text


def _draw(series: JudgedSeries, size: Size, label: str) -> Markup:
    runs = list(series.latest)
    x, y, ticks = _scales(runs, size)
    parts = [_grid(ticks, y, size), _ribbon(runs, x, y), _week(runs, x, y)]
    if series.version is not None:
        parts.append(_version(series.version, x(runs[0].moment), size))
    parts += [_dots(runs, x, y), *_marked(series, x, y, size), _ends(runs, y, size), _dates(runs, x, size)]
    return Markup('<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">\n{}\n</svg>').format(
        size.name, size.width, size.height, label, Markup("\n").join(filter(None, parts))
    )


Scale = Callable[[float], float]


def _scales(runs: Sequence[JudgedRun], size: Size) -> tuple[Scale, Scale, list[int]]:
    values = [float(run.seed.score) for run in runs] + [end for run in runs if run.band for end in run.band]
    step = next((each for each in _STEPS if (max(values) - min(values)) / each <= 5), _STEPS[-1])
    low = max(0, int(min(values) // step) * step)
    high = min(100, -int(-max(values) // step) * step)
    if low == high:
        low, high = max(0, high - step), min(100, low + step)
    first, last = runs[0].moment, runs[-1].moment
    across, down = size.width - size.left - size.right, size.height - size.top - size.bottom

    def x(moment: float) -> float:
        return size.left + across * ((moment - first) / (last - first) if last > first else 0.5)

    def y(score: float) -> float:
        return size.top + down * (high - score) / (high - low)

    return x, y, list(range(low, high + 1, step))


def _grid(ticks: Sequence[int], y: Scale, size: Size) -> Markup:
    line = Markup(
        '<line class="axis" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
        '<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>'
    )
    right = size.width - size.right
    return Markup("").join(
        line.format(size.left, right, y(tick), y(tick), size.left - 6, y(tick) + 4, tick) for tick in ticks
    )


def _ribbon(runs: Sequence[JudgedRun], x: Scale, y: Scale) -> Markup:
    """One area a stretch of runs with a band; none while learning."""
    areas = []
    for level, stretch in groupby(runs, key=lambda run: run.band is not None):
        kept = [(run.moment, run.band) for run in stretch if run.band is not None]
        if level and len(kept) > 1:
            upper = [f"{x(moment):.1f} {y(band[1]):.1f}" for moment, band in kept]
            lower = [f"{x(moment):.1f} {y(band[0]):.1f}" for moment, band in reversed(kept)]
            areas.append(Markup('<path class="ribbon" d="M{}Z"/>').format("L".join(upper + lower)))
    return Markup("").join(areas)


def _week(runs: Sequence[JudgedRun], x: Scale, y: Scale) -> Markup:
    paths = []
    for known, stretch in groupby(runs, key=lambda run: run.seed.baseline is not None):
        if known:
            points = [f"{x(run.moment):.1f} {y(float(run.seed.baseline or 0)):.1f}" for run in stretch]
            paths.append("M" + "L".join(points))
    return Markup('<path class="week" d="{}"/>').format("".join(paths)) if paths else Markup("")


def _dots(runs: Sequence[JudgedRun], x: Scale, y: Scale) -> Markup:
    """All dots as one path of round points: a year of runs stays small."""
    places = "".join(f"M{x(run.moment):.1f} {y(float(run.seed.score)):.1f}h0" for run in runs)
    return Markup('<path class="dots" d="{}"/>').format(places)


def _marks(series: JudgedSeries) -> list[JudgedRun]:
    """The flags and verdicts among the runs shown; a flag that was settled gives way to its verdict."""
    first = series.latest[0].verdict.run
    shown = [run for run in series.events if run.verdict.run >= first and run.verdict.state in _MARKED]
    return [run for place, run in enumerate(shown) if run.verdict.state is not State.FLAGGED or place == len(shown) - 1]


def _marked(series: JudgedSeries, x: Scale, y: Scale, size: Size) -> list[Markup]:
    """A line and a word a flag, on two rows where they would meet; without room, the line alone."""
    drawn, free = [], [0.0, 0.0]
    for run in _marks(series):
        place = x(run.moment)
        real = run.verdict.state is not State.NOT_CONFIRMED
        kind = "mark-real" if real else "mark-not"
        word = STATE_WORDS[run.verdict.state].removeprefix("shift ")
        if real and run.verdict.direction is not None:
            word += " " + {"down": "drop", "up": "rise", "both": "shift"}[run.verdict.direction.value]
        width = _WORD_WIDTH * len(word)
        middle = min(max(place, size.left + width / 2), size.width - width / 2 - 2)
        row = next((row for row, end in enumerate(free) if middle - width / 2 > end), None)
        drawn.append(
            Markup(
                '<line class="{0}" x1="{1:.1f}" x2="{1:.1f}" y1="{2}" y2="{3}"/>'
                '<circle class="{0}" cx="{1:.1f}" cy="{4:.1f}" r="5"/>'
            ).format(kind, place, size.top - 6, size.height - size.bottom, y(float(run.seed.score)))
        )
        if row is not None:
            free[row] = middle + width / 2 + 6
            drawn.append(
                Markup('<text class="{}" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
                    kind, middle, 32 - 16 * row, word
                )
            )
    return drawn


def _version(version: str, place: float, size: Size) -> Markup:
    shown = safe(version if len(version) <= 20 else version[:19] + "…")
    return Markup(
        '<line class="axis" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>'
        '<text class="tick" x="{3:.1f}" y="{4}">{5}</text>'
    ).format(place, size.top - 6, size.height - size.bottom + 4, place + 3, size.height - size.bottom - 4, shown)


def _ends(runs: Sequence[JudgedRun], y: Scale, size: Size) -> Markup:
    """The names of ribbon and dashed line beside their right ends, apart from each other."""
    last, names = runs[-1], []
    if last.band is not None:
        names.append((y((last.band[0] + last.band[1]) / 2) + 4, "usual range"))
    if last.seed.baseline is not None:
        names.append((y(float(last.seed.baseline)) + 4, "week's mean"))
    names.sort()
    if len(names) == 2 and names[1][0] - names[0][0] < 14:
        names[1] = (names[0][0] + 14, names[1][1])
    shown = [(place, name if size.name == "wide" else _SHORT[name]) for place, name in names]
    return Markup("").join(
        Markup('<text class="tick" x="{}" y="{:.1f}">{}</text>').format(size.width - size.right + 8, place, name)
        for place, name in shown
    )


def _dates(runs: Sequence[JudgedRun], x: Scale, size: Size) -> Markup:
    bottom = size.height - 8
    text = Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="{}">{}</text>')
    first = text.format(x(runs[0].moment), bottom, "start" if len(runs) > 1 else "middle", runs[0].written[:10])
    if len(runs) < 2 or runs[-1].written[:10] == runs[0].written[:10]:
        return first
    return first + text.format(x(runs[-1].moment), bottom, "end", runs[-1].written[:10])

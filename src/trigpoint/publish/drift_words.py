"""Phrases and figures of a judged series, for text and page alike (statistics 4.3)."""

from __future__ import annotations

from decimal import Decimal

from trigpoint.core.statistics.monitor import THRESHOLDS, Moved, Thresholds
from trigpoint.core.statistics.series import State
from trigpoint.publish.drift_series import JudgedRun, JudgedSeries, Level

MINUS = "−"

#: How often an unchanged model raises a flag, at the thresholds of the table.
_FALSE_FLAGS = {
    "1": "a little less than one flag a year downwards, fewer upwards; one in nine is then confirmed by chance too",
    "0.5": "less than one flag in two years downwards, fewer upwards",
    "0.1": "about one flag in ten years downwards, fewer upwards",
}
_OWN_THRESHOLDS = "as many false flags as `trigpoint simulate` measures at these thresholds"
#: state → its words in tables.
STATE_WORDS = {
    State.LEARNING: "learning",
    State.WITHIN_NOISE: "within noise",
    State.WATCH: "watch",
    State.FLAGGED: "shift flagged",
    State.CONFIRMED: "shift confirmed",
    State.NOT_CONFIRMED: "not confirmed",
}
SCORE_ONLY = (
    "Judged by the score alone, which costs: with one column a test, a 5-point drop is found up to twice as soon, and "
    "a single test that breaks for good in 3 runs instead of 8 to 30 or more."
)


def false_flags(thresholds: Thresholds) -> str:
    """How often an unchanged model raises a flag at these thresholds, in words."""
    known = {values: _FALSE_FLAGS[name] for name, values in THRESHOLDS.items()}
    return known.get(thresholds, _OWN_THRESHOLDS)


def seed_sentence(run: JudgedRun) -> str:
    """The seven-day rule's verdict on one run."""
    seed = run.seed
    if seed.trend is None or seed.change_from_baseline is None:
        return "Seven-day rule: no trend, since fewer than 3 runs lie in the seven days before."
    way = {"down": "below", "up": "above", "flat": "from"}[seed.trend]
    away = f"{abs(seed.change_from_baseline)} points {way} the mean of the seven days before, {seed.baseline}"
    return f"Seven-day rule: {seed.trend}, {away}."


def drops_sentence(series: JudgedSeries) -> str:
    """The smallest lasting drops found 8 times in 10, one a horizon."""
    drops = series.smallest_drops()
    if drops is None:
        return "What this series can show: not known before the monitor has learnt."
    found = [f"{points_bare(drop)} within {runs}" for runs, drop in drops.items() if drop is not None]
    if not found:
        return "What this series can show: no lasting drop would be found 8 times in 10 within 30 runs."
    return f"Lasting drops found 8 times in 10: {', '.join(found)} runs (points, spread over all tests)."


def moved_tests(series: JudgedSeries) -> tuple[tuple[Moved, ...], str]:
    """The tests that move now, or else those that moved at the latest confirmed shift."""
    last = series.last
    if series.score_only:
        return (), ""
    if last.verdict.moved:
        return last.verdict.moved, ""
    shift = last_shift(series)
    return (shift.verdict.moved, f" by {shift.written}") if shift else ((), "")


def moved_sentence(moved: Moved, name: str) -> str:
    """ "q7: 55 of 56 before, 0 of 4 since"."""
    before, after = f"{amount(moved.before)} of {moved.before_runs}", f"{amount(moved.after)} of {moved.after_runs}"
    return f"{name}: {before} before, {after} since"


def level_words(level: Level) -> str:
    """ "94.8 ± 6.6" or "not yet known"."""
    if level.baseline is None:
        return "not yet known"
    return f"{level.baseline.level:.1f} ± {level.baseline.noise_band:.1f}"


def size_words(shift: JudgedRun) -> str:
    """ "−6.1 points (95% range −9.4 to −2.8)", from the fresh runs alone."""
    found = shift.verdict.confirmation
    return (
        "" if found is None else f"{signed(found.size)} points (95% range {signed(found.low)} to {signed(found.high)})"
    )


def signed(value: float | Decimal, places: int = 1) -> str:
    """ "+6.1" or "−6.1", with the true minus sign."""
    text = f"{abs(value):.{places}f}"
    return f"{'+' if value > 0 else MINUS}{text}" if float(text) else text


def points(value: float | None) -> str:
    """ "5 points", "1 point", "6.6 points"."""
    return f"{points_bare(value)} point{'' if points_bare(value) == '1' else 's'}"


def points_bare(value: float | None) -> str:
    """A number of points with one decimal at most."""
    return "?" if value is None else f"{value:.1f}".removesuffix(".0")


def amount(value: float) -> str:
    """Credits: whole where they are, else two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def number(value: float | None) -> str:
    """A statistic with one decimal."""
    return "–" if value is None else f"{value:.1f}"


def last_shift(series: JudgedSeries) -> JudgedRun | None:
    """The run that confirmed the latest shift; None without one."""
    levels = series.levels()
    return levels[-2].ended_by if len(levels) > 1 else None

"""The figures of a simulation: as JSON, as a table, and as the page of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trigpoint.cli.simulate_plan import Result
from trigpoint.core.errors import OperatorError
from trigpoint.core.statistics.coverage import Coverage
from trigpoint.core.statistics.monitor import Thresholds
from trigpoint.core.statistics.simulation import BUILT_IN, Profile
from trigpoint.core.statistics.simulation_measure import ChangeCounts, YearCounts

HORIZONS = (3, 5, 7, 14, 30)
BEGIN, END = "<!-- begin: trigpoint simulate -->", "<!-- end: trigpoint simulate -->"


def report_json(result: Result) -> dict[str, Any]:
    """Everything measured. Rates a model-year have three decimals, shares too."""
    plan = result.plan
    return {
        "seed": plan.seed,
        "thresholds": {"total": plan.thresholds.total, "worst": plan.thresholds.worst},
        "profiles": [_profile_json(result, profile) for profile in plan.profiles],
        "intervals": [
            {
                "suite": cell.name,
                "truth": cell.truth,
                "categories_differ": cell.differ,
                "runs": found.runs,
                "coverage": round(float(found.held), 4),
                "width": round(float(found.width), 2),
                "no_width": round(float(found.no_width), 4),
            }
            for cell, found in result.intervals
        ],
    }


def _profile_json(result: Result, profile: Profile) -> dict[str, Any]:
    members: dict[str, Any] = {"profile": profile.name, "tests": len(profile.tests), "mean": round(profile.mean, 2)}
    members |= _scenarios_json(result, profile, score_only=False)
    members["sizes"] = [{"tests": size, **_year_json(found)} for size, found in result.sizes(profile).items()]
    members["score_only"] = _scenarios_json(result, profile, score_only=True) if result.plan.score_only else None
    return members


def _scenarios_json(result: Result, profile: Profile, *, score_only: bool) -> dict[str, Any]:
    years, changes = result.years(profile, score_only=score_only), result.changes(profile, score_only=score_only)
    return {
        "years": [{"scenario": name, **_year_json(found)} for name, found in years.items()],
        "drops": [{"scenario": name, **_change_json(found)} for name, found in changes.items()],
    }


def _year_json(found: YearCounts) -> dict[str, Any]:
    return {
        "judged_runs": found.judged,
        "false_flags_a_year": dict(zip(("down", "up"), (round(found.a_year(n), 3) for n in found.flags), strict=True)),
        "false_confirmations_a_year": dict(
            zip(("down", "up"), (round(found.a_year(n), 3) for n in found.confirmed), strict=True)
        ),
    }


def _change_json(found: ChangeCounts) -> dict[str, Any]:
    total = len(found.delays)
    return {
        "series": total,
        "found_within": {str(runs): round(found.found_within(runs), 4) for runs in HORIZONS},
        "median_delay": found.median_delay,
        "confirmed": round(found.confirmed / total, 4),
        "range_coverage": round(found.covered / found.flagged, 4) if found.flagged else None,
    }


Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]  # title, head, rows


def tables(result: Result) -> list[Table]:
    """The figures as tables of text."""
    made = []
    for profile in result.plan.profiles:
        name = f"{profile.name}: {len(profile.tests)} tests, mean {profile.mean:.1f}"
        made += _profile_tables(result, profile, name, score_only=False)
        if result.plan.score_only:
            made += _profile_tables(result, profile, f"{profile.name}, the score alone", score_only=True)
    sizes = _sizes_table(result)
    if sizes[2]:
        made.append(sizes)
    if result.intervals:
        made.append(_intervals_table(result))
    return made


def _profile_tables(result: Result, profile: Profile, name: str, *, score_only: bool) -> list[Table]:
    years, changes = result.years(profile, score_only=score_only), result.changes(profile, score_only=score_only)
    return [
        (
            f"{name}. False flags and confirmations a model-year",
            ("unchanged AI with", "flags down", "flags up", "confirmed down", "confirmed up"),
            [(scenario, *(f"{each:.2f}" for each in _rates(found))) for scenario, found in years.items()],
        ),
        (
            f"{name}. Lasting drops: share found, delay, confirmed",
            ("drop", *(f"within {runs}" for runs in HORIZONS), "median runs", "confirmed", "range holds"),
            [_change_row(scenario, found) for scenario, found in changes.items()],
        ),
    ]


def _rates(found: YearCounts) -> list[float]:
    return [found.a_year(count) for count in (*found.flags, *found.confirmed)]


def _change_row(scenario: str, found: ChangeCounts) -> tuple[str, ...]:
    total, flagged = len(found.delays), found.flagged
    return (
        scenario,
        *(f"{found.found_within(runs):.2f}" for runs in HORIZONS),
        "over 30" if found.median_delay is None else str(found.median_delay),
        f"{found.confirmed / total:.2f}",
        f"{found.covered / flagged:.2f}" if flagged else "–",
    )


def _sizes_table(result: Result) -> Table:
    rows = [
        (profile.name, str(size), *(f"{each:.2f}" for each in _rates(found)))
        for profile in result.plan.profiles
        for size, found in result.sizes(profile).items()
    ]
    head = ("profile", "tests", "flags down", "flags up", "confirmed down", "confirmed up")
    return "Other numbers of tests. False flags and confirmations a model-year", head, rows


def _intervals_table(result: Result) -> Table:
    def row(name: str, truth: int, differ: bool, found: Coverage) -> tuple[str, ...]:
        spread = "differ" if differ else "alike"
        return name, str(truth), spread, f"{float(found.held):.3f}", f"{float(found.width):.1f}"

    return (
        "A single run's 95% range: how often it holds the truth",
        ("suite", "truth", "categories", "holds", "mean width"),
        [row(cell.name, cell.truth, cell.differ, found) for cell, found in result.intervals],
    )


def printed(result: Result) -> str:
    """For people: plain aligned tables."""
    lines = [_sentence(result)]
    for title, head, rows in tables(result):
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines += ["", title]
        for cells in (head, *rows):
            padded = [
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
            ]
            lines.append("  " + "  ".join(padded).rstrip())
    return "\n".join(lines)


def command_of(result: Result) -> str:
    """The command that gives the same figures again."""
    plan = result.plan
    names = [profile.name for profile in plan.profiles]
    words = ["trigpoint simulate", *([] if tuple(names) == BUILT_IN else names)]
    words += [f"--years {plan.years}", f"--series {plan.series}", f"--seed {plan.seed}"]
    if plan.thresholds != Thresholds():
        words.append(f"--threshold {plan.thresholds.total:g}/{plan.thresholds.worst:g}")
    words += [f"--tests {size}" for size in plan.sizes]
    words += ["--score-only"] if plan.score_only else []
    words += [f"--intervals {plan.intervals}"] if plan.intervals else []
    return " ".join(words)


def _sentence(result: Result) -> str:
    plan = result.plan
    flags = [result.years(profile)["no change"] for profile in plan.profiles]
    worst = max(found.a_year(count) for found in flags for count in found.flags)
    confirmed = max(found.a_year(count) for found in flags for count in found.confirmed)
    return (
        f"At thresholds {plan.thresholds.total:g} and {plan.thresholds.worst:g} an unchanged AI raises at most "
        f"{worst:.2f} false flags and {confirmed:.2f} false confirmations a model-year and direction."
    )


def page_with(text: str, result: Result) -> str:
    """The page's text with the figures between its two marks; all else stays. Raises OperatorError without marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise OperatorError(
            "no place for the figures", expected=f"lines {BEGIN} and {END}", next="Put them in the page."
        )
    lines = ["", "```", command_of(result), "```", "", _sentence(result)]
    for title, head, rows in tables(result):
        lines += ["", f"**{title}**", "", *_markdown(head, rows)]
    return before + begin + "\n".join([*lines, "", ""]) + end + after


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---", *("--:" for _ in head[1:])]
    return ["| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)]

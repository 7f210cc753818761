"""What a judged series says to a person: is it worse, since when, how sure, what to do next (LOOK; statistics 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from trigpoint.core.statistics.confirm import FRESH_RUNS
from trigpoint.core.statistics.monitor import LEARNING_RUNS, Direction
from trigpoint.core.statistics.series import State
from trigpoint.publish.drift_series import JudgedRun, JudgedSeries
from trigpoint.publish.drift_words import false_flags, last_shift, moved_tests, number, points, size_words
from trigpoint.publish.words import plural

_TELLING = (
    "worse", "probably worse", "probably changed", "perhaps worse", "better", "probably better", "perhaps better",
    "back at an earlier level", "probably a false alarm", "no lasting change", "can't tell yet",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """The verdict first, then the four answers. Plain text; names in it are not yet escaped."""

    word: str  # the verdict in short, for counting: "worse", "perhaps worse", "no lasting change"
    headline: str  # the verdict
    detail: str
    worse: str
    since: str
    sure: str
    next: str

    @property
    def sentence(self) -> str:
        """Verdict and detail in one."""
        return f"{self.headline} {self.detail}"


def story(series: JudgedSeries) -> Story:
    """What stands after the latest run."""
    state, shift = series.last.verdict.state, last_shift(series)
    if shift is None:
        return _STORIES[state](series)
    if state in (State.CONFIRMED, State.LEARNING):
        return _confirmed(series, shift)
    now = _STORIES[state](series)
    if state is State.WITHIN_NOISE:
        return _steady_after(series, shift, now)
    way = _way(shift)
    return replace(
        now,
        word=way.lower(),
        headline=f"{way} than before about {shift.start}. Now {now.headline[0].lower()}{now.headline[1:]}",
        detail=f"{now.detail} The earlier shift, {size_words(shift)}, is confirmed.",
        worse=f"{_YES[way]}, compared with before about {shift.start}. Again since then? {now.worse}",
        since=f"About {shift.start}, confirmed. {now.since}",
    )


def _learning(series: JudgedSeries) -> Story:
    left = LEARNING_RUNS - series.last.verdict.learned
    soon = f"{plural(left, 'more run')} before the first verdict" if left else "the next run is the first to be judged"
    return Story(
        word="can't tell yet",
        headline="Can't tell yet.",
        detail=f"{series.last.verdict.learned} of {LEARNING_RUNS} runs learnt, {soon}.",
        worse="Can't tell yet.",
        since="Nothing to say before the monitor knows what is usual here.",
        sure="Not at all. The seven-day rule below speaks earlier, but often calls an unchanged AI worse.",
        next=f"Collect {plural(max(1, left), 'more complete run')}, one a day or more.",
    )


def _within_noise(series: JudgedSeries) -> Story:
    band, score = points(series.last.verdict.noise_band), series.last.seed.score
    low, high = series.last.band or (0.0, 100.0)
    lately = f"The latest score, {score}, lies within this series' own noise of ±{band}."
    if not low <= float(score) <= high:
        lately = f"The latest score, {score}, lies outside the usual ±{band}, but one run alone proves nothing."
    return Story(
        word="no lasting change",
        headline="No lasting change.",
        detail=lately,
        worse="No sign of it.",
        since=f"Nothing lasting since the series began on {series.first}.",
        sure=f"{_could_see(series)} Smaller or newer changes may still hide in the noise.",
        next="Nothing. Keep running it.",
    )


def _steady_after(series: JudgedSeries, shift: JudgedRun, now: Story) -> Story:
    back, way = series.recovered_to(), _way(shift)
    known = f"Confirmed by the {FRESH_RUNS} runs after the flag: {size_words(shift)}. {_could_see(series)}"
    if back:
        return replace(
            now,
            word="back at an earlier level",
            headline=f"Back at the level it had from {back}, since about {shift.start}.",
            worse=f"No: it is back at the level it had from {back}.",
            since=f"Back since about {shift.start}.",
            sure=known,
        )
    return replace(
        now,
        word=way.lower(),
        headline=f"{way} than before about {shift.start}, steady since.",
        detail=f"The shift, {size_words(shift)}, is confirmed. {now.detail}",
        worse=f"{_YES[way]}, compared with before about {shift.start}. Nothing lasting since then.",
        since=f"About {shift.start}.",
        sure=known,
        next=f"If you haven't yet, look at {'the tests that moved and at ' if moved_tests(series)[0] else ''}"
        "what changed on your own side then. Keep running it.",
    )


def _watch(series: JudgedSeries) -> Story:
    last = series.last.verdict
    worse, lower = ("worse", "lower") if last.direction is Direction.DOWN else ("better", "higher")
    return Story(
        word=f"perhaps {worse}",
        headline=f"Perhaps {worse}, too early to say.",
        detail=f"Its runs lie {lower} than usual since {series.last.start}, not by enough to raise a flag.",
        worse="Perhaps." if worse == "worse" else "No. Perhaps better.",
        since=f"If it is real, since about {series.last.start}.",
        sure=f"Not sure: {number(last.statistic)} of the {number(last.threshold)} that raise a flag. "
        "An unchanged AI comes this far by chance on about one run in twenty.",
        next="Nothing yet. Run it as usual: if it lasts, the next runs raise a flag; if not, this goes away.",
    )


def _flagged(series: JudgedSeries) -> Story:
    last, flag = series.last, series.events[-1]
    have = last.verdict.run - flag.verdict.run
    how = _DIRECTIONS[last.verdict.direction or Direction.BOTH]
    return Story(
        word=f"probably {how}",
        headline=f"Probably {how} since about {last.start}, not confirmed yet.",
        detail=f"Flagged on {flag.written}.",
        worse="Probably." if how != "better" else "No. Probably better.",
        since=f"About {last.start}.",
        sure=f"Not sure yet: an unchanged AI raises {false_flags(series.thresholds)}. "
        f"{have} of {FRESH_RUNS} confirming runs are in.",
        next=f"Run the suite {plural(FRESH_RUNS - have, 'more time')}, today if you can, and add the rows with their "
        "times. These runs alone decide whether the shift is real and how large it is.",
    )


def _not_confirmed(series: JudgedSeries) -> Story:
    flag = next((run for run in reversed(series.events) if run.verdict.state is State.FLAGGED), series.last)
    return Story(
        word="probably a false alarm",
        headline="Probably a false alarm.",
        detail=f"The {FRESH_RUNS} runs after the flag of {flag.written} didn't confirm it.",
        worse="Probably not.",
        since=f"Nothing that lasted. The flag pointed at about {flag.start}.",
        sure=f"Fairly: the fresh runs lie {size_words(series.last)} from the usual level, too near to confirm a shift. "
        "A small one may still be there; it would raise another flag.",
        next="Nothing. The monitor has begun again at zero.",
    )


def _confirmed(series: JudgedSeries, shift: JudgedRun) -> Story:
    verdict, way = series.last.verdict, _way(shift)
    learned = "" if verdict.state is State.CONFIRMED else f" {verdict.learned} of {LEARNING_RUNS} runs learnt."
    named = "Look at the tests that moved, listed below, then " if moved_tests(series)[0] else "First "
    return Story(
        word=way.lower(),
        headline=f"{way} since about {shift.start}, confirmed.",
        detail=f"{size_words(shift)}, from the {FRESH_RUNS} runs after the flag.",
        worse=f"{_YES[way]}.",
        since=f"About {shift.start}; confirmed on {shift.written}.",
        sure="Confirmed by runs that had no part in the flag. By chance alone about one series in ten sees such a "
        "confirmation in a year.",
        next=f"{named}check what changed on your own side about {shift.start} (client, settings, served model) "
        f"before you blame the provider. Keep running: the monitor learns the new level.{learned}",
    )


_STORIES: dict[State, Callable[[JudgedSeries], Story]] = {
    State.LEARNING: _learning,
    State.WITHIN_NOISE: _within_noise,
    State.WATCH: _watch,
    State.FLAGGED: _flagged,
    State.NOT_CONFIRMED: _not_confirmed,
}
_YES = {"Worse": "Yes", "Better": "No, better"}
_DIRECTIONS = {Direction.DOWN: "worse", Direction.UP: "better", Direction.BOTH: "changed"}


def counted(words: Mapping[str, int]) -> str:
    """ "4 series: 1 worse, 3 no lasting change."; the most telling first."""
    order = sorted(words, key=lambda word: (_TELLING.index(word) if word in _TELLING else len(_TELLING), word))
    return f"{sum(words.values()):,} series: {', '.join(f'{words[word]:,} {word}' for word in order)}."


def _could_see(series: JudgedSeries) -> str:
    drops = series.smallest_drops() or {}
    seven, thirty = drops.get(7), drops.get(30)
    if seven is None or thirty is None:
        return "This series is too noisy to find most lasting drops within 30 runs."
    soon = f"A lasting drop of {points(seven)} would be found within 7 runs 8 times in 10"
    return f"{soon}, one of {points(thirty)} within 30."


def _way(shift: JudgedRun) -> str:
    return "Worse" if shift.verdict.direction is Direction.DOWN else "Better"

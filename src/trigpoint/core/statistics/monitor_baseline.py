"""What a series looks like when nothing changes: the monitor's fitted baseline (STA-01; statistics 4.1, steps 2 to 4).

Doubles in a stated order, sums exact and rounded once (`fsum`), logarithms from `portable`: the same bits on every
machine (FND-31).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import mul

from trigpoint.core.statistics.portable import log1p
from trigpoint.core.statistics.shrinkage import fit

SOFT = 0.02  # added to every variance before it becomes a weight: a test that never failed doesn't outweigh all others
PRIOR_RUNS = 20  # the overdispersion is drawn towards 1 as if this many runs had shown 1
BET = 0.7  # how much of the fair odds the worst-test statistic stakes on a test's failing more often
NEARLY_SURE = 0.995  # a test is never taken to pass more often than this in the worst-test statistic
NORMAL_95 = 1.96
SCORE_SQUARES = 0.002  # added to a score's squared deviations: a few runs that happen to agree prove little
_MAX_KEPT = 1024  # increments kept a test: a graded test has few distinct credits, a hostile one can't fill memory


class Evidence(dict[float, float]):
    """credit → ln(1 + 0.7·(m' − x)/(1 − m')), worked out when first asked for (statistics 4.1, step 5).

    `mirrored`: the same on 1 − x, for the upward direction.
    """

    __slots__ = ("_mean", "_mirrored")

    def __init__(self, mean: float, *, mirrored: bool) -> None:
        super().__init__()
        self._mean = min(1.0 - mean if mirrored else mean, NEARLY_SURE)
        self._mirrored = mirrored

    def __missing__(self, credit: float) -> float:
        x = 1.0 - credit if self._mirrored else credit
        value = log1p(BET * (self._mean - x) / (1.0 - self._mean))
        if len(self) < _MAX_KEPT:
            self[credit] = value
        return value


@dataclass(frozen=True, kw_only=True, slots=True)
class Baseline:
    """The fitted state of a series over its `runs` baseline runs. Lists hold one value a test, in suite order."""

    runs: int  # n
    sums: tuple[float, ...]  # S_i, of credits
    means: tuple[float, ...]  # m_i, of one run's credit
    variances: tuple[float, ...]  # v_i
    overdispersion: float  # phi, ≥ 1
    weights: tuple[float, ...]  # w_i = 1/(v_i + 0.02)
    expected: float  # Σ w_i·m_i
    spread: float  # phi·Σ w_i²·v_i, of one run's weighted sum
    score_variance: float  # phi·Σ v_i / N², of one run's mean credit
    down: tuple[Evidence, ...]
    up: tuple[Evidence, ...]

    @property
    def level(self) -> float:
        """The expected score in points."""
        return 100.0 * (fsum(self.means) / len(self.means))

    @property
    def noise_band(self) -> float:
        """Half the width of the band, in points, that holds 95% of an unchanged model's runs (statistics 4.3)."""
        return NORMAL_95 * 100.0 * sqrt(self.score_variance)

    def residual(self, credits: Sequence[float]) -> float:
        """How far one run lies below what is expected, in standard deviations; not capped (4.1, step 4)."""
        return (self.expected - fsum(map(mul, self.weights, credits))) / sqrt(self.spread)

    def residual_of_mean(self, credits: Sequence[float], runs: int) -> float:
        """z of 4.2 for the mean credits of `runs` fresh runs; the baseline's own uncertainty counts too."""
        shortfall = self.expected - fsum(map(mul, self.weights, credits))
        return shortfall / sqrt(self.spread * (1.0 / runs + 1.0 / self.runs))


class BaselineSums:
    """Runs gathered for a baseline: what fitting needs of them, and no more."""

    def __init__(self, tests: int) -> None:
        self.runs = 0
        self._sums = [0.0] * tests
        self._squares = [0.0] * tests
        self._scores: list[float] = []

    def add(self, credits: Sequence[float]) -> None:
        """Counts one run in."""
        self.runs += 1
        self._sums = [total + x for total, x in zip(self._sums, credits, strict=True)]
        self._squares = [total + x * x for total, x in zip(self._squares, credits, strict=True)]
        self._scores.append(fsum(credits) / len(credits))

    def fitted(self) -> Baseline:
        """The baseline of the runs so far, at least two."""
        means, variances = self._score_alone() if len(self._sums) == 1 else self._tests()
        independent = fsum(variances) / (len(means) * len(means))
        overdispersion = self._overdispersion(independent)
        weights = tuple(1.0 / (variance + SOFT) for variance in variances)
        return Baseline(
            runs=self.runs,
            sums=tuple(self._sums),
            means=means,
            variances=variances,
            overdispersion=overdispersion,
            weights=weights,
            expected=fsum(map(mul, weights, means)),
            spread=overdispersion * fsum(w * w * v for w, v in zip(weights, variances, strict=True)),
            score_variance=overdispersion * independent,
            down=tuple(Evidence(mean, mirrored=False) for mean in means),
            up=tuple(Evidence(mean, mirrored=True) for mean in means),
        )

    def _tests(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Shrunk means and variances (4.1, step 2)."""
        shrunk = fit(self._sums, self._squares, self.runs)
        return shrunk.means, shrunk.variances

    def _score_alone(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """A series of scores: their own mean and variance.

        Step 2 is made for single tests: it has other tests to draw a mean towards, and no mean of many tests varies as
        much as the least it allows.
        """
        (total,), (squares,) = self._sums, self._squares
        deviations = max(0.0, squares - total * total / self.runs)
        return (total / self.runs,), ((deviations + SCORE_SQUARES) / (self.runs - 1),)

    def _overdispersion(self, independent: float) -> float:
        """phi: how much more the scores vary than tests that fail independently would make them (4.1, step 3)."""
        n = self.runs
        middle = fsum(self._scores) / n
        squares = fsum((score - middle) * (score - middle) for score in self._scores)  # (n − 1)·s²
        return max(1.0, (squares / independent + PRIOR_RUNS) / (n - 1 + PRIOR_RUNS))

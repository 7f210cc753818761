"""How often each test of a suite earns its credit, told from few runs (STA-01; statistics 4.1, step 2).

A test that passed 3 of 3 runs does not pass always. Each test's mean is drawn towards what the whole suite looks
like: a Beta distribution with mean `mu` and weight `kappa` (in runs), the pair of a fixed grid under which the
observed sums are likeliest. Doubles in a stated order, by routes that are the same everywhere (FND-31).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import fsum

from trigpoint.core.statistics.portable import lgamma

MU_GRID = (0.5, 0.6, 0.7, 0.8, 0.86, 0.9, 0.93, 0.955, 0.97, 0.98, 0.988)
KAPPA_GRID = (0.3, 0.6, 1.0, 2.0, 4.0, 8.0, 16.0)  # in runs
#: (mu, kappa) in the order in which ties are settled: the first wins.
GRID = tuple(product(MU_GRID, KAPPA_GRID))
_SOFT = 0.02  # keeps the variance ratio of a test that hardly varies from leaping about
_LEAST_RATIO = 0.03


@dataclass(frozen=True, kw_only=True, slots=True)
class Shrinkage:
    """The chosen pair and, a test each in the order given, what it says of one run's credit."""

    mu: float  # 0–1
    kappa: float  # in runs
    means: tuple[float, ...]  # m_i, strictly within 0–1
    variance_ratios: tuple[float, ...]  # rho_i, 0.03–1: variance against that of a pass/fail test; 1 for those
    variances: tuple[float, ...]  # v_i = m_i·(1 − m_i)·rho_i, of one run's credit


def fit(sums: Sequence[float], squares: Sequence[float], n: int, *, tests: Sequence[int] | None = None) -> Shrinkage:
    """The shrunk means and variances of tests whose n runs' credits add up to `sums`, their squares to `squares`.

    Credits are 0–1, so 0 ≤ squares[i] ≤ sums[i] ≤ n. The order of the tests never changes mu, kappa or a test's values.
    Place i stands for `tests[i]` tests with these sums, for one test where `tests` is left out.
    Raises ValueError for no tests, n < 1, lists of unequal length or sums out of range.
    """
    if n < 1 or not sums or len(sums) != len(squares):
        raise ValueError(f"need n ≥ 1 and as many squares as sums, not n {n}, {len(sums)} and {len(squares)}")
    if not all(0 <= square <= total <= n for total, square in zip(sums, squares, strict=True)):
        raise ValueError(f"sums of credits must lie in 0–{n}, and their squares in 0–sum")
    mu, kappa = _likeliest(_multiplicities(sums, tests), n)
    means = tuple((total + mu * kappa) / (n + kappa) for total in sums)
    ratios = tuple(_variance_ratio(total, square, n) for total, square in zip(sums, squares, strict=True))
    variances = tuple(mean * (1.0 - mean) * ratio for mean, ratio in zip(means, ratios, strict=True))
    return Shrinkage(mu=mu, kappa=kappa, means=means, variance_ratios=ratios, variances=variances)


def _multiplicities(sums: Sequence[float], tests: Sequence[int] | None) -> Counter[float]:
    multiplicities: Counter[float] = Counter()
    for total, often in zip(sums, tests or [1] * len(sums), strict=True):
        multiplicities[total] += often
    return multiplicities


def _likeliest(sums: Counter[float], n: int) -> tuple[float, float]:
    return max(GRID, key=lambda pair: _log_likelihood(pair, sums.items(), n))  # max keeps the first of equals


def _log_likelihood(pair: tuple[float, float], sums: Iterable[tuple[float, int]], n: int) -> float:
    """Σ_i lnB(a + S_i, b + n − S_i) − lnB(a, b), a = mu·kappa and b = (1 − mu)·kappa; sums as (S, how often).

    To 9 decimals, so that pairs equal by algebra (as all kappas are where n is 1) are equal here too.
    """
    mu, kappa = pair
    a, b = mu * kappa, (1.0 - mu) * kappa
    same_for_all = _ln_gamma(kappa) - _ln_gamma(a) - _ln_gamma(b) - _ln_gamma(kappa + n)
    terms = (often * (_ln_gamma(a + s) + _ln_gamma(b + (n - s)) + same_for_all) for s, often in sums)
    return round(fsum(terms), 9)


def _variance_ratio(total: float, square: float, n: int) -> float:
    explained = total * total / n
    ratio = (square - explained + _SOFT) / (total - explained + _SOFT)
    return min(1.0, max(_LEAST_RATIO, ratio))


_ln_gamma = lru_cache(maxsize=1 << 14)(lgamma)  # the grid's 77 pairs meet the same few sums again and again

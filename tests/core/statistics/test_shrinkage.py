"""Shrinkage of per-test means and variances (STA-01; statistics 4.1, step 2)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.statistics import shrinkage
from trigpoint.core.statistics.shrinkage import fit


def platform_log_likelihood(mu, kappa, sums, n):
    def ln_beta(a, b):
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)

    a, b = mu * kappa, (1 - mu) * kappa
    return math.fsum(ln_beta(a + s, b + n - s) - ln_beta(a, b) for s in sums)


def test_grid_is_the_pages_own_mu_first():
    assert len(shrinkage.GRID) == 77
    assert shrinkage.GRID[:8] == (
        (0.5, 0.3), (0.5, 0.6), (0.5, 1.0), (0.5, 2.0), (0.5, 4.0), (0.5, 8.0), (0.5, 16.0), (0.6, 0.3),
    )  # fmt: skip
    assert [mu for mu, kappa in shrinkage.GRID if kappa == 16] == [
        0.5, 0.6, 0.7, 0.8, 0.86, 0.9, 0.93, 0.955, 0.97, 0.98, 0.988,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sums", "squares", "n", "pair"),
    [
        pytest.param([14.0] * 28 + [9.0] * 6, [14.0] * 28 + [9.0] * 6, 14, (0.955, 2.0), id="a strong suite"),
        pytest.param([3.0] * 24, [3.0] * 24, 3, (0.988, 0.3), id="all passed"),
        pytest.param([0.0] * 24, [0.0] * 24, 3, (0.5, 0.3), id="none passed"),
        pytest.param([0.0, 3.0] * 12, [0.0, 3.0] * 12, 3, (0.5, 0.3), id="always the same, half of the tests fail"),
        pytest.param([1.5] * 8, [0.75] * 8, 3, (0.5, 16.0), id="half credit always"),
        pytest.param([1.0], [1.0], 1, (0.988, 0.3), id="one run: all kappas tie, the first wins"),
    ],
)
def test_the_likeliest_pair_of_the_grid_is_chosen(sums, squares, n, pair):
    """STA-01: (mu, kappa) maximise the Beta-binomial likelihood of the sums."""
    found = fit(sums, squares, n)
    assert (found.mu, found.kappa) == pair
    best = max(platform_log_likelihood(mu, kappa, sums, n) for mu, kappa in shrinkage.GRID)
    assert platform_log_likelihood(*pair, sums, n) == pytest.approx(best, abs=1e-9)


def test_worked_example_of_means_ratios_and_variances():
    """Three runs of four tests: passed 3, passed 1, three times ½ credit, credits 0, ½ and 1."""
    found = fit([3.0, 1.0, 1.5, 1.5], [3.0, 1.0, 0.75, 1.25], 3)
    mu, kappa = found.mu, found.kappa
    assert (mu, kappa) == (0.6, 16.0)
    assert found.means == pytest.approx([(s + 9.6) / 19 for s in (3, 1, 1.5, 1.5)], rel=1e-15)
    assert found.variance_ratios[:2] == (1.0, 1.0)
    assert found.variance_ratios[2] == 0.03  # (0 + .02)/(.75 + .02) = .026, raised to the least
    assert found.variance_ratios[3] == pytest.approx(0.52 / 0.77, rel=1e-15)
    assert found.variances == pytest.approx(
        [m * (1 - m) * rho for m, rho in zip(found.means, found.variance_ratios, strict=True)], rel=1e-15
    )


def test_same_bits_everywhere():
    """FND-31: doubles in a stated order."""
    sums = [14.0] * 20 + [13.25, 9.5, 7.0, 12.125, 3.0]
    squares = [14.0] * 20 + [13.0625, 8.25, 7.0, 11.5, 3.0]
    found = fit(sums, squares, 14)
    assert (found.mu, found.kappa) == (0.93, 1.0)
    assert [v.hex() for v in found.variances[19:]] == [
        "0x1.30684ddf0f98ap-8",
        "0x1.3a95b20c04944p-5",
        "0x1.01694352e7142p-3",
        "0x1.fe5126da8f155p-3",
        "0x1.1e807b1dbda80p-4",
        "0x1.8bfe3b03e20cdp-3",
    ]


@pytest.mark.parametrize(
    ("sums", "squares", "n"),
    [
        pytest.param([], [], 3, id="no tests"),
        pytest.param([1.0], [1.0], 0, id="no runs"),
        pytest.param([1.0, 1.0], [1.0], 3, id="unequal lists"),
        pytest.param([3.5], [3.0], 3, id="sum above n"),
        pytest.param([-0.5], [-1.0], 3, id="sum below 0"),
        pytest.param([1.0], [1.5], 3, id="squares above the sum"),
        pytest.param([1.0], [-0.5], 3, id="squares below 0"),
        pytest.param([math.nan], [0.0], 3, id="not a number"),
    ],
)
def test_impossible_sums_are_refused(sums, squares, n):
    with pytest.raises(ValueError):
        fit(sums, squares, n)


def credits_of(n):
    return st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=n, max_size=n), min_size=1, max_size=12)


@given(st.integers(1, 6).flatmap(credits_of), st.randoms(use_true_random=False))
def test_order_of_tests_changes_nothing_and_values_stay_in_range(tests, random):
    n = len(tests[0])
    rows = [(sum(x), sum(c * c for c in x)) for x in tests]
    found = fit([s for s, _ in rows], [q for _, q in rows], n)
    order = random.sample(range(len(rows)), len(rows))
    shuffled = fit([rows[i][0] for i in order], [rows[i][1] for i in order], n)
    assert (shuffled.mu, shuffled.kappa) == (found.mu, found.kappa)
    assert shuffled.variances == tuple(found.variances[i] for i in order)
    assert all(0 < m < 1 for m in found.means)
    assert all(0.03 <= rho <= 1 for rho in found.variance_ratios)
    assert all(0 < v <= 0.25 for v in found.variances)

"""Logarithms and log-gamma that give the same bits on every machine (FND-31).

The mathematics library of a platform may round `log` and `lgamma` its own way, so two honest machines could differ
in a last digit. Here they come from `+ − × ÷`, which IEEE 754 rounds correctly everywhere, and from `frexp`, which
is exact. The order of every step is fixed. Relative error: about 1e-15 (tested to 1e-14).

Two habits go with it: add floats with `math.fsum` (built-in `sum` adds otherwise from Python 3.12 on), and never
use `**` on floats (it is the platform's `pow`).
"""

from __future__ import annotations

from math import frexp, inf, isinf, sqrt

__all__ = ["lgamma", "log", "log1p", "sqrt"]  # IEEE 754 rounds square roots correctly, so the platform's own serves

_ROOT_HALF = 0.7071067811865476
# ln 2 in two parts: the first has 32 bits, so any exponent times it is exact.
_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10
# ln 2π / 2 − 1/2
_STIRLING_CONSTANT = 0.4189385332046727

# 2/(2k+1) for k = 10 … 1: ln((1+s)/(1−s)) = 2s + s·Σ 2/(2k+1)·s^2k. With |s| ≤ 0.1716 what is left out is < 2e-18.
_LOG_SERIES = tuple(2 / (2 * k + 1) for k in range(10, 0, -1))

# B_2k / (2k·(2k−1)) for k = 7 … 1 in Stirling's series; for x ≥ 10 what is left out is < 3e-17.
_STIRLING_SERIES = (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)

# (−1)^k·(ζ(k) − 1)/k for k = 26 … 2, then 1 − γ: lnΓ(2+z) = z·(1−γ) + Σ …·z^k.
# With |z| ≤ 1/2 what is left out is < 3e-18.
_ABOVE_TWO_SERIES = (
    5.731367241678862e-10,
    -1.1921401405860912e-09,
    2.4836745438024785e-09,
    -5.183475041970047e-09,
    1.0838659214896955e-08,
    -2.2711094608943164e-08,
    4.7698101693639804e-08,
    -1.0043224823968099e-07,
    2.1207184805554665e-07,
    -4.492469198764566e-07,
    9.55141213040742e-07,
    -2.039215753801366e-06,
    4.374866789907488e-06,
    -9.439488275268397e-06,
    2.050721277567069e-05,
    -4.492623673813314e-05,
    9.945751278180853e-05,
    -0.00022315475845357939,
    0.0005096695247430425,
    -0.001192753911703261,
    0.0028905103307415234,
    -0.007385551028673986,
    0.020580808427784546,
    -0.0673523010531981,
    0.3224670334241132,
    0.42278433509846713,
)


def log(x: float) -> float:
    """The natural logarithm of x > 0. Raises ValueError for x ≤ 0 and not-a-number; infinity gives infinity."""
    if not x > 0:
        raise ValueError(f"log needs a number above 0, not {x}")
    if isinf(x):
        return inf
    m, exponent = frexp(x)
    if m < _ROOT_HALF:
        m += m
        exponent -= 1
    s = (m - 1.0) / (m + 1.0)  # √½ ≤ m < √2, so m − 1 is exact
    return exponent * _LN2_HIGH + (exponent * _LN2_LOW + _log_of_ratio(s))


def log1p(x: float) -> float:
    """ln(1 + x) for x > −1, exact in the small: log1p(1e-20) is 1e-20. Raises ValueError for x ≤ −1."""
    if not x > -1:
        raise ValueError(f"log1p needs a number above -1, not {x}")
    if -1e-17 < x < 1e-17:
        return x
    if -0.29 < x < 0.41:
        return _log_of_ratio(x / (2.0 + x))
    if isinf(x):
        return inf
    whole = 1.0 + x
    lost = (x - whole) + 1.0 if x > 1 else x - (whole - 1.0)  # what rounding took from 1 + x
    return log(whole) + lost / whole


def lgamma(x: float) -> float:
    """ln Γ(x) for x > 0. Raises ValueError for x ≤ 0 and not-a-number; infinity gives infinity."""
    if not x > 0:
        raise ValueError(f"lgamma needs a number above 0, not {x}")
    if x >= 10:
        return _stirling(x)
    if x < 0.5:
        return _above_two(x) - log1p(x) - log(x)  # Γ(x) = Γ(2+x) / ((1+x)·x)
    if x < 1.5:
        return _above_two(x - 1.0) - log1p(x - 1.0)  # Γ(x) = Γ(1+x) / x
    if x < 2.5:
        return _above_two(x - 2.0)
    product = 1.0
    while x >= 2.5:
        x -= 1.0
        product *= x
    return log(product) + _above_two(x - 2.0)  # Γ(x) = (x−1)·(x−2)·…·Γ(the rest)


def _log_of_ratio(s: float) -> float:
    """ln((1+s)/(1−s)) for |s| ≤ 0.1716."""
    square = s * s
    total = 0.0
    for coefficient in _LOG_SERIES:
        total = (total + coefficient) * square
    return s * 2.0 + s * total


def _above_two(z: float) -> float:
    """ln Γ(2 + z) for |z| ≤ 1/2."""
    total = 0.0
    for coefficient in _ABOVE_TWO_SERIES:
        total = total * z + coefficient
    return total * z


def _stirling(x: float) -> float:
    """ln Γ(x) for x ≥ 10."""
    if isinf(x):
        return inf
    inverse = 1.0 / x
    square = inverse * inverse
    total = 0.0
    for coefficient in _STIRLING_SERIES:
        total = total * square + coefficient
    return (x - 0.5) * (log(x) - 1.0) + (_STIRLING_CONSTANT + total * inverse)

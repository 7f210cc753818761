"""Logarithms with the same bits everywhere (FND-31). Expected values: 25 digits from arbitrary-precision arithmetic."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.statistics import portable

LOG = [
    (5e-324, "-744.4400719213812623141073", "-0x1.74385446d71c3p+9"),
    (1e-300, "-690.7755278982137051803383", "-0x1.5963447f87fb5p+9"),
    (0.1, "-2.30258509299404562850684", "-0x1.26bb1bbb55515p+1"),
    (0.5, "-0.6931471805599453094172321", "-0x1.62e42fefa39efp-1"),
    (0.7071067811865475, "-0.3465735902799727433597754", "-0x1.62e42fefa39f1p-2"),
    (0.7071067811865476, "-0.3465735902799725863505295", "-0x1.62e42fefa39eep-2"),
    (0.999999, "-0.000001000000500029089026855238", "-0x1.0c6f82d74d230p-20"),
    (1.0000000000000002, "2.22044604925031283432823e-16", "0x1.0000000000000p-52"),
    (1.1, "0.09531017980432494078744482", "0x1.8663f793c46ccp-4"),
    (1.4142135623730951, "0.3465735902799727230667026", "0x1.62e42fefa39f0p-2"),
    (10.0, "2.302585092994045684017991", "0x1.26bb1bbb55516p+1"),
    (20.0, "2.995732273553990993435224", "0x1.7f7427b73e391p+1"),
    (1.7976931348623157e308, "709.7827128933839967322234", "0x1.62e42fefa39efp+9"),
]
LOG1P = [
    (-0.9999999999999999, "-36.7368005696771013991133", "-0x1.25e4f7b2737fap+5"),
    (-0.5, "-0.6931471805599453094172321", "-0x1.62e42fefa39efp-1"),
    (-0.29, "-0.3424903089467759185600292", "-0x1.5eb5c7907e4c9p-2"),
    (-0.1, "-0.1053605156578263073954067", "-0x1.af8e8210a415ep-4"),
    (-1e-20, "-9.999999999999999451582715e-21", "-0x1.79ca10c924223p-67"),
    (1e-10, "9.999999999500000364355306e-11", "0x1.b7cdfd9d1d693p-34"),
    (0.41, "0.3435897043900768928575842", "0x1.5fd5fabe64084p-2"),
    (0.7, "0.5306282510621703701086485", "0x1.0fae81914a991p-1"),
    (1.0, "0.6931471805599453094172321", "0x1.62e42fefa39efp-1"),
    (3.0, "1.386294361119890618834464", "0x1.62e42fefa39efp+0"),
    (1e16, "36.84136148790473104428786", "0x1.26bb1bbb55516p+5"),
    (1e300, "690.7755278982137052579022", "0x1.5963447f87fb5p+9"),
]
LGAMMA = [
    (5e-324, "744.4400719213812623141073", "0x1.74385446d71c3p+9"),
    (1e-20, "46.05170185988091373520079", "0x1.7069e2aa2aa5bp+5"),
    (0.04, "3.197078173767305835737026", "0x1.9939db8b8b018p+1"),
    (0.3, "1.095797994818075560562999", "0x1.188637a6c4196p+0"),
    (0.49999999999999994, "0.5723649429247001960684157", "0x1.250d048e7a1bep-1"),
    (0.5, "0.5723649429247000870717137", "0x1.250d048e7a1bdp-1"),
    (0.8, "0.1520596783998375459233034", "0x1.376b108e2400ep-3"),
    (0.999999, "0.0000005772164873855652379393149", "0x1.35e407ab00e3ep-21"),
    (1.0000001, "-5.772155829918507096963802e-8", "-0x1.efd30c8e518b7p-25"),
    (1.4999999999999998, "-0.1207822376352452304479203", "-0x1.eeb95b094c190p-4"),
    (1.5, "-0.1207822376352452223455184", "-0x1.eeb95b094c192p-4"),
    (1.999999, "-0.000000422784012596585370190295", "-0x1.c5f5fc065a4d3p-22"),
    (2.3, "0.1541894549596304745014234", "0x1.3bc7ae538475ep-3"),
    (2.5, "0.2846828704729191596324947", "0x1.2383e809a67e8p-2"),
    (3.0, "0.6931471805599453094172321", "0x1.62e42fefa39efp-1"),
    (6.6, "5.842680055274632671837817", "0x1.75ee785399586p+2"),
    (9.9999, "12.80160230534839698394075", "0x1.99a6b9e0bbd39p+3"),
    (10.0, "12.80182748008146961120772", "0x1.99a8921a7f7d0p+3"),
    (10.5, "13.94062521940376363316124", "0x1.be199a0f64393p+3"),
    (34.3, "86.10928097864134106560859", "0x1.586fe75a555b9p+6"),
    (171.0, "706.5730622457873471107223", "0x1.61495a1a8a1d5p+9"),
    (1e6, "12815504.56914761165997697", "0x1.871921236750dp+23"),
    (1e300, "6.897755278982137414744009e302", "0x1.017f38e7a1ab5p+1006"),
]
CASES = [
    pytest.param(function, x, exact, bits, id=f"{function.__name__}({x!r})")
    for function, table in [(portable.log, LOG), (portable.log1p, LOG1P), (portable.lgamma, LGAMMA)]
    for x, exact, bits in table
]


@pytest.mark.parametrize(("function", "x", "exact", "bits"), CASES)
def test_value_is_right_to_1e_minus_15_and_has_the_same_bits_everywhere(function, x, exact, bits):
    """FND-31: transcendental functions by a route that is the same everywhere."""
    found = function(x)
    assert found.hex() == bits
    assert abs(Decimal(found) / Decimal(exact) - 1) < Decimal("1e-15")


@pytest.mark.parametrize(
    ("function", "x", "value"),
    [
        (portable.log, 1.0, 0.0),
        (portable.log, math.inf, math.inf),
        (portable.log1p, 0.0, 0.0),
        (portable.log1p, 5e-324, 5e-324),
        (portable.log1p, -5e-324, -5e-324),
        (portable.log1p, math.inf, math.inf),
        (portable.lgamma, 1.0, 0.0),
        (portable.lgamma, 2.0, 0.0),
        (portable.lgamma, math.inf, math.inf),
        (portable.sqrt, 2.0, 1.4142135623730951),
    ],
)
def test_special_values_are_exact(function, x, value):
    assert function(x) == value


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (portable.log, 0.0),
        (portable.log, -1.0),
        (portable.log, math.nan),
        (portable.log1p, -1.0),
        (portable.log1p, -2.0),
        (portable.log1p, math.nan),
        (portable.lgamma, 0.0),
        (portable.lgamma, -0.5),
        (portable.lgamma, math.nan),
    ],
)
def test_what_has_no_logarithm_is_refused(function, x):
    with pytest.raises(ValueError, match=f"{function.__name__} needs a number above"):
        function(x)


positive = st.floats(min_value=1e-300, max_value=1e300)


@given(positive)
def test_log_agrees_with_the_platform(x):
    assert portable.log(x) == pytest.approx(math.log(x), rel=1e-14)


@given(st.floats(min_value=-0.9999999, max_value=1e300))
def test_log1p_agrees_with_the_platform(x):
    assert portable.log1p(x) == pytest.approx(math.log1p(x), rel=1e-14)


@given(st.floats(min_value=1e-300, max_value=1e15))
def test_lgamma_agrees_with_the_platform(x):
    assert portable.lgamma(x) == pytest.approx(math.lgamma(x), rel=1e-13, abs=1e-14)


@given(st.floats(min_value=0.01, max_value=200))
def test_gamma_grows_by_its_argument(x):
    """Γ(x + 1) = x·Γ(x), across every change of route."""
    assert portable.lgamma(x + 1) == pytest.approx(portable.lgamma(x) + portable.log(x), rel=1e-13, abs=1e-13)

"""The sentence a comparison opens with (RUN-32)."""

from fractions import Fraction

import pytest

from trigpoint.core.statistics.paired import PairedDifferences
from trigpoint.core.statistics.verdict import Word, verdict


def seen(wins, losses, ties=0):
    adding = PairedDifferences({"a": Fraction(1)})
    for count, first, second in [(wins, 1, 0), (losses, 0, 1), (ties, 1, 1)]:
        for _ in range(count):
            adding.add("a", Fraction(1), Fraction(first), Fraction(second))
    return adding.compare(seed=1)


@pytest.mark.parametrize(
    ("comparison", "options", "word", "sentence"),
    [
        pytest.param(
            seen(10, 2, 12),
            {},
            Word.BETTER,
            "Clearly better: the first run scores 33.3 points more; "
            "chance alone would do that in 3.9% of comparisons (p = 0.039).",
            id="better",
        ),
        pytest.param(
            seen(2, 10, 12),
            {},
            Word.WORSE,
            "Clearly worse: the first run scores 33.3 points less; "
            "chance alone would do that in 3.9% of comparisons (p = 0.039).",
            id="worse",
        ),
        pytest.param(
            seen(16, 0, 8),
            {},
            Word.BETTER,
            "Clearly better: the first run scores 66.7 points more; "
            "chance alone would do that in less than 0.1% of comparisons (p < 0.001).",
            id="beyond doubt",
        ),
        pytest.param(
            seen(11, 3, 10),
            {},
            Word.CANT_TELL,
            "Can't tell: a difference of 33.3 points can be chance (p = 0.057). "
            "About 18 more tasks or 4 repeats of each run would settle a difference of this size.",
            id="can't tell, two ways to settle it",
        ),
        pytest.param(
            seen(2, 5, 17),
            {},
            Word.CANT_TELL,
            "Can't tell: a difference of 12.5 points can be chance (p = 0.453). "
            "About 130 more tasks would settle a difference of this size.",
            id="can't tell, repeats wouldn't do",
        ),
        pytest.param(
            seen(12, 11, 217),
            {},
            Word.CANT_TELL,
            "Can't tell: a difference of 0.4 points can be chance (p = 1.000). "
            "More than 10,000 more tasks would settle a difference of this size.",
            id="can't tell, not worth settling",
        ),
        pytest.param(
            seen(5, 0),
            {},
            Word.CANT_TELL,
            "Can't tell: a difference of 100.0 points can be chance (p = 0.063). "
            "About 1 more task or 2 repeats of each run would settle a difference of this size.",
            id="one more task",
        ),
        pytest.param(
            seen(0, 0, 24), {}, Word.CANT_TELL, "Can't tell: both runs earn the same on every task.", id="the same run"
        ),
        pytest.param(
            seen(4, 4, 16),
            {},
            Word.CANT_TELL,
            "Can't tell: the two runs win and lose the same, so both score alike.",
            id="a draw",
        ),
        pytest.param(
            seen(11, 3, 10),
            {"repeats": 3},
            Word.CANT_TELL,
            "Can't tell: a difference of 33.3 points can be chance (p = 0.057). "
            "About 16 more tasks would settle a difference of this size.",
            id="three repeats done",
        ),
    ],
)
def test_sentences(comparison, options, word, sentence):
    found = verdict(comparison, **options)
    assert (found.word, found.sentence) == (word, sentence)


def test_p_after_holm_decides():
    comparison = seen(10, 2, 12)
    assert verdict(comparison, adjusted_p=Fraction(5, 100)).word is Word.BETTER
    found = verdict(comparison, adjusted_p=Fraction(51, 1000))
    assert found.word is Word.CANT_TELL
    assert "p = 0.051" in found.sentence


@pytest.mark.parametrize(
    ("p", "words"),
    [
        pytest.param("0.05", "in 5.0% of comparisons (p = 0.050)", id="exactly 5 in 100"),
        pytest.param("0.0012", "in 0.1% of comparisons (p = 0.001)", id="above 1 in 1,000"),
        pytest.param("0.001", "in 0.1% of comparisons (p = 0.001)", id="exactly 1 in 1,000"),
        pytest.param("0.000999", "in less than 0.1% of comparisons (p < 0.001)", id="below 1 in 1,000"),
    ],
)
def test_chance_is_said_in_percent_and_as_p(p, words):
    assert verdict(seen(10, 2, 12), adjusted_p=Fraction(p)).sentence.endswith(f"chance alone would do that {words}.")


def test_words_are_those_of_the_specification():
    assert [str(word) for word in Word] == ["clearly better", "clearly worse", "can't tell"]

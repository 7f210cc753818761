"""What patterns match: worked examples, agreement with Python's `re`, and the limits (FND-30)."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigpoint.core.automaton import MAX_STEPS, PatternError, compile_pattern, run

DATE = r"\d{4}-(?:0[1-9]|1[0-2])-\d\d"


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        pytest.param("cat", ["cat"], ["Cat", "cats", "ca", "", "cat\n", " cat"], id="literals fit whole"),
        pytest.param("cat|dog", ["cat", "dog"], ["catdog", "ca", "og"], id="alternation"),
        pytest.param("|a", ["", "a"], ["aa"], id="an empty alternative"),
        pytest.param("c(?:a|o)t", ["cat", "cot"], ["ct", "caot"], id="group"),
        pytest.param("(a)(b)", ["ab"], ["a", "b", "ba"], id="capturing groups only group"),
        pytest.param("a*", ["", "a", "aaa"], ["b", "ab"], id="star"),
        pytest.param("a+", ["a", "aaa"], ["", "ab"], id="plus"),
        pytest.param("a?b", ["b", "ab"], ["aab", "a"], id="question mark"),
        pytest.param("a{3}", ["aaa"], ["aa", "aaaa"], id="count"),
        pytest.param("a{2,}", ["aa", "aaaaa"], ["a"], id="count without end"),
        pytest.param("a{,2}b", ["b", "ab", "aab"], ["aaab"], id="count from none"),
        pytest.param("a{1,3}", ["a", "aa", "aaa"], ["", "aaaa"], id="count from to"),
        pytest.param("a{0}b", ["b"], ["ab"], id="count of none"),
        pytest.param("(?:ab){2,3}c", ["ababc", "abababc"], ["abc", "ababababc", "ababab"], id="count of a group"),
        pytest.param("(?:a|bc){2}", ["aa", "abc", "bca", "bcbc"], ["a", "ab", "abcb"], id="choice each time"),
        pytest.param("a*?b+?c??", ["b", "aab", "bbc"], ["a", "c"], id="lazy forms accept the same"),
        pytest.param(".", ["a", "é", "\U0001f600", "\r"], ["", "\n", "ab"], id="dot"),
        pytest.param("(?s).", ["\n"], [""], id="dot with dotall"),
        pytest.param("[abc]", ["a", "c"], ["d", "", "ab"], id="class"),
        pytest.param("[a-cx]", ["b", "x"], ["d", "-"], id="range"),
        pytest.param("[^a-c]", ["d", "\n"], ["a", ""], id="negated class"),
        pytest.param("[-a]", ["-", "a"], ["b"], id="hyphen first"),
        pytest.param("[a-]", ["-", "a"], ["b"], id="hyphen last"),
        pytest.param("[a-c-e]", ["b", "-", "e"], ["d"], id="hyphen after a range"),
        pytest.param("[a\\-c]", ["a", "-", "c"], ["b"], id="escaped hyphen"),
        pytest.param("[\\]\\\\^]", ["]", "\\", "^"], ["["], id="escaped in a class"),
        pytest.param("[\\d_]+", ["12_", "٣"], ["a"], id="category in a class"),
        pytest.param("[^\\s\\d]", ["a", "_"], [" ", "1"], id="categories negated"),
        pytest.param("\\D\\W\\S", ["a-b"], ["1-b", "aab", "a- "], id="capital categories"),
        pytest.param("\\d\\w\\s", ["1a ", "٣é\u2003"], ["aa ", "1- ", "1aa"], id="categories"),
        pytest.param("\\.\\*\\(\\[\\{\\\\", [".*([{\\"], ["a*([{\\"], id="escaped marks"),
        pytest.param("a.b", ["axb", "a.b"], ["ab", "axxb"], id="dot is no literal"),
        pytest.param("\\n\\t\\r\\f\\v\\a", ["\n\t\r\f\v\a"], ["ntrfva"], id="control escapes"),
        pytest.param("\\x41\\u00e9\\U0001F600", ["Aé\U0001f600"], ["Ae\U0001f600"], id="numbered characters"),
        pytest.param("\\é\\-\\ ", ["é- "], ["e- "], id="needless escapes"),
        pytest.param("(?i)straße", ["STRAßE", "strAẞe"], ["strasse"], id="any case"),
        pytest.param("(?i)k[j-l]", ["Kk", "\u212aL", "kJ"], ["ki", "Km"], id="any case in a range"),
        pytest.param("(?i)[^a-c]", ["d", "D", "1"], ["b", "B"], id="any case, negated"),
        pytest.param("(?i)\\x4b", ["k", "K"], ["x4b"], id="any case of an escape"),
        pytest.param("^a$", ["a"], ["a\n", "\na"], id="anchors of a whole text"),
        pytest.param("a$\n", ["a\n"], ["a", "a\n\n"], id="$ before the last line feed"),
        pytest.param("a$\n\n", [], ["a\n\n"], id="$ before another line feed"),
        pytest.param("(?m)a$\n^b", ["a\nb"], ["ab", "a\n\nb"], id="multiline"),
        pytest.param("(?m)^a$\n^$\n^b$", ["a\n\nb"], ["a\nb"], id="an empty line"),
        pytest.param("a\n^b", [], ["a\nb"], id="^ without multiline"),
        pytest.param("\\Aa\\Z", ["a"], ["a\n", "ba"], id="\\A and \\Z"),
        pytest.param("(?m)a\n\\Ab", [], ["a\nb"], id="\\A with multiline"),
        pytest.param("(?m)a\\Z\n", [], ["a\n"], id="\\Z with multiline"),
        pytest.param("a\\b.+", ["a b", "a-b"], ["ab", "a_b", "a1"], id="word boundary"),
        pytest.param("a\\B.+", ["ab", "a_"], ["a b", "a"], id="no word boundary"),
        pytest.param("\\bé\\b", ["é"], ["e"], id="boundaries at the ends"),
        pytest.param("\\B", [""], ["a"], id="an empty text has no boundary"),
        pytest.param("\\b", [], [""], id="nor has it one"),
        pytest.param("(?:\\b|a)+b", ["b", "ab", "aab"], ["a"], id="a repeat of a choice with an anchor"),
        pytest.param("(?:a?){3}b", ["b", "ab", "aaab"], ["aaaab"], id="a count of what may be empty"),
        pytest.param("(?:a*)*b", ["b", "aab"], ["a"], id="a star of a star"),
        pytest.param("(?:(?:a|b)*c)*", ["", "c", "abcc", "bcac"], ["a", "ca"], id="a star in a star"),
        pytest.param(DATE, ["2024-02-30", "0000-12-00"], ["2024-13-01", "2024-2-30", "24-02-30"], id="a date"),
        pytest.param("", [""], ["a"], id="nothing"),
    ],
)
def test_a_pattern_fits_whole_texts(pattern: str, right: list[str], wrong: list[str]) -> None:
    """RUN-20: regular expression, full match by default."""
    automaton = compile_pattern(pattern)
    assert [text for text in right if automaton.matches(text) is not True] == []
    assert [text for text in wrong if automaton.matches(text) is not False] == []


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        pytest.param("cat", ["cat", "a cat sat", "concat"], ["c at", "", "ca"], id="literals anywhere"),
        pytest.param("^cat", ["cat", "cats"], ["a cat", "a\ncat"], id="at the start"),
        pytest.param("cat$", ["a cat", "cat\n"], ["cats", "cat\n\n", "cat\na"], id="at the end"),
        pytest.param("(?m)^cat$", ["a\ncat\nb", "cat\r\ncat"], ["a cat"], id="a line"),
        pytest.param("\\bcat\\b", ["a cat.", "cat"], ["cats", "concat", "cat_"], id="a word"),
        pytest.param("cat\\Z", ["a cat"], ["cat\n"], id="at the very end"),
        pytest.param("\\Acat", ["cats"], ["a cat"], id="at the very start"),
        pytest.param("", ["", "a"], [], id="nothing is everywhere"),
        pytest.param("a*", ["", "b"], [], id="none of it is everywhere"),
        pytest.param("$", ["", "a", "a\n"], [], id="the end is everywhere"),
        pytest.param("^$", ["", "\n"], ["a", "\na", "a\n"], id="an empty text"),
        pytest.param("(?m)^$", ["a\n", "a\n\nb"], ["a", "a\nb"], id="an empty line"),
        pytest.param("aab", ["aaab"], ["aba"], id="a false start"),
        pytest.param("abcd|bc", ["abce"], ["ab"], id="a shorter one inside"),
    ],
)
def test_a_search_finds_a_part(pattern: str, right: list[str], wrong: list[str]) -> None:
    automaton = compile_pattern(pattern, search=True)
    assert [text for text in right if automaton.matches(text) is not True] == []
    assert [text for text in wrong if automaton.matches(text) is not False] == []


@pytest.mark.parametrize(
    ("options", "inline", "text"),
    [
        pytest.param({"casefold": True}, "(?i)a.^b", "A", id="casefold"),
        pytest.param({"dotall": True}, "(?s)a.", "a\n", id="dotall"),
        pytest.param({"multiline": True}, "(?m)a\n^b", "a\nb", id="multiline"),
    ],
)
def test_options_are_the_inline_flags(options: dict[str, bool], inline: str, text: str) -> None:
    pattern = {"casefold": "a", "dotall": "a.", "multiline": "a\n^b"}[next(iter(options))]
    letter = inline[2]
    assert compile_pattern(pattern).matches(text) is False
    assert compile_pattern(pattern, **options).matches(text) is True
    assert compile_pattern(f"(?{letter}){pattern}").matches(text) is True
    others = "ims".replace(letter, "")
    assert compile_pattern(f"(?{others}){pattern}").matches(text) is False
    assert compile_pattern(f"(?{others}){pattern}", **options).matches(text) is True


# Random patterns, built so that `re` accepts them.

ANCHORS = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
ATOMS = [
    *("a", "b", "K", "ſ", "é", "1", "_", " ", r"\n", ".", r"\x61", r"\.", "ß", "i", "İ", "]", "}", "σ", "ς"),
    *(r"\d", r"\w", r"\s", r"\D", r"\W", r"\S"),
    *("[ab]", "[^a]", "[a-c1-3]", r"[\d_-]", r"[^\w\s]", r"[^\n]", "[j-l]", "[^A-K]", r"[\W]", r"[\Dß]", "[Σ-Ω]"),
]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{,2}", "{0}", "{1,3}?", "{2,}?"]
LETTERS = "aabbcK\u212aſsSk1\u0661_ \n\n.éßẞiIİıj\U0001f600]}ΣσςΩ"


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    sequences = st.lists(inner, max_size=3).map("".join)
    opened = st.sampled_from(["(", "(?:"])
    groups = st.builds(
        lambda mark, parts: f"{mark}{'|'.join(parts)})", opened, st.lists(sequences, min_size=1, max_size=3)
    )
    repeats = st.builds(lambda mark, part, times: f"{mark}{part}){times}", opened, inner, st.sampled_from(REPEATS))
    return sequences | groups | repeats


PATTERNS = st.recursive(
    st.sampled_from(ATOMS)
    | st.sampled_from(ANCHORS)
    | st.builds("".join, st.tuples(*map(st.sampled_from, (ATOMS, REPEATS)))),
    grown,
    max_leaves=12,
)
FLAGS = {"casefold": re.IGNORECASE, "multiline": re.MULTILINE, "dotall": re.DOTALL}


def agree(pattern: str, options: list[str], texts: list[str]) -> None:
    flags = sum((int(FLAGS[name]) for name in options), 0)
    reference = re.compile(pattern, flags)
    whole = compile_pattern(pattern, **dict.fromkeys(options, True))
    part = compile_pattern(pattern, search=True, **dict.fromkeys(options, True))
    for text in texts:
        if not text and "\\B" in pattern:
            continue  # before Python 3.14, `re` finds no \B in an empty text
        assert whole.matches(text) is bool(reference.fullmatch(text)), text
        assert part.matches(text) is bool(reference.search(text)), text


OPTION_SETS = st.lists(st.sampled_from(sorted(FLAGS)), unique=True)


@settings(max_examples=400)
@given(PATTERNS, OPTION_SETS, st.lists(st.text(LETTERS, max_size=8), min_size=1, max_size=8))
def test_patterns_mean_what_re_makes_of_them(pattern: str, options: list[str], texts: list[str]) -> None:
    """FND-30: a property test compares the automaton with `re`."""
    agree(pattern, options, texts)


@pytest.mark.full
@settings(max_examples=5_000)
@given(PATTERNS, OPTION_SETS, st.lists(st.text(LETTERS, max_size=10), min_size=1, max_size=8))
def test_many_patterns_mean_what_re_makes_of_them(pattern: str, options: list[str], texts: list[str]) -> None:
    """FND-30: the same at length."""
    agree(pattern, options, texts)


@given(st.text(max_size=12), st.text(max_size=12))
def test_an_escaped_text_fits_itself_alone(text: str, other: str) -> None:
    assert compile_pattern(re.escape(text)).matches(text) is True
    assert compile_pattern(re.escape(text)).matches(other) is (text == other)


@given(st.text(alphabet="()[]{}|*+?.^$\\-abdwsx01:,=!<>Pi ", max_size=14))
def test_what_re_refuses_is_refused(pattern: str) -> None:
    """Whatever is accepted has the meaning of `re`, so nothing that `re` refuses is accepted."""
    try:
        automaton = compile_pattern(pattern)
    except PatternError:
        return
    assert automaton.matches("ab") is bool(re.fullmatch(pattern, "ab"))


# Limits


@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        pytest.param("(a+)+b", "a", id="nested plus"),
        pytest.param("(?:a|a)*b", "a", id="the same alternative twice"),
        pytest.param("(?:a|aa)+b", "a", id="overlapping alternatives"),
        pytest.param("(.*)*x", "ab", id="star of a star"),
        pytest.param("(?:\\w+\\s?)*!", "word ", id="words and spaces"),
    ],
)
def test_patterns_that_ruin_backtracking_are_plain_work_here(pattern: str, unit: str) -> None:
    """FND-30: linear in the answer; `re` would need longer than the world has for the first of these."""
    assert compile_pattern(pattern).matches(unit * 50_000) is False


def steps_to_the_limit(monkeypatch: pytest.MonkeyPatch, pattern: str, text: str, **options: bool) -> int:
    """The smallest step limit under which a run comes to a verdict."""
    low, high = 0, 10_000
    while low < high:
        middle = (low + high) // 2
        monkeypatch.setattr(run, "MAX_STEPS", middle)
        verdict = run.compile_pattern.__wrapped__(pattern, **options).matches(text)
        low, high = (middle + 1, high) if verdict is None else (low, middle)
    return low


@pytest.mark.parametrize(
    ("pattern", "text", "steps"),
    [
        pytest.param("abc", "abc", 4, id="one place after each of four gaps"),
        pytest.param("[ab]*", "abab", 10, id="the same place or the end, five times"),
        pytest.param("(?:a|b|c)d", "ad", 5, id="three places, one, the end"),
        pytest.param("(?:\\ba|b)c", "bc", 4, id="an anchor counts as if it held"),
    ],
)
def test_steps_are_counted_in_places_and_characters(
    monkeypatch: pytest.MonkeyPatch, pattern: str, text: str, steps: int
) -> None:
    """FND-30: a step cap; a step is a place of the pattern that may take the next character."""
    assert steps_to_the_limit(monkeypatch, pattern, text) == steps


EXPLODING = "(?:a|b)*a(?:a|b){12}"  # thousands of states


def test_a_verdict_never_depends_on_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """FND-30: the same grade everywhere, whatever was graded before, however small the memory."""
    chance = random.Random(5)
    texts = ["".join("ab"[int(chance.random() * 2)] for _ in range(300)) for _ in range(20)]
    expected = [bool(re.fullmatch(EXPLODING, text)) for text in texts]
    assert len(set(expected)) == 2
    for states, moves in ((512, 8_192), (3, 8_192), (512, 2), (1, 1)):
        monkeypatch.setattr(run, "MAX_KEPT_STATES", states)
        monkeypatch.setattr(run, "MAX_KEPT_MOVES", moves)
        automaton = run.compile_pattern.__wrapped__(EXPLODING)
        assert [automaton.matches(text) for text in texts * 2] == expected * 2
        monkeypatch.setattr(run, "MAX_STEPS", 2_000)
        assert [automaton.matches(text) for text in texts] == [None] * len(texts)
        monkeypatch.setattr(run, "MAX_STEPS", MAX_STEPS)


def test_what_is_remembered_is_bounded() -> None:
    chance = random.Random(5)
    text = "".join("ab"[int(chance.random() * 2)] for _ in range(20_000))
    automaton = run.compile_pattern.__wrapped__(EXPLODING + "c?")
    automaton.matches(text)
    kept = list(automaton._states.values())
    assert 1 < len(kept) <= run.MAX_KEPT_STATES
    many = "".join(map(chr, range(0x10000, 0x10000 + 20_000)))
    automaton = run.compile_pattern.__wrapped__(".*")
    assert automaton.matches(many) is True
    assert sum(map(len, automaton._states.values())) <= run.MAX_KEPT_MOVES


def test_an_answer_beyond_the_step_cap_has_no_verdict() -> None:
    """FND-30: the run ends at the cap, however long the answer goes on."""
    automaton = compile_pattern("(?:a|b)*a(?:a|b){200}c")
    assert automaton.matches("a" * 100_000) is None
    assert automaton.matches("a" * 1_000) is False


def test_a_verdict_before_the_cap_stands() -> None:
    crowded = "(?:" + "|".join(f"{n:03}" for n in range(240)) + ")"
    assert compile_pattern(crowded, search=True).matches("007" + "x" * 1_000_000) is True
    assert compile_pattern(crowded).matches("x" * 1_000_000) is False
    assert compile_pattern(crowded, search=True).matches("x" * 1_000_000) is None


def test_a_megabyte_is_graded() -> None:
    text = "the quick brown fox\n" * 50_000
    assert compile_pattern(r"[a-z\s]+").matches(text) is True
    assert compile_pattern(r"(?i)\bFOX$", search=True, multiline=True).matches(text) is True
    assert compile_pattern(r"\bcat\b", search=True).matches(text) is False


def test_compiled_patterns_are_kept_up_to_a_bound() -> None:
    assert compile_pattern("kept") is compile_pattern("kept")
    assert compile_pattern.cache_info().maxsize == run.KEPT_PATTERNS

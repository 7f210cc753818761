"""Which patterns are accepted, and how the others are refused (FND-30)."""

from __future__ import annotations

import re
import warnings

import pytest

from trigpoint.core.automaton import PatternError, compile_pattern
from trigpoint.core.automaton.syntax import MAX_COUNT, MAX_LENGTH, MAX_NESTING

NO_RANGE = "a range that doesn't rise from one character to another"
NO_HEX = "an escape without the {} hexadecimal digits of a character at character 1"


def refusal(pattern: str) -> PatternError:
    with pytest.raises(PatternError) as raised:
        compile_pattern(pattern)
    return raised.value


@pytest.mark.parametrize(
    ("pattern", "found", "next"),
    [
        # constructs that need memory of what was matched, or looking elsewhere
        pytest.param("a(?=b)", 'lookahead ("(?=") at character 2', "", id="lookahead"),
        pytest.param("a(?!b)", 'lookahead ("(?!") at character 2', "", id="negative lookahead"),
        pytest.param("(?<=a)b", 'lookbehind ("(?<=") at character 1', "", id="lookbehind"),
        pytest.param("(?<!a)b", 'lookbehind ("(?<!") at character 1', "", id="negative lookbehind"),
        pytest.param("(a)\\1", "a backreference or an octal escape at character 4", "\\x07", id="backreference"),
        pytest.param("a\\0", "a backreference or an octal escape at character 2", "\\x07", id="octal escape"),
        pytest.param("(?P<n>a)", 'a named group ("(?P<") at character 1', "", id="named group"),
        pytest.param("(?<n>a)", 'a named group ("(?<") at character 1', "", id="named group of other dialects"),
        pytest.param("(?P<n>a)(?P=n)", 'a named group ("(?P<") at character 1', "", id="the first is told"),
        pytest.param("(a)(?P=n)", 'a backreference ("(?P=") at character 4', "", id="named backreference"),
        pytest.param("(a)?(?(1)b)", 'a conditional ("(?(") at character 5', "", id="conditional"),
        pytest.param("(?>a)", 'an atomic group ("(?>") at character 1', "", id="atomic group"),
        pytest.param("a(?#x)", 'a comment ("(?#") at character 2', "", id="comment"),
        pytest.param("a*+", "a possessive repeat at character 3", "", id="possessive star"),
        pytest.param("a{2}+", "a possessive repeat at character 5", "", id="possessive count"),
        # flags
        pytest.param("a(?i)b", 'flags or a mark ("(?i") inside the pattern at character 2', "", id="flag inside"),
        pytest.param("(?i:a)", 'flags or a mark ("(?i") inside the pattern at character 1', "", id="scoped flag"),
        pytest.param("(?x)a", 'the flag "x" at character 1', "(?i), (?m), (?s)", id="verbose flag"),
        pytest.param("(?ia)a", 'the flag "a" at character 1', "(?i), (?m), (?s)", id="one of two flags"),
        pytest.param("(?", 'flags or a mark ("(?") inside the pattern at character 1', "", id="a mark alone"),
        # repeats
        pytest.param("*a", '"*" with nothing before it to repeat at character 1', "\\*", id="star first"),
        pytest.param("a|+", '"+" with nothing before it to repeat at character 3', "\\+", id="plus after a bar"),
        pytest.param("(?:?a)", '"?" with nothing before it to repeat at character 4', "\\?", id="question mark first"),
        pytest.param('{"a"', '"{" with nothing before it to repeat at character 1', "\\{", id="brace first"),
        pytest.param("a{", '"{" with nothing before it to repeat at character 2', "\\{", id="brace without count"),
        pytest.param("a{,}", '"{" with nothing before it to repeat at character 2', "\\{", id="count without numbers"),
        pytest.param("a{ 2}", '"{" with nothing before it to repeat at character 2', "\\{", id="count with space"),
        pytest.param("a**", "a repeat of a repeat at character 2", "(?:…)", id="repeat of a repeat"),
        pytest.param("a{2}{3}", "a repeat of a repeat at character 2", "(?:…)", id="count of a count"),
        pytest.param("^*", "an anchor that is repeated at character 2", "", id="repeated start"),
        pytest.param("a\\b+", "an anchor that is repeated at character 4", "", id="repeated boundary"),
        pytest.param("a{3,2}", "a count that isn't rising or is above 1,000 at character 2", "", id="falling count"),
        pytest.param("a{1001}", "a count that isn't rising or is above 1,000 at character 2", "", id="count too high"),
        pytest.param("a{1,1001}", "a count that isn't rising or is above 1,000 at character 2", "", id="end too high"),
        pytest.param("a{99999}", "a count above 1,000 at character 2", "", id="count with five digits"),
        pytest.param("a{1,99999}", "a count above 1,000 at character 2", "", id="end with five digits"),
        # groups and classes
        pytest.param("(a", '"(" without its ")" at character 1', "", id="open group"),
        pytest.param("a(?:b(c)", '"(" without its ")" at character 2', "", id="the outer of two"),
        pytest.param("a)", '")" without its "(" at character 2', "", id="closed group"),
        pytest.param("a[b", '"[" without its "]" at character 2', "", id="open class"),
        pytest.param("[b-", '"[" without its "]" at character 1', "", id="class that ends in a range"),
        pytest.param("[]", "an empty class at character 1", "\\]", id="empty class"),
        pytest.param("[]a]", "an empty class at character 1", "\\]", id="a bracket first in a class"),
        pytest.param("[^]", "an empty class at character 1", "\\]", id="negated empty class"),
        pytest.param("[[:alpha:]]", '"[" in a class at character 2', "\\[", id="class inside a class"),
        pytest.param("[a--b]", '"-" in a class at character 4', "\\-", id="difference of sets"),
        pytest.param("[--b]", '"-" in a class at character 2', "\\-", id="two hyphens first"),
        pytest.param("[a--]", '"-" in a class at character 4', "\\-", id="two hyphens last"),
        pytest.param("[a&&b]", '"&" in a class at character 3', "\\&", id="intersection of sets"),
        pytest.param("[a~~b]", '"~" in a class at character 3', "\\~", id="symmetric difference of sets"),
        pytest.param("[a||b]", '"|" in a class at character 3', "\\|", id="union of sets"),
        pytest.param("x[z-a]", f"{NO_RANGE} at character 2", "", id="fall"),
        pytest.param("[\\d-z]", f"{NO_RANGE} at character 1", "", id="\\d-z"),
        pytest.param("[A-\\d]", f"{NO_RANGE} at character 1", "", id="A-\\d"),
        pytest.param("[a-\\d]", f"{NO_RANGE} at character 1", "", id="a-\\d"),
        # escapes
        pytest.param("a\\", "a backslash at the end at character 2", "", id="backslash last"),
        pytest.param("[a\\", "a backslash at the end at character 3", "", id="backslash last in a class"),
        pytest.param("\\p{L}", "the escape \\p at character 1", "", id="Unicode property"),
        pytest.param("\\N{DIGIT ONE}", "the escape \\N at character 1", "", id="named character"),
        pytest.param("a\\G", "the escape \\G at character 2", "", id="anchor of other dialects"),
        pytest.param("[\\b]", "the escape \\b at character 2", "", id="backspace"),
        pytest.param("[\\A]", "the escape \\A at character 2", "", id="anchor in a class"),
        pytest.param("\\x4", NO_HEX.format(2), "", id="x"),
        pytest.param("\\xg0", NO_HEX.format(2), "", id="x g"),
        pytest.param("\\u12", NO_HEX.format(4), "", id="u"),
        pytest.param("\\U00110000", NO_HEX.format(8), "", id="U"),
    ],
)  # fmt: skip
def test_what_the_subset_lacks_is_refused_by_name_and_place(pattern: str, found: str, next: str) -> None:
    """FND-30: a documented subset; no backreferences, no lookaround."""
    error = refusal(pattern)
    assert error.found == found
    assert next in error.next
    assert error.what == "pattern"
    assert error.expected == "the supported subset"


@pytest.mark.parametrize(
    "pattern",
    ["", "a|", "|", "()", "(?:)", "(?i)", "(?im)a", "a{0}", "a{,2}", "a{2,}?", "(?:^)*", "(\\b)+", "a}", "]", "}", "-",
     "[-a]", "[a-]", "[a\\-z]", "[\\]]", "[^^]", "[a^]", "[$.]", "\\é", "\\ ", "\\-", "[\\[]", "[a-c-e]", "\\_",
     "a{1000}", "[ -~]", "[\\x00-\\x1f]", "[\\u00e9-\\U0001F600]", "(?:a|b)*?c??d+?", "\\A\\Z",
     "[\\w.%+-]+@[\\w-]+\\.[a-z]{2,}", "[|]", "[&a&]", "[aXX]", "\\U0010FFFF", "\\xfF", "[a-a]"],
)  # fmt: skip
def test_what_is_accepted_is_a_pattern_of_re_too(pattern: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        re.compile(pattern)
    compile_pattern(pattern)


def test_length_nesting_and_counts_are_bounded() -> None:
    """FND-30: limits count."""
    compile_pattern("a" * MAX_LENGTH)
    error = refusal("a" * (MAX_LENGTH + 1))
    assert (error.expected, error.found) == ("at most 1,000 characters", "1,001")
    compile_pattern("(" * MAX_NESTING + "a" + ")" * MAX_NESTING)
    deep = "(" * (MAX_NESTING + 1) + "a" + ")" * (MAX_NESTING + 1)
    assert refusal(deep).found == "more than 50 groups inside one another at character 51"
    compile_pattern("(a)" * (MAX_NESTING + 1))
    compile_pattern("((" + "(a)" * (MAX_NESTING + 1) + ")(b))")
    compile_pattern(f"a{{0,{MAX_COUNT}}}")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        pytest.param("(?:a{1000}){2}", "", id="2,000 states"),
        pytest.param("(?:a{1000}){2}b", "2,001", id="one more"),
        pytest.param("(?:a{1000}){3}", "3,000", id="a count of counts"),
        pytest.param("(?:a{1000}|b{1000}|c)", "2,001", id="choices add up"),
        pytest.param("(?:a{2,1000}){2,}", "", id="without end, from two on"),
        pytest.param("(?:a{2,1000}){3,}", "3,000", id="without end, from three on"),
        pytest.param("(?:" * 9 + "a" + "{1000})" * 9, "1,000,000,000,000", id="shown up to a limit"),
        pytest.param("(?:(?:\\b){1000}){3}", "3,000", id="anchors count"),
        pytest.param("(?:(?:){1000}){3}", "3,000", id="nothing counts as one"),
    ],
)
def test_the_written_out_size_is_bounded(pattern: str, found: str) -> None:
    if not found:
        compile_pattern(pattern)
        return
    error = refusal(pattern)
    assert error.found == f"{found} with its counted repeats written out"
    assert error.expected == "at most 2,000 states"


def test_repeats_of_parts_that_may_be_empty_are_bounded() -> None:
    """FND-30: each of 1,000 optional parts may follow each before it; that many ways are refused at once."""
    compile_pattern("(?:a?){600}")
    error = refusal("(?:a?){1000}")
    assert error.expected == "at most 200,000 ways from one place of the pattern to the next"
    assert error.next == "Write fewer repeats of parts that may be empty."

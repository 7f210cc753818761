"""The draw: its stream to the bit, plans, commitments and reveals (RUN-12)."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.core.canonical import canonical
from trigpoint.core.draw import (
    DrawnItem,
    Generator,
    References,
    Setting,
    Stream,
    check_reveal,
    commit_members,
    commitment,
    plan_members,
    read_plan,
)
from trigpoint.core.errors import BundleError, RefusedError, SuiteError

SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
OTHER = "f" * 64


def nothing(stream: Stream, settings: Any) -> DrawnItem:
    return DrawnItem("?", "whole-reply", {"rule": "exact/1", "expected": "x"}, "", References([], []))


GENERATORS = {
    "sums/1": Generator(
        name="sums/1", category="mathematics", settings={"terms": Setting(2, 2, 9, "how many terms")}, draw=nothing
    )
}
PLAN: dict[str, Any] = {
    "format": "trigpoint-plan/1",
    "id": "autumn",
    "version": "1.0.0",
    "title": "Autumn",
    "licence": "CC0-1.0",
    "scoring": "macro-average/1",
    "parts": [{"generator": "sums/1", "category": "mathematics", "count": 3}],
}


def plan(**changed: Any) -> Any:
    return read_plan({**PLAN, **changed}, GENERATORS, "plan.toml")


class TestStream:
    def test_its_bytes_are_what_the_page_says(self) -> None:
        """RUN-12: block i is HMAC-SHA-256(secret bytes, label, 0, i as 8 bytes): written out here a second time."""
        blocks = b"".join(
            hmac.new(bytes(range(32)), b"label\0" + bytes([0] * 7 + [i]), hashlib.sha256).digest() for i in range(3)
        )
        stream = Stream(SECRET, "label")
        assert bytes(stream.integer(256) for _ in range(96)) == blocks

    @pytest.mark.parametrize(
        ("draw", "values"),
        [
            pytest.param(
                lambda s: [s.integer(6) for _ in range(12)], [1, 2, 0, 4, 4, 5, 4, 4, 1, 1, 5, 3], id="integers below 6"
            ),
            pytest.param(
                lambda s: [s.integer(1000) for _ in range(6)], [648, 486, 513, 522, 471, 153], id="integers below 1,000"
            ),
            pytest.param(lambda s: s.integer(2**64), 1871483958514021434, id="the largest"),
            pytest.param(lambda s: "".join(s.shuffle("abcdefgh")), "hegcfadb", id="a shuffle"),
            pytest.param(lambda s: s.sample(range(100), 4), [4, 21, 94, 7], id="a sample"),
            pytest.param(lambda s: [s.choice("xyz") for _ in range(6)], ["y", "z", "x", "y", "y", "z"], id="choices"),
            pytest.param(lambda s: s.between(-3, 3), 1, id="between, both ends included"),
            pytest.param(lambda s: s.fraction() * 2**53, 7310484212945396, id="a fraction"),
        ],
    )
    def test_the_values_of_a_fixed_secret_never_change(self, draw: Any, values: Any) -> None:
        """RUN-12: golden numbers, for a replay in another language: secret 00 01 … 1f, label "golden"."""
        assert draw(Stream(SECRET, "golden")) == values

    def test_a_byte_beyond_the_last_whole_multiple_is_thrown_away(self) -> None:
        """Below 200, the bytes 200 to 255 are passed over, so that no value is likelier."""
        stream, bytes_of = Stream(SECRET, "r"), Stream(SECRET, "r")
        raw = [bytes_of.integer(256) for _ in range(60)]
        kept = [value for value in raw if value < 200]
        assert len(kept) < 60
        assert [stream.integer(200) for _ in kept] == kept

    def test_one_choice_takes_no_byte(self) -> None:
        stream = Stream(SECRET, "one")
        assert [stream.integer(1) for _ in range(50)] == [0] * 50
        assert stream.integer(256) == Stream(SECRET, "one").integer(256)

    def test_every_value_comes_about_as_often(self) -> None:
        """7,000 draws below 7: each value 1,000 times, give or take 5 standard deviations (29.3 each)."""
        stream = Stream(SECRET, "uniform")
        counts = Counter(stream.integer(7) for _ in range(7_000))
        assert sorted(counts) == list(range(7))
        assert all(abs(count - 1_000) < 147 for count in counts.values())

    def test_every_order_of_three_comes_about_as_often(self) -> None:
        """6,000 shuffles: each of 6 orders 1,000 times, give or take 5 standard deviations (28.9 each)."""
        stream = Stream(SECRET, "orders")
        counts = Counter("".join(stream.shuffle("abc")) for _ in range(6_000))
        assert len(counts) == 6
        assert all(abs(count - 1_000) < 145 for count in counts.values())

    @given(below=st.integers(1, 2**64), label=st.text(st.characters(exclude_characters="\0", codec="utf-8")))
    def test_the_same_secret_and_label_give_the_same_within_range(self, below: int, label: str) -> None:
        first, second = Stream(SECRET, label), Stream(SECRET, label)
        values = [first.integer(below) for _ in range(3)]
        assert values == [second.integer(below) for _ in range(3)]
        assert all(0 <= value < below for value in values)
        assert 0 <= first.fraction() < 1
        assert isinstance(first.fraction(), Fraction)

    @given(values=st.lists(st.integers(), max_size=40))
    def test_a_shuffle_keeps_every_element_and_leaves_its_input(self, values: list[int]) -> None:
        before = list(values)
        assert sorted(Stream(SECRET, "s").shuffle(values)) == sorted(values)
        assert values == before

    def test_another_label_or_secret_gives_another_stream(self) -> None:
        firsts = [Stream(secret, label).integer(2**64) for secret in (SECRET, OTHER) for label in ("a", "b", "")]
        assert len(set(firsts)) == 6

    @pytest.mark.parametrize("below", [0, -1, 2**64 + 1])
    def test_a_range_that_is_none_is_refused(self, below: int) -> None:
        with pytest.raises(ValueError, match="expected 1 to"):
            Stream(SECRET, "x").integer(below)

    @pytest.mark.parametrize(
        "secret",
        [
            pytest.param("", id="empty"),
            pytest.param(SECRET[:-1], id="a digit short"),
            pytest.param(SECRET.upper(), id="capitals"),
            pytest.param(SECRET + "\n", id="a line end"),
            pytest.param("٠" * 64, id="digits of another script"),
            pytest.param(7, id="no text"),
        ],
    )
    def test_what_is_no_secret_is_refused_and_never_shown(self, secret: Any) -> None:
        with pytest.raises(BundleError, match="not a secret") as caught:
            Stream(secret, "x")
        assert not str(secret).strip() or len(str(secret)) < 9 or str(secret).strip() not in str(caught.value)

    def test_a_label_with_a_zero_byte_is_refused(self) -> None:
        """It could make two labels share blocks."""
        with pytest.raises(BundleError, match="zero byte"):
            Stream(SECRET, "a\0b")


class TestPlan:
    def test_settings_that_are_not_named_are_filled_in(self) -> None:
        """RUN-12: the commitment rests on no default."""
        assert plan().parts[0].settings == {"terms": 2}

    def test_reading_what_was_written_changes_nothing(self) -> None:
        assert read_plan(plan_members(plan()), GENERATORS, "x") == plan()

    @pytest.mark.parametrize(
        ("changed", "field"),
        [
            pytest.param({"format": "trigpoint-plan/2"}, "plan.toml: format", id="format"),
            pytest.param({"id": "a/b"}, "plan.toml: id", id="an id with a separator"),
            pytest.param({"version": ""}, "plan.toml: version", id="no version"),
            pytest.param({"title": 3}, "plan.toml: title", id="a title that is no text"),
            pytest.param({"scoring": "sum/1"}, "plan.toml: scoring", id="unknown scoring"),
            pytest.param({"seed": 1}, "plan.toml: seed", id="a field nobody reads"),
            pytest.param({"parts": []}, "plan.toml: parts", id="no parts"),
            pytest.param({"parts": [3]}, "plan.toml: parts", id="a part that is no table"),
        ],
    )
    def test_a_wrong_field_is_named(self, changed: dict[str, Any], field: str) -> None:
        """RUN-11: errors name file and field."""
        with pytest.raises(SuiteError) as caught:
            plan(**changed)
        assert caught.value.where == field

    @pytest.mark.parametrize(
        ("changed", "field"),
        [
            pytest.param({"generator": "sums/2"}, "generator", id="a version there isn't"),
            pytest.param({"category": "-"}, "category", id="a category that is no id"),
            pytest.param({"count": 0}, "count", id="none"),
            pytest.param({"count": True}, "count", id="true is no number"),
            pytest.param({"count": 5_001}, "count", id="too many"),
            pytest.param({"settings": []}, "settings", id="settings that are no table"),
            pytest.param({"settings": {"term": 3}}, "settings: term", id="a misspelt setting"),
            pytest.param({"settings": {"terms": 10}}, "settings.terms", id="beyond its range"),
            pytest.param({"again": 1}, "again", id="a field nobody reads"),
        ],
    )
    def test_a_wrong_field_of_a_part_is_named(self, changed: dict[str, Any], field: str) -> None:
        with pytest.raises(SuiteError) as caught:
            plan(parts=[{**PLAN["parts"][0], **changed}])
        assert caught.value.where == f"plan.toml: parts 1: {field}"

    def test_items_are_counted_over_all_parts(self) -> None:
        with pytest.raises(SuiteError, match="too many items"):
            plan(parts=[{**PLAN["parts"][0], "count": 2_501}] * 2)


class TestCommitment:
    def test_it_hashes_the_64_characters(self) -> None:
        """RUN-12: of the text, not of the 32 bytes."""
        assert commitment(SECRET) == hashlib.sha256(SECRET.encode()).hexdigest()
        assert commitment(SECRET) != hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()

    def test_its_plan_digest_is_that_of_the_canonical_plan(self) -> None:
        members = commit_members(SECRET, plan())
        assert members["plan_sha256"] == hashlib.sha256(canonical(plan_members(plan()))).hexdigest()

    @pytest.mark.parametrize("secret", [SECRET, OTHER])
    def test_of_the_secret_it_holds_the_digest_alone(self, secret: str) -> None:
        """RUN-12: with another secret nothing but its digest changes."""
        one, other = commit_members(secret, plan()), commit_members("0" * 64, plan())
        assert {name for name in one if one[name] != other[name]} == {"secret_sha256"}
        assert secret not in json.dumps(one)

    def test_a_reveal_holds(self) -> None:
        assert check_reveal(commit_members(SECRET, plan()), SECRET, plan()) == []

    @pytest.mark.parametrize(
        ("changed", "named"),
        [
            pytest.param({"id": "winter"}, "plan.id", id="id"),
            pytest.param({"version": "1.0.1"}, "plan.version", id="version"),
            pytest.param({"title": "autumn"}, "plan.title", id="title"),
            pytest.param({"licence": "MIT"}, "plan.licence", id="licence"),
            pytest.param({"parts": PLAN["parts"] * 2}, "plan.parts", id="one more part"),
            pytest.param({"parts": [{**PLAN["parts"][0], "count": 4}]}, "plan.parts 1.count", id="count"),
            pytest.param({"parts": [{**PLAN["parts"][0], "category": "x"}]}, "plan.parts 1.category", id="category"),
            pytest.param(
                {"parts": [{**PLAN["parts"][0], "settings": {"terms": 3}}]},
                "plan.parts 1.settings.terms",
                id="a setting",
            ),
        ],
    )
    def test_another_plan_is_found_and_its_field_named_first(self, changed: dict[str, Any], named: str) -> None:
        """RUN-12: whatever decides the draw is in the commitment."""
        found = check_reveal(commit_members(SECRET, plan()), SECRET, plan(**changed))
        assert found[0].startswith(f"commit: {named}: committed ")
        assert len(found) == 2, "the field and the digest"

    def test_another_secret_is_found_and_not_shown(self) -> None:
        found = check_reveal(commit_members(SECRET, plan()), OTHER, plan())
        assert found == ["commit: secret_sha256: the secret is not the committed one"]

    @pytest.mark.parametrize("name", ["secret_sha256", "plan_sha256", "plan"])
    def test_a_missing_member_is_found(self, name: str) -> None:
        members = {key: value for key, value in commit_members(SECRET, plan()).items() if key != name}
        assert check_reveal(members, SECRET, plan())[0].startswith(f"commit: {name}")

    def test_a_member_too_many_is_found(self) -> None:
        members = {**commit_members(SECRET, plan()), "\x1b[2J": 1}
        found = check_reveal(members, SECRET, plan())
        assert len(found) == 1
        assert "\x1b" not in found[0]

    @pytest.mark.parametrize("commit", [None, [], {}, {"format": "trigpoint-commit/2"}])
    def test_what_is_no_commitment_is_refused(self, commit: Any) -> None:
        with pytest.raises(RefusedError, match="not a commitment"):
            check_reveal(commit, SECRET, plan())

"""What `drift` took for what, and which rows it left out and why."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

from trigpoint.core.errors import shown

NAMED = 20  # rows left out that are named one by one; the rest are counted


@dataclass(kw_only=True, slots=True)
class Notes:
    """Filled as the rows are read. Lines count from 1, the header's."""

    taken: list[str] = field(default_factory=list)  # sentences
    skipped: int = 0  # rows that can't be read
    incomplete: int = 0  # rows with an absent cell among their tests
    doubled: int = 0  # rows that repeat another
    gaps: int = 0  # rows without any result
    untimed: int = 0  # rows that share their moment with another
    _first: list[tuple[int, str]] = field(default_factory=list)  # a heap of the lowest lines, the highest on top

    def skip(self, line: int, why: str) -> None:
        """A row that can't be read."""
        self.skipped += 1
        self._name(line, f"line {line}: {why}; row left out")

    def leave_out(self, line: int, names: Sequence[str]) -> None:
        """A row in which these tests have no result, though others have."""
        more = f" and {len(names) - 1} more are" if len(names) > 1 else " is"
        self.incomplete += 1
        self._name(line, f"line {line}: {shown(names[0], 60)}{more} empty; only complete runs count, row left out")

    def double(self, line: int) -> None:
        """A row that repeats another in every respect."""
        self.doubled += 1
        self._name(line, f"line {line}: repeats another row; counted once")

    def _name(self, line: int, sentence: str) -> None:
        heapq.heappush(self._first, (-line, sentence))
        if len(self._first) > NAMED:
            heapq.heappop(self._first)

    def named(self) -> list[str]:
        """The first rows left out, by line, and how many more there are."""
        lines = [sentence for _, sentence in sorted(self._first, reverse=True)]
        more = self.skipped + self.incomplete + self.doubled - len(lines)
        return lines + ([f"… and {more:,} more such rows"] if more > 0 else [])

    def sentences(self) -> list[str]:
        """Everything there is to say, in order."""
        said = [*self.taken, *self.named()]
        if self.gaps:
            said.append(f"Rows without any result, kept as gaps: {self.gaps:,}.")
        if self.untimed:
            said.append(
                f"Rows that share their date with another of the same subject: {self.untimed:,}. "
                "Their order is fixed by their content; write RFC 3339 times to give the true one."
            )
        return said


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names for a sentence, quoted, the first few of them."""
    return ", ".join(shown(name, 40) for name in names[:most]) + (", …" if len(names) > most else "")

"""Reports of imports: what they list."""

from __future__ import annotations

from trace_store.reports import RejectedDocument, group_rejections


def test_the_same_rejection_many_times_is_one_with_its_first_places() -> None:
    same = [
        RejectedDocument(f"line {number}", "not_a_run", "an empty object", "export again") for number in range(1, 1001)
    ]
    other = RejectedDocument("line 1,001", "empty", "the file is empty", "repeat the export")
    assert group_rejections([*same, other]) == [
        RejectedDocument("line 1, line 2, line 3 and 997 more", "not_a_run", "an empty object", "export again"),
        other,
    ]

"""What the store does for reviewers: reviews and their history, failure modes, queues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trace_store.model import Review
from trace_store.store.connection import Database
from trace_store.store.reviews import changes, failure_modes, queues
from trace_store.store.reviews import review as reviews
from trace_store.store.reviews.changes import BulkChange, RecentChange, ReviewEdit, ReviewState, Undone
from trace_store.store.reviews.failure_modes import FailureMode
from trace_store.store.reviews.queues import Queue, QueuePlace


class Reviewing:
    """The part of a `Store` that reviewers write. Its methods raise StoreError when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def review(self, run_id: str) -> Review | None:
        """The run's review, or null."""
        with self._database.read() as connection:
            return reviews.review_of(connection, run_id)

    def save_review(self, run_id: str, review: Review | None, *, expected: int | None = None) -> int:
        """Puts `review` in the place of the run's review; null takes it away. `expected`: the version that its editor
        saw, 0 for none, so that two reviewers do not overwrite each other unseen. Returns the number of the change,
        which undoes it. Raises NotFoundError, and ConflictError when another version is there by now."""
        with self._database.write() as connection:
            return changes.save_review(connection, run_id, review, expected)

    def review_many(self, query: str, edit: ReviewEdit, *, run_ids: Sequence[str] | None = None) -> BulkChange:
        """Makes the edit on every run that the query finds, or on those of `run_ids`, in one change. Raises
        QueryError."""
        with self._database.write() as connection:
            return changes.review_many(connection, edit, query, run_ids)

    def undo_review(self, change: int) -> Undone:
        """Brings the runs of a change back to how they were before it; a run that was reviewed again since keeps that
        review. Undoing is a change, too. Raises NotFoundError."""
        with self._database.write() as connection:
            return changes.undo_review(connection, change)

    def review_history(self, run_id: str) -> list[ReviewState]:
        """Every state of the run's review, the latest first."""
        with self._database.read() as connection:
            return changes.review_states(connection, run_id)

    def recent_changes(self, limit: int = 10) -> list[RecentChange]:
        """The latest changes of reviews, each as one, on however many runs."""
        with self._database.read() as connection:
            return changes.recent_changes(connection, limit)

    def each_review(self, query: str = "") -> Iterator[tuple[str, Review]]:
        """The reviews of the runs that the query finds, with their run ids, in the order of those. Raises
        QueryError."""
        with self._database.read() as connection:
            yield from changes.each_review(connection, query)

    def put_reviews(self, said: Iterable[tuple[str, Review, int | None]]) -> tuple[int, int, list[str]]:
        """Saves reviews that came from elsewhere, each with its time in microseconds, in one change. Returns how many
        were saved, how many were there already, and the ids that no run goes by."""
        with self._database.write() as connection:
            return changes.put_reviews(connection, said)

    def failure_modes(self) -> list[FailureMode]:
        """The list of failure modes in its order, and after it the names in use that are not on it."""
        with self._database.read() as connection:
            return failure_modes.failure_modes(connection)

    def save_failure_modes(self, modes: Sequence[FailureMode]) -> None:
        """Puts `modes` in the place of the list. Reviews keep what they say."""
        with self._database.write() as connection:
            failure_modes.save_failure_modes(connection, modes)

    def make_queue(
        self,
        name: str,
        query: str = "",
        sort: str | None = None,
        *,
        run_ids: Sequence[str] | None = None,
        sample: int | None = None,
        seed: int | None = None,
        made_by: str | None = None,
    ) -> Queue:
        """A queue of what the query finds in the order of the list, or of `run_ids`; with `sample`, of so many of
        them, drawn by `seed`. Raises QueryError, and StoreError for a name that is taken or blank and for no runs."""
        with self._database.write() as connection:
            return queues.make_queue(
                connection, name, query, sort, chosen=run_ids, sample=sample, seed=seed, made_by=made_by
            )

    def queue(self, queue_id: int) -> Queue:
        """A queue with its progress. Raises NotFoundError."""
        with self._database.read() as connection:
            return queues.queue(connection, queue_id)

    def queues(self) -> list[Queue]:
        """Every queue with its progress, the latest first."""
        with self._database.read() as connection:
            return queues.all_queues(connection)

    def queue_place(self, queue_id: int, run_id: str | None) -> QueuePlace:
        """Where the run stands in the queue, and what comes next; null stands before the first. Raises
        NotFoundError."""
        with self._database.read() as connection:
            return queues.queue_place(connection, queue_id, run_id)

    def delete_queue(self, queue_id: int) -> None:
        """Takes the queue away; its runs and their reviews stay. Raises NotFoundError."""
        with self._database.write() as connection:
            queues.delete_queue(connection, queue_id)

"""The store: runs in a SQLite file, found again by query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from trace_store.model import Review, Run
from trace_store.reports import FileReport
from trace_store.store import saved_views
from trace_store.store.connection import Database
from trace_store.store.figures import statistics
from trace_store.store.figures import totals as figures
from trace_store.store.figures.actors import actors_of
from trace_store.store.figures.failures import Failures, FailureTable, failure_tables, failures
from trace_store.store.figures.judge import Judgements, judgements
from trace_store.store.figures.rates import Rates, ToolCounts, rates, shared
from trace_store.store.figures.repeats import counterparts, repeats
from trace_store.store.figures.signatures import signatures
from trace_store.store.figures.tools import tool_figures
from trace_store.store.figures.totals import Totals
from trace_store.store.lists import columns, documents, pages
from trace_store.store.lists.documents import Stored
from trace_store.store.lists.pages import Neighbours, Page
from trace_store.store.query import Listed
from trace_store.store.reviews.changes import BulkChange, RecentChange, ReviewEdit, ReviewState, Undone
from trace_store.store.reviews.failure_modes import FailureMode
from trace_store.store.reviews.queues import Queue, QueuePlace
from trace_store.store.reviews.reviewing import Reviewing
from trace_store.store.saved_views import View
from trace_store.store.schema.migrations import migrate
from trace_store.store.writing import batch, deleting
from trace_store.store.writing.batch import Batch

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Batch",
    "BulkChange",
    "FailureMode",
    "FailureTable",
    "Failures",
    "Judgements",
    "Neighbours",
    "Page",
    "Queue",
    "QueuePlace",
    "Rates",
    "RecentChange",
    "Review",
    "ReviewEdit",
    "ReviewState",
    "Store",
    "Stored",
    "ToolCounts",
    "Totals",
    "Undone",
    "View",
]

WAIT_S = 5.0


class Store(Reviewing):
    """A store of runs. One object serves any number of threads; imports and edits take turns, also across processes.

    Every method raises StoreError when the database cannot be used, and those that take a query raise QueryError.
    """

    @classmethod
    def open(cls, url: str, *, wait_s: float = WAIT_S) -> Store:
        """Opens the store at `sqlite:///path`, creates it or brings it to the newest schema. `wait_s`: how long an
        import or edit waits for another. Raises StoreError: no database, a newer schema, a folder that is read-only."""
        database = Database(url, wait_s=wait_s)
        try:
            migrate(database)
        except BaseException:
            database.close()
            raise
        return cls(database)

    def close(self) -> None:
        """Closes the database; the store cannot be used after that."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def revision(self) -> str:
        """Another text whenever the store was written, by anyone: a key for caches."""
        return self._database.revision()

    # Lists. `sort`: a field or figure, `-` in front for the largest first.

    def runs(self, query: str = "", sort: str | None = None, limit: int = 50, offset: int = 0) -> Page:
        """A page of the runs that the query finds, the newest import first."""
        with self._database.read() as connection:
            return pages.page(connection, "runs", query, sort, limit, offset)

    def calls(self, query: str = "", sort: str | None = None, limit: int = 50, offset: int = 0) -> Page:
        """A page of the logged calls that the query finds, of all runs."""
        with self._database.read() as connection:
            return pages.page(connection, "calls", query, sort, limit, offset)

    def findings(self, query: str = "", sort: str | None = None, limit: int = 50, offset: int = 0) -> Page:
        """A page of the findings that the query finds, of all runs."""
        with self._database.read() as connection:
            return pages.page(connection, "findings", query, sort, limit, offset)

    def columns(self, listed: Listed) -> list[str]:
        """The names of a list's columns, in their order."""
        return [shown.name for shown in columns.OF_LISTS[listed]]

    def neighbours(self, run_id: str, query: str = "", sort: str | None = None) -> Neighbours | None:
        """The run's place in the list of runs, with those beside it; null when the query does not find it."""
        with self._database.read() as connection:
            return pages.neighbours(connection, query, sort, run_id)

    # One run, or all of them.

    def run(self, run_id: str) -> Run:
        """The run document, with its import and its review. Raises NotFoundError."""
        with self._database.read() as connection:
            return documents.stored(connection, run_id).run()

    def raw(self, run_id: str) -> bytes:
        """The document as it stood in its file, redacted. Raises NotFoundError."""
        with self._database.read() as connection:
            return documents.stored(connection, run_id).raw

    def size_bytes(self, run_id: str) -> int:
        """Bytes of the raw document; 0 where no run goes by that id."""
        with self._database.read() as connection:
            return documents.size_bytes(connection, run_id)

    def each(self, query: str = "") -> Iterator[Stored]:
        """The runs that the query finds in the order they were imported, whole, a few at a time in memory."""
        with self._database.read() as connection:
            yield from documents.each(connection, query)

    # Figures.

    def totals(self, query: str = "") -> Totals:
        """The figures over the runs that the query finds."""
        with self._database.read() as connection:
            return figures.totals(connection, query)

    def facet(self, query: str, field: str, limit: int = 20, listed: Listed = "runs") -> list[tuple[Any, int]]:
        """The values of a field in what the query lists, as queries write them, each with how many rows have it."""
        with self._database.read() as connection:
            return figures.facet(connection, query, field, limit, listed)

    def facets(
        self, asked: Iterable[tuple[str, str]], limit: int = 20, listed: Listed = "runs"
    ) -> dict[tuple[str, str], list[tuple[Any, int]]]:
        """`facet` of several queries and fields, read side by side."""
        return figures.facets(self._database, asked, limit, listed)

    def stats(self, query: str = "", by: Sequence[str] = ()) -> pd.DataFrame:
        """The calls that the query finds, grouped by fields: see `statistics.stats` for the columns."""
        with self._database.read() as connection:
            return statistics.stats(connection, query, by)

    def failures(self, query: str = "") -> Failures:
        """Everything that the query finds and that failed: by signature, over time, by layer, class, tool and so on."""
        return failures(self._database, query)

    def failure_tables(self, query: str, names: Iterable[FailureTable]) -> dict[FailureTable, pd.DataFrame]:
        """Only those tables of `failures`, read side by side."""
        return failure_tables(self._database, query, names)

    def signatures(self, query: str = "") -> pd.DataFrame:
        """The failures of the runs that the query finds by boundary, tool and class: see `failure_signatures`."""
        with self._database.read() as connection:
            return signatures(connection, query)

    def tool_figures(self, query: str = "") -> pd.DataFrame:
        """The tools of the calls that the query finds: see `tool_figures.COLUMNS`."""
        return tool_figures(self._database, query)

    def actors(self, query: str = "") -> pd.DataFrame:
        """Who acted in what the query finds, as a tree in preorder: see `actors.actors_of` for the columns."""
        with self._database.read() as connection:
            return actors_of(connection, query)

    def judgements(self, query: str = "") -> Judgements:
        """The judge of the runs that the query finds, held against the evidence and against the reviewers."""
        return judgements(self._database, query)

    # Comparing.

    def rates(self, query: str = "") -> Rates:
        """What the runs that the query finds are made of, as counts."""
        return rates(self._database, query)

    def shared(self, one: str, other: str) -> int:
        """How many runs both queries find."""
        with self._database.read() as connection:
            return shared(connection, one, other)

    def repeats(
        self, query: str = "", by: Sequence[str] = ("task",), least: int = 2, limit: int = 50, offset: int = 0
    ) -> Page:
        """A page of the tasks (or whatever runs are grouped `by`) with at least `least` runs, those that the judge
        passed and failed first: see `repeats.repeats` for the columns."""
        with self._database.read() as connection:
            return repeats(connection, query, by, least, limit, offset)

    def counterparts(self, run_ids: Sequence[str]) -> dict[str, str]:
        """For each of these runs, where there is one, the nearest run of its task that ended the other way."""
        with self._database.read() as connection:
            return counterparts(connection, run_ids)

    # Imports.

    def importing(self, file: str, size_bytes: int) -> AbstractContextManager[Batch]:
        """A batch for the runs of one file: one transaction; any exception leaves the store as it was. Raises
        StoreBusyError when another import does not finish in time."""
        return batch.importing(self._database, file, size_bytes)

    def imports(self, limit: int = 50, offset: int = 0) -> Page:
        """A page of the imports, the latest first."""
        with self._database.read() as connection:
            return pages.imports_page(connection, limit, offset)

    def import_report(self, import_id: int) -> FileReport:
        """The report of an import. Raises NotFoundError."""
        with self._database.read() as connection:
            return FileReport.from_json(documents.report(connection, import_id))

    # Saved views.

    def views(self) -> list[View]:
        """The saved views, by name."""
        with self._database.read() as connection:
            return saved_views.saved_views(connection)

    def save_view(self, view: View) -> None:
        """Keeps the view, in the place of one of the same name."""
        with self._database.write() as connection:
            saved_views.save_view(connection, view)

    def delete_view(self, name: str) -> None:
        """Lets go of the view. Raises NotFoundError."""
        with self._database.write() as connection:
            saved_views.delete_view(connection, name)

    # Runs leave.

    def delete(self, query: str) -> int:
        """Removes the runs that the query finds, and returns how many. Their reviews stay."""
        with self._database.write() as connection:
            return deleting.delete(connection, query)

    def vacuum(self) -> None:
        """Merges the full-text index, and gives free pages back to the disk."""
        self._database.run_alone(
            "INSERT INTO texts_fts (texts_fts) VALUES ('optimize')",
            "VACUUM",
            "PRAGMA wal_checkpoint(TRUNCATE)",
        )

"""The store: runs in a SQLite file, read by query."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from trace_store.errors import StoreError
from trace_store.store.connection import Database, Queries, driver_connection
from trace_store.store.figures import Figures
from trace_store.store.figures.counts import Totals
from trace_store.store.figures.failures import FailureTable
from trace_store.store.figures.judge import Judgements
from trace_store.store.figures.run_rates import Rates, ToolCounts
from trace_store.store.figures.statistics import stats
from trace_store.store.figures.tool_usage import VIOLATIONS
from trace_store.store.lists import documents
from trace_store.store.lists.documents import RunRecord
from trace_store.store.lists.pages import Imports, Lists, Neighbours, Page
from trace_store.store.reviews.changes import BulkChange, RecentChange, ReviewEdit, Reviews, ReviewState, UndoResult
from trace_store.store.reviews.failure_modes import FailureMode, FailureModes
from trace_store.store.reviews.queues import Queue, QueuePosition, Queues
from trace_store.store.saved_views import LONGEST_VIEW_NAME, SavedView, SavedViews
from trace_store.store.schema.migrations import migrate
from trace_store.store.writing.batch import Batch, delete_import, delete_runs

__all__ = [
    "LONGEST_VIEW_NAME",
    "VIOLATIONS",
    "Batch",
    "BulkChange",
    "FailureMode",
    "FailureTable",
    "Judgements",
    "Neighbours",
    "Page",
    "Queue",
    "QueuePosition",
    "Rates",
    "RecentChange",
    "ReviewEdit",
    "ReviewState",
    "RunRecord",
    "SavedView",
    "Store",
    "ToolCounts",
    "Totals",
    "UndoResult",
]

WAIT_S = 5.0


class Store(Queries):
    """A store of runs. One object serves any number of threads; imports and edits take turns, also across processes.

    What programs use most is here; the rest belongs to the objects that the store owns. Every query raises StoreError
    when the database cannot be used, and those that take the text of a query raise QueryError.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.lists = Lists(database)
        self.imports = Imports(database)
        self.figures = Figures(database)
        self.reviews = Reviews(database)
        self.failure_modes = FailureModes(database)
        self.queues = Queues(database)
        self.views = SavedViews(database)

    @classmethod
    def open(cls, url: str, *, wait_s: float = WAIT_S) -> Store:
        """Open the store at `sqlite:///path`, creating it or bringing it to the newest schema.

        `wait_s`: how long an import or edit waits for another. Raises StoreError: no database, a newer schema, a folder
        that is read-only.
        """
        database = Database(url, wait_s=wait_s)
        try:
            migrate(database)
        except BaseException:
            database.close()
            raise
        return cls(database)

    def close(self) -> None:
        """Close the database; the store cannot be used after that."""
        self.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def revision(self) -> str:
        """Return another text whenever the store was written, by anyone: a key for caches."""
        return self.database.revision()

    def runs(self, query: str = "", sort: str | None = None, limit: int = 50, offset: int = 0) -> Page:
        """Return a page of the runs that the query finds: see `Lists.page`."""
        return self.lists.page("runs", query, sort, limit, offset)

    def calls(self, query: str = "", sort: str | None = None, limit: int = 50, offset: int = 0) -> Page:
        """Return a page of the logged calls that the query finds, of all runs."""
        return self.lists.page("calls", query, sort, limit, offset)

    def findings(self, query: str = "", sort: str | None = None, limit: int = 50, offset: int = 0) -> Page:
        """Return a page of the findings that the query finds, of all runs."""
        return self.lists.page("findings", query, sort, limit, offset)

    run = documents.run
    raw = documents.raw
    raw_size_bytes = documents.raw_size_bytes
    each = documents.each
    stats = stats
    delete = delete_runs
    delete_import = delete_import

    @contextmanager
    def importing(self, file: str, size_bytes: int) -> Iterator[Batch]:
        """Give a batch for the runs of `file`: one transaction.

        It is committed when the block ends and `Batch.finish` was called; any exception, an interrupt too, leaves the
        store as it was. Raises StoreBusyError when another import does not finish in time.
        """
        with self.database.write() as connection:
            batch = Batch(driver_connection(connection), file, size_bytes)
            yield batch
            if not batch.finished:
                raise StoreError("the import was not finished", path=file)

    def vacuum(self) -> None:
        """Merge the full-text index, and give free pages back to the disk."""
        self.database.run_alone(
            "INSERT INTO texts_fts (texts_fts) VALUES ('optimize')",
            "VACUUM",
            "PRAGMA wal_checkpoint(TRUNCATE)",
        )

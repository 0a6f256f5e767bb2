"""Read, normalise, store and query exported agent runs.

The whole public face: `Store`, `import_paths` and `read_documents`. Everything else may change without notice.
"""

from trace_store.importing.files import import_paths
from trace_store.readers import open_documents as read_documents
from trace_store.store import Store

__all__ = ["Store", "import_paths", "read_documents"]

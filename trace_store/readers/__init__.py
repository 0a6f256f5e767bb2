"""Files to run bodies (chapter 9 of the contract): documents are streamed, redacted, and recognised or rejected.

`documents` unpacks and decodes, `layout` finds the values, `parsing` reads each, and a module a format turns it into
a run body. Nothing in here knows the store or the app.
"""

from trace_store.readers.document import Document
from trace_store.readers.documents import Reading, open_documents
from trace_store.readers.files.folders import display_path, list_files
from trace_store.readers.files.unpacking import LIMITS, Limits
from trace_store.readers.formats.registry import Body, read_body
from trace_store.readers.rejections import Rejection, reject

__all__ = [
    "LIMITS",
    "Body",
    "Document",
    "Limits",
    "Reading",
    "Rejection",
    "display_path",
    "list_files",
    "open_documents",
    "read_body",
    "reject",
]

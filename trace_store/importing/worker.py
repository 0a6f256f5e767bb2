"""A worker process of an import, started by `worker_pool`: prepares chunks of documents until either pipe ends."""

from __future__ import annotations

import gc
import os
import pickle
from contextlib import suppress

from trace_store.errors import TraceError
from trace_store.evidence import SchemaCache
from trace_store.importing.pipeline import PreparedRun, prepare_run
from trace_store.importing.worker_pool import READY, Chunk, read_message, write_message
from trace_store.readers import Body, Rejection


def main() -> None:
    """Answer each chunk on standard input with what became of its items, until there is no more."""
    gc.disable()  # an import makes no reference cycles, and this process does nothing else
    schemas = SchemaCache()
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "wb") as answers, os.fdopen(0, "rb") as chunks:
        # What anything else prints goes to standard error, and never between the answers.
        os.dup2(2, 1)
        write_message(answers, READY)
        while (message := read_message(chunks)) is not None:
            write_message(answers, pickle.dumps(_answer(message, schemas), pickle.HIGHEST_PROTOCOL))


def _answer(message: bytes, schemas: SchemaCache) -> list[PreparedRun | Rejection] | TraceError:
    chunk: Chunk = pickle.loads(message)
    try:
        return [
            prepare_run(item, chunk.file, chunk.import_id, schemas) if isinstance(item, Body) else item
            for item in chunk.items
        ]
    except TraceError as error:
        return error  # the import raises it


if __name__ == "__main__":
    main()

"""The program itself: the global options, the exit codes, and the table of commands.

Exit codes: 0 done; 1 done, but something was rejected or, with `check`, found to be wrong; 2 wrong use, or a store
that cannot be used. Every error that a user can meet is one line.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperCommand, TyperGroup

from trace_store.cli import export_commands, import_commands, list_commands, review_commands, serve_commands
from trace_store.cli.options import QueryCommand
from trace_store.cli.output import say
from trace_store.errors import TraceError
from trace_store.settings import Settings


class Program(TyperGroup):
    """The commands, with our errors as one line and a closed pipe as a normal end."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]  # typer's own context
        try:
            try:
                result: object = super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except typer.BadParameter as error:
            error.message = _in_plain_words(error.message)
            raise
        except TraceError as error:
            say(f"error: {error}")
            raise typer.Exit(2) from None
        except BrokenPipeError:
            # Whoever read the output has had enough (`| head`).
            _give_up_output()
            raise typer.Exit(0) from None
        except OSError as error:
            # What names no file is standard output, on a disk that is full.
            _give_up_output()
            where = error.filename or "standard output: cannot be written"
            say(f"error: {where}: {error.strerror}")
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            say("interrupted: what was not finished is not kept")
            raise typer.Exit(130) from None
        return result


_PLAIN_WORDS = (
    (re.compile(r"Value error, "), ""),
    (re.compile(r"Input should be a valid integer.*"), "a whole number is needed"),
    (re.compile(r"Input should be greater than or equal to"), "the least is"),
    (re.compile(r"Input should be less than or equal to"), "the most is"),
)
"""What the framework says of a value, in words of a person who has typed it."""


def _in_plain_words(message: str) -> str:
    for pattern, plain in _PLAIN_WORDS:
        message = pattern.sub(plain, message)
    return message


def _give_up_output() -> None:
    """Discard what is still buffered, so that the interpreter does not complain about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    name="trace-store",
    cls=Program,
    help="Import, search and check exported agent runs.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    ctx: typer.Context,
    store: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The database; else TRACE_STORE_URL, else sqlite:///traces.db here."),
    ] = None,
) -> None:
    """Import, search and check exported agent runs."""
    ctx.obj = {"store": store or Settings().store_url}


COMMANDS = (
    ("import", import_commands.import_files, TyperCommand, "trace-store import exports/ nightly.jsonl.gz"),
    ("runs", list_commands.runs, QueryCommand, 'trace-store runs "failed:true started>=2026-01-01" --sort -started'),
    ("calls", list_commands.calls, QueryCommand, 'trace-store calls "error_class:* -source:odyssey" --format csv'),
    ("findings", list_commands.findings, QueryCommand, "trace-store findings finding:call_failed --limit 20"),
    ("show", list_commands.show, TyperCommand, "trace-store show support-refund-clean --format json"),
    ("stats", list_commands.stats, QueryCommand, 'trace-store stats "outcome:failed" --by error_class,tool'),
    (
        "export",
        export_commands.export,
        QueryCommand,
        'trace-store export "check:nightly-*" --format envelopes -o failures.jsonl',
    ),
    ("reviews", review_commands.reviews, QueryCommand, 'trace-store reviews "review:fail" --format csv > reviews.csv'),
    ("import-reviews", review_commands.import_review_files, TyperCommand, "trace-store import-reviews reviews.jsonl"),
    ("check", import_commands.check, TyperCommand, "trace-store check nightly.jsonl --format jsonl | jq .run_id"),
    ("delete", export_commands.delete, QueryCommand, 'trace-store delete "started<2026-01-01" --yes'),
    ("vacuum", export_commands.vacuum, TyperCommand, "trace-store vacuum"),
    ("schema", serve_commands.schema, TyperCommand, "trace-store schema > run-body.schema.json"),
    ("serve", serve_commands.serve, TyperCommand, "trace-store --store sqlite:///nightly.db serve --port 8502"),
)
"""Name, function, class, and the example that its help ends with."""

for _name, _function, _class, _example in COMMANDS:
    app.command(_name, cls=_class, epilog=f"Example: {_example}")(_function)


def main() -> None:
    """Run the command line. Output is UTF-8, whatever the locale says, and is discarded where it is closed."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8")
    app()

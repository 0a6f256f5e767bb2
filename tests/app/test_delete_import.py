"""Deleting an import on the Imports page."""

from __future__ import annotations

from tests.app.conftest import OpenPage
from tests.app.test_pages import texts
from trace_store.store import Store


def test_an_import_is_deleted_after_a_question_that_counts_its_runs(filled: Store, open_page: OpenPage) -> None:
    imports, runs = filled.imports.page().total, filled.runs().total
    at = open_page("imports")
    chosen = int(str(filled.imports.page(1).rows[0]["import_id"]))
    brought = filled.runs(f"import:{chosen}").total
    at.button(key="import-delete").click().run()
    assert f"**{brought} run" in texts(at)
    assert filled.runs().total == runs
    at.button(key="primary-delete-import").click().run()
    assert filled.runs().total == runs - brought
    assert filled.imports.page().total == imports - 1

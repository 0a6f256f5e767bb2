"""R41 and R42: what is a run body, and by which id it goes."""

from __future__ import annotations

from typing import Any

import pytest

from trace_store.contract import find_run_id, is_envelope, is_run_body

ENVELOPE = {"error_class": None, "error_code": None, "stage": None, "retryable": None}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"run_id": "a", "id": "b"}, "a"),
        ({"run_id": None, "id": "b"}, "b"),
        ({"run_id": "", "id": "b"}, "b"),
        ({"run_id": " ", "id": "b"}, "b"),
        ({"run_id": True, "id": "b"}, "b"),
        ({"run_id": 0}, "0"),
        ({"run_id": 12.0}, "12"),
        ({"id": 7, "env": {"DYSTOPIC_RUN_ID": "c"}}, "7"),
        ({"env": {"DYSTOPIC_RUN_ID": "c"}, "run_token_jti": "d"}, "c"),
        ({"env": {}, "environment": {"DYSTOPIC_RUN_ID": 5}}, "5"),
        ({"env": "DYSTOPIC_RUN_ID=c", "run_token_jti": "d"}, "d"),
        ({"environment": {"DYSTOPIC_RUN_TOKEN_JTI": "e"}}, "e"),
        ({"final_response": "x"}, None),
        ("text", None),
        ([], None),
    ],
)
def test_identity(body: Any, expected: str | None) -> None:
    assert find_run_id(body) == expected


@pytest.mark.parametrize(
    "value",
    [
        "text",
        "",
        {"final_response": None},
        {"final_output": "x"},
        {"output": []},
        {"message": "x"},
        {"message": "x", "status": "completed"},
        {"message": "x", "status_code": 200},
        {"messages": None},
        {"proxy_calls": []},
        {"tool_call_log": [1]},
        {"error": "boom"},
        {"error_json": {}},
        {"error_class": "agent_timeout"},
    ],
)
def test_a_run_body(value: Any) -> None:
    assert is_run_body(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        True,
        [],
        [{"final_response": "x"}],
        {},
        {"run_id": "r"},
        {"detail": "Not found"},
        {"message": "Unauthorized", "status_code": 401},
        {"message": "Down", "status": 503.0},
        {"message": None},
        {"output": [{"type": "message"}]},
        {"proxy_calls": {"a": 1}},
        {"calls": 3},
        {"error": None, "error_class": ""},
        ENVELOPE | {"error_class": "timeout"},
    ],
)
def test_no_run_body(value: Any) -> None:
    assert not is_run_body(value)


def test_four_fields_make_an_envelope() -> None:
    assert is_envelope(ENVELOPE | {"more": 1})
    assert not any(is_envelope({k: v for k, v in ENVELOPE.items() if k != left_out}) for left_out in ENVELOPE)
    assert not is_envelope(list(ENVELOPE))

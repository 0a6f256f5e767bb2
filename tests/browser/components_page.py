"""A page with one component on it, for the component tests: `?case=` names the run or tree, `?focus=` a path, and
`?next=` the run that a button shows instead.

What the reader chooses goes into the address as `focus`, as a page of the app does it.
"""

from __future__ import annotations

import streamlit as st
from component_runs import RUNS, TREES
from content_runs import CONTENT_RUNS

from app.components.actor_tree import draw_actor_tree
from app.components.transcript import TranscriptData, build_transcript, draw_transcript

st.set_page_config(layout="wide")
case = st.query_params["case"]
focus = st.query_params.get("focus")


@st.cache_resource
def data_of(name: str) -> TranscriptData:
    if name == "broken":  # no data that the app makes: what the transcript is made of is missing
        return {**data_of("card"), "run_id": "broken", "items": [], "calls": []}
    run, raw_messages = (RUNS | CONTENT_RUNS)[name]()
    return build_transcript(run, raw_messages)


if case in TREES:
    chosen = draw_actor_tree(TREES[case](), focus=focus, height=600, key="component")
else:
    chosen = draw_transcript(data_of(case), focus=focus, height=700, key="component")
st.text_input("Note")
st.button("Next run", on_click=lambda: st.query_params.from_dict({"case": st.query_params["next"]}))
st.text(f"chosen: {chosen!r}")
if chosen is not None and chosen != focus:
    st.query_params["focus"] = chosen

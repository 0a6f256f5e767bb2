"""The review app: Streamlit pages over `trace_store`."""
